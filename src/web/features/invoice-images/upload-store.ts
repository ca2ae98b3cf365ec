import type { UploadPlace } from '#contract/upload-links.ts';
import { callApi, HttpFault } from '#web/data/http.ts';
import { randomKey } from '#web/data/random-key.ts';
import { uploadFile } from '#web/data/upload.ts';
import { asUploadable, faultOf } from './uploadable-image.ts';

/** One image on the page. */
export interface ImageItem {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Null for what was uploaded before: it is shown by its name. */
  readonly file: File | null;
  readonly preview: string | null;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'leaving';
  /** From 0 to 1. */
  readonly fraction: number;
  readonly fault: string | null;
  /** A second try makes sense. */
  readonly mayRetry: boolean;
  /** By it the server knows the upload again: for another try, and for a cancellation that crosses it. */
  readonly upload: string;
  /** It was sent and not refused: the server may have it, whether it said so or not. */
  readonly mayBeThere: boolean;
  /** The server's file, once it is there. */
  readonly id: string | null;
}

const AT_ONCE = 2;
/** A cancellation came through whose answer was lost: another try is another upload. */
const CANCELLED = 409;

/** Loads what the link is for. @throws HttpFault for a link that is no good */
export function loadPlace(applyId: string): Promise<UploadPlace> {
  return callApi('GET /invoice/uploadLink', { query: { applyId } });
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
      upload: '',
      mayBeThere: true,
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

  /** Off the page, once the server has let go of what it has or may still get. */
  async remove(key: number): Promise<void> {
    const item = this.#items.find((one) => one.key === key);
    if (item === undefined || item.state === 'leaving') return;
    this.#change(key, { state: 'leaving', fault: null });
    this.#aborts.get(key)?.abort();
    try {
      if (item.mayBeThere)
        await callApi('POST /invoice/removeInvoiceFile', {
          query: { applyId: this.#applyId },
          body: item.id === null ? { upload: item.upload } : { id: item.id },
        });
    } catch (error) {
      if (!(error instanceof HttpFault) || error.statusCode !== 404) {
        this.#stay(item, error);
        return;
      }
    }
    if (item.preview !== null) URL.revokeObjectURL(item.preview);
    this.#items = this.#items.filter((one) => one.key !== key);
    this.#tell();
    this.#startNext();
  }

  /** A removal that failed may be asked for again; an upload that was cut off stays so. */
  #stay({ key, state }: ImageItem, error: unknown): void {
    const isDone = state === 'done';
    this.#change(key, { state: isDone ? 'done' : 'failed', fault: textOf(error), mayRetry: !isDone });
  }

  async #take(given: File): Promise<void> {
    const file = await asUploadable(given);
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
        upload: randomKey(),
        mayBeThere: false,
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

  async #send({ key, file, upload }: ImageItem): Promise<void> {
    if (file === null) return;
    const abort = new AbortController();
    this.#aborts.set(key, abort);
    this.#change(key, { state: 'sending', fault: null, mayBeThere: true });
    try {
      const data = await uploadFile(
        `/invoice/uploadInvoiceFile?applyId=${encodeURIComponent(this.#applyId)}&upload=${upload}`,
        file,
        { onProgress: (fraction) => this.#change(key, { fraction }), signal: abort.signal },
      );
      if (!abort.signal.aborted) this.#settle(key, idOf(data));
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(key, error);
    }
    if (this.#aborts.get(key) === abort) this.#aborts.delete(key);
    this.#startNext();
  }

  /** What the server judged wrong stays wrong and is not there; what got no answer may be, and may be tried again. */
  #fail(key: number, error: unknown): void {
    const status = error instanceof HttpFault ? error.statusCode : 0;
    const mayRetry = status === 0 || status === CANCELLED || status === 429 || status >= 500;
    this.#change(key, {
      state: 'failed',
      fault: textOf(error),
      mayRetry,
      mayBeThere: mayRetry,
      ...(status === CANCELLED ? { upload: randomKey() } : {}),
    });
  }

  /** The same picture twice is one file: the second entry says so and goes. */
  #settle(key: number, id: string | null): void {
    const isKnown = id !== null && this.#items.some((item) => item.key !== key && item.id === id);
    if (isKnown)
      this.#change(key, { state: 'failed', fault: '这张图片已上传过', mayRetry: false, mayBeThere: false });
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

function idOf(data: unknown): string | null {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  return typeof first === 'object' && first !== null && 'id' in first && typeof first.id === 'string'
    ? first.id
    : null;
}

function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : '上传失败，请重试';
}
