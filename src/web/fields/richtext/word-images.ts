import { type IDomEditor, SlateEditor, SlateElement, type SlatePath } from '@wangeditor/editor';
import { keptHtml } from './kept-module.ts';
import { imageHtml, type PictureSize } from './insert-html.ts';
import { setProperties } from './set-properties.ts';

/**
 * Pictures of a Word or WPS paste lie on the author's own disk, where no page may read. Each leaves a placeholder with
 * its name, `<img data-word-image="image001.png">`, until the author gives the file.
 */
export interface WordImage {
  readonly path: SlatePath;
  readonly name: string;
  /** As the document gave it. */
  readonly size: PictureSize;
}

const MARK = 'data-word-image';

/** A placeholder for a picture at an address on a disk. */
export function wordImageHtml(address: string, size: PictureSize = {}): string {
  const { body } = new DOMParser().parseFromString('<img>', 'text/html');
  const image = body.querySelector('img');
  const name = fileNameOf(address);
  image?.setAttribute(MARK, name);
  image?.setAttribute('alt', `未转存：${name}`);
  for (const [side, px] of Object.entries(size)) image?.setAttribute(side, px);
  return body.innerHTML;
}

/** The last part of `file:///C:/Users/a/clip_image001.png`. */
export function fileNameOf(address: string): string {
  const last = address.split(/[\\/]/).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || '图片';
  } catch {
    return last;
  }
}

/** Placeholders that still stand in the document, in reading order. */
export function wordImages(editor: IDomEditor): readonly WordImage[] {
  return [
    ...SlateEditor.nodes(editor, {
      at: [],
      match: (node) => SlateElement.isElement(node) && (keptHtml(node) ?? '').includes(MARK),
      voids: false,
    }),
  ].flatMap(([node, path]) => {
    const { body } = new DOMParser().parseFromString(keptHtml(node) ?? '', 'text/html');
    const image = body.querySelector(`[${MARK}]`);
    const name = image?.getAttribute(MARK);
    return name === null || name === undefined ? [] : [{ path, name, size: sizeOf(image) }];
  });
}

function sizeOf(image: Element | null): PictureSize {
  return Object.fromEntries(
    ['width', 'height'].flatMap((side) => {
      const px = image?.getAttribute(side);
      return px === null || px === undefined ? [] : [[side, px]];
    }),
  );
}

/** Which file is which picture: by name, and in order for those whose name fits none. */
export function matchFiles(names: readonly string[], files: readonly string[]): readonly (number | null)[] {
  const left = new Set(files.keys());
  const take = (index: number): number | null => {
    left.delete(index);
    return index;
  };
  const byName = names.map((name) => {
    const found = [...left].find((index) => plain(files[index] ?? '') === plain(name));
    return found === undefined ? null : take(found);
  });
  return byName.map((index) => {
    const [next] = left;
    return index ?? (next === undefined ? null : take(next));
  });
}

function plain(name: string): string {
  return fileNameOf(name)
    .toLowerCase()
    .replace(/\.\w{1,5}$/, '');
}

/** Puts the uploaded pictures in the places of their placeholders, as one step that can be undone. */
export function replaceWordImages(
  editor: IDomEditor,
  pictures: readonly { readonly image: WordImage; readonly address: string; readonly name: string }[],
): void {
  SlateEditor.withoutNormalizing(editor, () => {
    for (const { image, address, name } of pictures)
      setProperties(editor, { html: imageHtml(address, name, image.size) }, { at: [...image.path] });
  });
}
