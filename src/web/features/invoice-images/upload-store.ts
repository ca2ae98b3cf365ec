import { http, HttpFault } from '#web/data/http.ts';
import { uploadFile } from '#web/data/upload.ts';

/** What the link is for, as the server tells it. */
export interface UploadPlace {
  readonly title: string;
  readonly company: string;
  readonly expiresAt: string;
  readonly max: number;
  readonly images: readonly { readonly id: string; readonly name: string; readonly size: number }[];
}

/** One image on the page. */
export interface ImageItem {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Null for what was uploaded before: it is shown by its name. */
  readonly file: File | null;
  readonly preview: string | null;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly fraction: number;
  readonly fault: string | null;
  /** A second try makes sense. */
  readonly mayRetry: boolean;
  /** The server's file, once it is there. */
  readonly id: string | null;
}

const MAX_BYTES = 20 * 1024 * 1024;
const TOO_LARGE = '请选择20M以内的图片！';
const KNOWN_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);
const AT_ONCE = 2;

/** Loads what the link is for. @throws HttpFault for a link that is no good */
export function loadPlace(applyId: string): Promise<UploadPlace> {
  return http.get<UploadPlace>(`/invoice/uploadLink?applyId=${encodeURIComponent(applyId)}`);
}

/** The images of the page and their uploads: two at a time, each may be tried again and removed. */
export class UploadStore {
  readonly #applyId: string;
  #items: readonly ImageItem[];
  readonly #listeners = new Set<() => void>();
  readonly #aborts = new Map<number, AbortController>();
  #lastKey = 0;

  constructor(applyId: string, place: UploadPlace) {
    this.#applyId = applyId;
    this.#items = place.images.map((image) => ({
      key: this.#nextKey(),
      name: image.name,
      size: image.size,
      file: null,
      preview: null,
      state: 'done',
      fraction: 1,
      fault: null,
      mayRetry: false,
      id: image.id,
    }));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly items = (): readonly ImageItem[] => this.#items;

  /** Takes what was chosen, dropped or pasted. */
  add(files: readonly File[]): void {
    for (const file of files) void this.#take(file);
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', fault: null, fraction: 0 });
    this.#startNext();
  }

  /** Off the page; what the server has is taken off there first. */
  async remove(key: number): Promise<void> {
    const item = this.#items.find((one) => one.key === key);
    if (item === undefined) return;
    this.#aborts.get(key)?.abort();
    try {
      if (item.id !== null)
        await http.post(`/invoice/removeInvoiceFile?applyId=${encodeURIComponent(this.#applyId)}`, {
          id: item.id,
        });
    } catch (error) {
      this.#change(key, { fault: textOf(error) });
      return;
    }
    if (item.preview !== null) URL.revokeObjectURL(item.preview);
    this.#items = this.#items.filter((one) => one.key !== key);
    this.#tell();
    this.#startNext();
  }

  async #take(given: File): Promise<void> {
    const file = KNOWN_TYPES.has(given.type) ? given : await asJpeg(given);
    const fault = faultOf(given, file);
    this.#items = [
      ...this.#items,
      {
        key: this.#nextKey(),
        name: given.name,
        size: given.size,
        file,
        preview: file === null ? null : URL.createObjectURL(file),
        state: fault === null ? 'waiting' : 'failed',
        fraction: 0,
        fault,
        mayRetry: false,
        id: null,
      },
    ];
    this.#tell();
    this.#startNext();
  }

  #startNext(): void {
    const running = this.#items.filter(({ state }) => state === 'sending').length;
    for (const item of this.#items.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - running))
      void this.#send(item);
  }

  async #send({ key, file }: ImageItem): Promise<void> {
    if (file === null) return;
    const abort = new AbortController();
    this.#aborts.set(key, abort);
    this.#change(key, { state: 'sending', fault: null });
    try {
      const data = await uploadFile(
        `/invoice/uploadInvoiceFile?applyId=${encodeURIComponent(this.#applyId)}`,
        file,
        { onProgress: (fraction) => this.#change(key, { fraction }), signal: abort.signal },
      );
      this.#settle(key, idOf(data));
    } catch (error) {
      const status = error instanceof HttpFault ? error.statusCode : 0;
      // What the server judged wrong stays wrong; what did not reach it may.
      const mayRetry = status === 0 || status === 429 || status >= 500;
      this.#change(key, { state: 'failed', fault: textOf(error), mayRetry });
    }
    this.#aborts.delete(key);
    this.#startNext();
  }

  /** The same picture twice is one file: the second entry says so and goes. */
  #settle(key: number, id: string | null): void {
    const isKnown = id !== null && this.#items.some((item) => item.key !== key && item.id === id);
    if (isKnown) this.#change(key, { state: 'failed', fault: '这张图片已上传过', mayRetry: false });
    else this.#change(key, { state: 'done', fraction: 1, id });
  }

  #change(key: number, change: Partial<ImageItem>): void {
    this.#items = this.#items.map((item) => (item.key === key ? { ...item, ...change } : item));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #nextKey(): number {
    this.#lastKey += 1;
    return this.#lastKey;
  }
}

function faultOf(given: File, file: File | null): string | null {
  if (given.size > MAX_BYTES) return TOO_LARGE;
  if (file === null)
    return given.type.startsWith('image/') || /\.hei[cf]$/i.test(given.name)
      ? '浏览器无法识别该图片，请换用 JPEG、PNG 或 WebP 格式'
      : '只能上传图片';
  return file.size > MAX_BYTES ? TOO_LARGE : null;
}

/** Pictures of other kinds (HEIC of phones) become JPEG where this browser can read them. */
async function asJpeg(file: File): Promise<File | null> {
  const isPicture = file.type.startsWith('image/hei') || /\.hei[cf]$/i.test(file.name);
  if (!isPicture || file.size > MAX_BYTES) return null;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  return blob === null
    ? null
    : new File([blob], file.name.replace(/\.[^.]*$/, '.jpg'), { type: 'image/jpeg' });
}

function idOf(data: unknown): string | null {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  return typeof first === 'object' && first !== null && 'id' in first && typeof first.id === 'string'
    ? first.id
    : null;
}

function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : '上传失败，请重试';
}
