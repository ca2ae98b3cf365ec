import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Upload } from './media-types.ts';

/** One file of a dialog on its way to the server. */
export interface UploadItem {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly fraction: number;
  readonly fault: string | null;
  /** False for a file that is not taken at all. */
  readonly mayRetry: boolean;
  /** Where the product has it, once it is there. */
  readonly address: string | null;
  /** The name that the server gave it. */
  readonly name: string;
}

const AT_ONCE = 2;

/** The files of a dialog in the author's order. Two are sent at a time; what fails stays and may be sent again. */
export class UploadQueue {
  #items: readonly UploadItem[] = [];
  #lastKey = 0;
  readonly #upload: Upload;
  readonly #faultOf: (file: File) => string | null;
  readonly #listeners = new Set<() => void>();
  readonly #aborts = new Map<number, AbortController>();

  /** @param faultOf what is wrong with a file that is not even sent; null for a good one */
  constructor(upload: Upload, faultOf: (file: File) => string | null) {
    this.#upload = upload;
    this.#faultOf = faultOf;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly items = (): readonly UploadItem[] => this.#items;

  add(files: readonly File[]): void {
    const added = files.map((file): UploadItem => {
      const fault = this.#faultOf(file);
      this.#lastKey += 1;
      const state = fault === null ? 'waiting' : 'failed';
      const { name } = file;
      return { key: this.#lastKey, file, state, fraction: 0, fault, mayRetry: false, address: null, name };
    });
    this.#items = [...this.#items, ...added];
    this.#tell();
    this.#startNext();
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', fault: null, fraction: 0 });
    this.#startNext();
  }

  remove(key: number): void {
    this.#aborts.get(key)?.abort();
    this.#items = this.#items.filter((item) => item.key !== key);
    this.#tell();
    this.#startNext();
  }

  /** One place forward (-1) or back (1). */
  move(key: number, by: -1 | 1): void {
    const items = [...this.#items];
    const at = items.findIndex((item) => item.key === key);
    const [moved] = at < 0 || at + by < 0 || at + by >= items.length ? [] : items.splice(at, 1);
    if (moved === undefined) return;
    items.splice(at + by, 0, moved);
    this.#items = items;
    this.#tell();
  }

  /** The dialog goes: nothing is sent any more. */
  stop(): void {
    for (const abort of this.#aborts.values()) abort.abort();
  }

  #startNext(): void {
    const running = this.#items.filter(({ state }) => state === 'sending').length;
    const waiting = this.#items.filter(({ state }) => state === 'waiting');
    for (const item of waiting.slice(0, Math.max(AT_ONCE - running, 0))) void this.#send(item);
  }

  async #send({ key, file }: UploadItem): Promise<void> {
    const abort = new AbortController();
    this.#aborts.set(key, abort);
    this.#change(key, { state: 'sending', fault: null });
    try {
      const progress = (fraction: number): void => this.#change(key, { fraction });
      const { address, name } = await this.#upload(file, progress, abort.signal);
      this.#change(key, { state: 'done', fraction: 1, address, name });
    } catch (error) {
      const fault = error instanceof Error && error.message !== '' ? error.message : '上传失败，请重试';
      this.#change(key, { state: 'failed', fault, mayRetry: true });
    }
    this.#aborts.delete(key);
    if (!abort.signal.aborted) this.#startNext();
  }

  #change(key: number, change: Partial<UploadItem>): void {
    this.#items = this.#items.map((item) => (item.key === key ? { ...item, ...change } : item));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A queue that lives as long as the dialog. */
export function useUploads(
  upload: Upload,
  faultOf: (file: File) => string | null,
): { readonly queue: UploadQueue; readonly items: readonly UploadItem[] } {
  const [queue] = useState(() => new UploadQueue(upload, faultOf));
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  useEffect(() => () => queue.stop(), [queue]);
  return { queue, items };
}

/** The files that are there, in order. */
export function doneItems(
  items: readonly UploadItem[],
): readonly (UploadItem & { readonly address: string })[] {
  return items.flatMap((item) => (item.address === null ? [] : [{ ...item, address: item.address }]));
}

/** What is under way and what failed, in a line; empty when all is there. */
export function uploadsText(items: readonly UploadItem[]): string {
  const running = items.filter(({ state }) => state === 'sending' || state === 'waiting').length;
  const failed = items.filter(({ state }) => state === 'failed').length;
  return [running > 0 ? `${running}个正在上传` : '', failed > 0 ? `${failed}个没有上传成功` : '']
    .filter((text) => text !== '')
    .join('，');
}
