import type { FormStore } from './form-store.ts';

/** A value that follows a form after a pause in typing, for `useSyncExternalStore`. */
export interface Watched<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

const DIRTY_PAUSE_MS = 150;

/**
 * Whether a form differs from what is saved, looked at after a pause. It stands outside of the tree of fields: a key wakes
 * nothing but the field it is typed in, and whoever shows the mark only when it comes or goes.
 */
export class DirtyWatch implements Watched<boolean> {
  readonly #store: FormStore;
  readonly #listeners = new Set<() => void>();
  #isDirty: boolean;

  readonly #look: () => boolean;

  constructor(store: FormStore, look = () => store.isDirty()) {
    this.#store = store;
    this.#look = look;
    this.#isDirty = look();
  }

  readonly get = (): boolean => this.#isDirty;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Looks at once. */
  readonly look = (): void => {
    const isDirty = this.#look();
    if (isDirty === this.#isDirty) return;
    this.#isDirty = isDirty;
    for (const listener of this.#listeners) listener();
  };

  /** Follows the form until stopped; looks a last time then. */
  readonly start = (): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = this.#store.subscribeAny(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        this.look();
      }, DIRTY_PAUSE_MS);
    });
    this.look();
    return () => {
      stop();
      clearTimeout(timer);
      this.look();
    };
  };
}
