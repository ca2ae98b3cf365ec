/** Who listens to a form: to one field, or to anything of it. */
export class FormListeners {
  readonly #fields = new Map<string, Set<() => void>>();
  readonly #any = new Set<() => void>();
  #revision = 0;

  /** Counts up with every change. */
  get revision(): number {
    return this.#revision;
  }

  onField(name: string, listener: () => void): () => void {
    const listeners = this.#fields.get(name) ?? new Set();
    listeners.add(listener);
    this.#fields.set(name, listeners);
    return () => listeners.delete(listener);
  }

  onAny(listener: () => void): () => void {
    this.#any.add(listener);
    return () => this.#any.delete(listener);
  }

  tellField(name: string): void {
    for (const listener of this.#fields.get(name) ?? []) listener();
  }

  tellAllFields(): void {
    for (const listeners of this.#fields.values()) for (const listener of listeners) listener();
  }

  tellAny(): void {
    this.#revision += 1;
    for (const listener of this.#any) listener();
  }
}
