import { DomEditor, type IDomEditor, SlateEditor, SlateTransforms } from '@wangeditor/editor';
import { Button, Input } from 'antd';
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { fileAddress } from '../richtext-files.ts';
import { showBackground } from '../richtext-background.ts';
import { declarationsOf, withDeclarations } from './declarations.ts';
import { backgroundOf } from './editor-content.ts';
import type { EditorOptions } from './editor-options.ts';
import { keptHtml } from './kept-module.ts';
import { linkAt, unlink } from './places.ts';
import { setProperties } from './set-properties.ts';
import { DIALOG_EVENT } from './tools.ts';

interface BubblesProps {
  readonly editor: IDomEditor;
  readonly options: EditorOptions;
  readonly root: RefObject<HTMLDivElement | null>;
}

interface Spot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What appears beside the text: the address of a link, sizes of a picture, the background behind it all. */
export function Bubbles({ editor, options, root }: BubblesProps) {
  const [link, setLink] = useState<{ readonly address: string; readonly spot: Spot } | null>(null);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  useEffect(() => {
    const { current } = root;
    if (current === null) return;
    const look = () => {
      const place = editor.isFocused() ? linkAt(editor) : null;
      setLink(
        place === null
          ? null
          : {
              address: String(Reflect.get(place.node, 'url') ?? ''),
              spot: spotOf(editor.toDOMNode(place.node), current),
            },
      );
      const area = current.querySelector<HTMLElement>('.w-e-scroll');
      if (area !== null) showBackground(area, backgroundOf(editor), fileAddress);
    };
    const changed = () => {
      // A picture that was drawn anew is another element.
      setImage((shown) => (shown?.isConnected === true ? shown : null));
      setTimeout(look);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const resized = () => {
      clearTimeout(timer);
      timer = setTimeout(look, options.resizeDebounce);
    };
    const pick = ({ target }: Event) => {
      const isPicture = target instanceof HTMLImageElement && target.closest('.kept-html') !== null;
      if (target instanceof Element && target.closest('.richtext-bubble, .richtext-frame') !== null) return;
      setImage(isPicture ? target : null);
    };
    look();
    editor.on('change', changed);
    editor.on('scroll', look);
    window.addEventListener('resize', resized);
    if (options.imagePopup) current.addEventListener('click', pick);
    return () => {
      clearTimeout(timer);
      editor.off('change', changed);
      editor.off('scroll', look);
      window.removeEventListener('resize', resized);
      current.removeEventListener('click', pick);
    };
  }, [editor, options, root]);
  return (
    <>
      {link !== null && <LinkBubble editor={editor} {...link} />}
      {image !== null && root.current !== null && (
        <ImageBubble
          key={image.src}
          editor={editor}
          image={image}
          root={root.current}
          onClose={() => setImage(null)}
        />
      )}
    </>
  );
}

/** Spec section 9: a link longer than 30 signs is cut to 20. */
export function shortLink(address: string): string {
  return address.length > 30 ? `${address.slice(0, 20)}…` : address;
}

function LinkBubble({
  editor,
  address,
  spot,
}: {
  readonly editor: IDomEditor;
  readonly address: string;
  readonly spot: Spot;
}) {
  return (
    <div
      className="richtext-bubble"
      role="toolbar"
      aria-label="链接"
      style={{ left: spot.left, top: spot.top + spot.height + 4 }}
      // The caret stays in the text.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span title={address}>{shortLink(address)}</span>
      <Button size="small" type="link" href={address} target="_blank" rel="noopener noreferrer">
        打开
      </Button>
      <Button size="small" type="link" onClick={() => editor.emit(DIALOG_EVENT, 'link')}>
        修改
      </Button>
      <Button size="small" type="link" onClick={() => unlink(editor)}>
        取消链接
      </Button>
    </div>
  );
}

const WIDTHS = ['25%', '50%', '75%', '100%'] as const;

interface ImageBubbleProps {
  readonly editor: IDomEditor;
  readonly image: HTMLImageElement;
  readonly root: HTMLElement;
  readonly onClose: () => void;
}

/** Size, place and description of a picture; the corner of its frame can be dragged. */
function ImageBubble({ editor, image, root, onClose }: ImageBubbleProps) {
  const [spot, setSpot] = useState(() => spotOf(image, root));
  const [alt, setAlt] = useState(image.alt);
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const measure = () => setSpot(spotOf(image, root));
    const observer = new ResizeObserver(measure);
    observer.observe(image);
    return () => observer.disconnect();
  }, [image, root]);
  const change = (changes: Readonly<Record<string, string | null>>, text = alt) => {
    onClose();
    changeImage(editor, image, changes, text);
  };
  const drag = (event: PointerEvent) => {
    if (from.current === null) return;
    setWidth(Math.max(20, Math.round(from.current.width + event.clientX - from.current.x)));
  };
  return (
    <>
      <div
        className="richtext-frame"
        style={{
          left: spot.left,
          top: spot.top,
          width: width ?? spot.width,
          height: width === null ? spot.height : (spot.height * width) / spot.width,
        }}
      >
        <span
          className="richtext-corner"
          title="拖动改大小"
          onPointerDown={(event) => {
            event.preventDefault();
            from.current = { x: event.clientX, width: spot.width };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={drag}
          onPointerUp={() => {
            from.current = null;
            if (width !== null) change({ width: `${width}px`, height: null });
          }}
        />
      </div>
      <div
        className="richtext-bubble"
        role="toolbar"
        aria-label="图片"
        style={{ left: spot.left, top: spot.top + spot.height + 6 }}
      >
        {WIDTHS.map((size) => (
          <Button key={size} size="small" type="text" onClick={() => change({ width: size, height: null })}>
            {size}
          </Button>
        ))}
        <Button size="small" type="text" onClick={() => change({ width: null, height: null })}>
          原始大小
        </Button>
        <Button
          size="small"
          type="text"
          onClick={() => change({ float: 'left', margin: '0px 12px 8px 0px', display: null })}
        >
          左环绕
        </Button>
        <Button
          size="small"
          type="text"
          onClick={() => change({ float: null, margin: '0px auto', display: 'block' })}
        >
          居中
        </Button>
        <Button
          size="small"
          type="text"
          onClick={() => change({ float: 'right', margin: '0px 0px 8px 12px', display: null })}
        >
          右环绕
        </Button>
        <Button size="small" type="text" onClick={() => change({ float: null, margin: null, display: null })}>
          不环绕
        </Button>
        <Input
          size="small"
          aria-label="图片描述"
          placeholder="图片描述"
          style={{ width: 130 }}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
          onPressEnter={(event) => {
            event.preventDefault();
            change({}, alt);
          }}
        />
        <Button size="small" type="text" danger onClick={() => removeImage(editor, image, onClose)}>
          删除
        </Button>
      </div>
    </>
  );
}

function changeImage(
  editor: IDomEditor,
  image: HTMLImageElement,
  changes: Readonly<Record<string, string | null>>,
  alt: string,
): void {
  const place = placeOfImage(editor, image);
  if (place === null) return;
  const { body } = new DOMParser().parseFromString(place.html, 'text/html');
  const target = body.querySelector('img');
  if (target === null) return;
  const style = withDeclarations(target.getAttribute('style') ?? '', changes);
  if (style === '') target.removeAttribute('style');
  else target.setAttribute('style', style);
  if ('width' in changes) for (const name of ['width', 'height']) target.removeAttribute(name);
  target.alt = alt;
  if (Object.keys(declarationsOf(style)).length === 0) target.removeAttribute('style');
  setProperties(editor, { html: body.innerHTML }, { at: place.path });
}

function removeImage(editor: IDomEditor, image: HTMLImageElement, onClose: () => void): void {
  const place = placeOfImage(editor, image);
  onClose();
  if (place !== null) SlateTransforms.removeNodes(editor, { at: place.path });
}

function placeOfImage(editor: IDomEditor, image: HTMLImageElement) {
  const element = image.closest('[data-slate-node="element"]');
  if (element === null) return null;
  const path = DomEditor.findPath(editor, DomEditor.toSlateNode(editor, element));
  // The drawn element may lag behind the document: what it holds now is read there.
  const [node] = SlateEditor.node(editor, path);
  const html = keptHtml(node);
  return html === null ? null : { html, path };
}

/** Where an element stands inside the editor. */
function spotOf(element: Element, root: HTMLElement): Spot {
  const inner = element.getBoundingClientRect();
  const outer = root.getBoundingClientRect();
  return {
    left: inner.left - outer.left,
    top: inner.top - outer.top,
    width: inner.width,
    height: inner.height,
  };
}
