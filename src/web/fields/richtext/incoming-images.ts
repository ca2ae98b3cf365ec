/** Where pictures go that come with a paste or a drop. */
export interface PictureStore {
  readonly upload: (file: File) => Promise<{ readonly address: string; readonly name: string }>;
  /** Has the server fetch a picture from the web; its own address. */
  readonly capture: (address: string) => Promise<string>;
}

/** What became of the pictures of pasted HTML. */
export interface KeptPictures {
  readonly html: string;
  /** On the author's own disk: no page may read them. */
  readonly local: number;
  /** Not fetched or not taken. */
  readonly failed: number;
}

const OWN = /^\/erp\/api\/files\//;

/** The pictures among the files of a paste or a drop. */
export function picturesOf(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** True when pasted HTML has pictures that are not the product's own, or whose files are missing. */
export function hasForeignPictures(html: string): boolean {
  const body = parse(html);
  return foreign(body).length > 0 || body.querySelector('[data-word-image]') !== null;
}

/**
 * Brings the pictures of pasted HTML into the product: those of the web by the server, those inside the text as files.
 * One on the author's disk
 * leaves a placeholder; one that cannot be had is left out. Both are counted.
 */
export async function keepPictures(html: string, store: PictureStore): Promise<KeptPictures> {
  const body = parse(html);
  const counts = { local: body.querySelectorAll('[data-word-image]').length, failed: 0 };
  await Promise.all(
    foreign(body).map(async (image) => {
      const source = image.getAttribute('src') ?? '';
      if (!/^(https?:|data:image\/)/i.test(source)) {
        counts.failed += 1;
        image.remove();
        return;
      }
      try {
        image.setAttribute('src', await keep(source, store));
      } catch {
        counts.failed += 1;
        image.remove();
      }
    }),
  );
  return { html: body.innerHTML, ...counts };
}

/** What the author is told; empty when everything came along. */
export function picturesText({ local, failed }: Pick<KeptPictures, 'local' | 'failed'>): string {
  const parts = [
    local > 0 ? `${local} 张本机图片浏览器读不到，请用「图片转存」选择文件` : '',
    failed > 0 ? `${failed} 张网上图片没有保存成功` : '',
  ];
  return parts.filter((part) => part !== '').join('；');
}

async function keep(source: string, store: PictureStore): Promise<string> {
  if (!source.startsWith('data:')) return store.capture(source);
  return (await store.upload(fileOf(source))).address;
}

/** The page may not fetch `data:` addresses, so they are taken apart here. */
function fileOf(source: string): File {
  const [, type = '', base64, content = ''] = /^data:([^;,]+)(;base64)?,([\s\S]*)$/.exec(source) ?? [];
  const text = base64 === undefined ? decodeURIComponent(content) : atob(content);
  const bytes = Uint8Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  return new File([bytes], '粘贴的图片', { type });
}

function foreign(body: HTMLElement): readonly HTMLImageElement[] {
  return [...body.querySelectorAll('img')].filter(
    (image) => !OWN.test(image.getAttribute('src') ?? '') && !image.hasAttribute('data-word-image'),
  );
}

function parse(html: string): HTMLElement {
  // A document of its own: nothing is fetched while it is looked at.
  return new DOMParser().parseFromString(html, 'text/html').body;
}
