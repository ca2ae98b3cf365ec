/** Who listens to lines: to a cell, to their order, to anything, and the grid that goes where it is asked to. */
export class LineListeners {
  readonly #cells = new Map<string, Set<() => void>>();
  readonly #order = new Set<() => void>();
  readonly #any = new Set<() => void>();
  readonly #focus = new Set<(key: string, column: string) => void>();

  onCell(id: string, listener: () => void): () => void {
    const listeners = this.#cells.get(id) ?? new Set();
    listeners.add(listener);
    this.#cells.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#cells.delete(id);
    };
  }

  onOrder(listener: () => void): () => void {
    return added(this.#order, listener);
  }

  onAny(listener: () => void): () => void {
    return added(this.#any, listener);
  }

  onFocus(listener: (key: string, column: string) => void): () => void {
    return added(this.#focus, listener);
  }

  tellCell(id: string): void {
    for (const listener of this.#cells.get(id) ?? []) listener();
  }

  tellAllCells(): void {
    for (const listeners of this.#cells.values()) for (const listener of listeners) listener();
  }

  tellOrder(): void {
    for (const listener of this.#order) listener();
  }

  tellAny(): void {
    for (const listener of this.#any) listener();
  }

  tellFocus(key: string, column: string): void {
    for (const listener of this.#focus) listener(key, column);
  }
}

function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
