import { Client } from 'pg';

/** The connection is cut before the n-th statement of every transaction from here on. Answers how to end that. */
export function cutBefore(statement: number): () => void {
  // It is given back as it was, and called with its own client.
  // oxlint-disable-next-line typescript/unbound-method
  const ask = Client.prototype.query;
  const counts = new WeakMap<Client, number>();
  const cut = function query(this: Client, ...given: unknown[]) {
    const [config] = given;
    const text = typeof config === 'string' ? config : String(Reflect.get(Object(config), 'text'));
    const count = text.startsWith('begin') ? 1 : (counts.get(this) ?? 0) + 1;
    counts.set(this, count);
    if (count === statement)
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    return Reflect.apply(ask, this, given) as unknown;
  };
  Object.assign(Client.prototype, { query: cut });
  return () => {
    Client.prototype.query = ask;
  };
}
