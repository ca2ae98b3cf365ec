import type { Resource } from '#engine/schema/resource.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';

interface FormerName {
  readonly kind: string;
  readonly lines: string | null;
  readonly was: string;
  readonly name: string;
  readonly at: string;
}

/** What fields and states were called, for the audit trail, which keeps the names that it was written with. */
export class FormerNames {
  constructor(
    private readonly resource: Resource,
    private readonly renames: readonly FormerName[],
  ) {}

  static async read(db: Reader, resource: Resource): Promise<FormerNames> {
    const rows = await db.query(
      `select kind, lines, was, name, at from sys_rename where resource = $1 and kind <> 'resource' order by at`,
      [resource.resource],
      'former_names',
    );
    const renames = rows.map((row) => ({
      kind: String(row['kind']),
      lines: typeof row['lines'] === 'string' ? row['lines'] : null,
      was: String(row['was']),
      name: String(row['name']),
      at: String(row['at']),
    }));
    return new FormerNames(resource, renames);
  }

  /** An audit row with the present names of its states and fields. */
  present(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (this.renames.length === 0) return row;
    const at = textOf(row['at'] ?? '');
    const changes = row['changes'];
    return {
      ...row,
      from_status: this.#state(row['from_status'], at),
      to_status: this.#state(row['to_status'], at),
      changes: Array.isArray(changes) ? changes.map((change: unknown) => this.#change(change, at)) : changes,
    };
  }

  #state(state: unknown, at: string): unknown {
    if (typeof state !== 'string') return state;
    const isKnown = this.resource.lifecycle?.states[state] !== undefined;
    return this.#name({ kind: 'state', lines: null, was: state, at, isKnown });
  }

  #change(change: unknown, at: string): unknown {
    if (typeof change !== 'object' || change === null || !('field' in change)) return change;
    const [head = '', id, column] = textOf(change.field ?? '').split('.');
    const name = this.#field(head, null, at);
    const isLines = this.resource.fields[name]?.type === 'lines';
    const rest = column === undefined ? [id] : [id, isLines ? this.#field(column, name, at) : column];
    const field = [name, ...rest].filter((part) => part !== undefined).join('.');
    if (name === 'status')
      return { ...change, field, ...this.#values(change, (value) => this.#state(value, at)) };
    if (!isLines || column !== undefined) return { ...change, field };
    return { ...change, field, ...this.#values(change, (value) => this.#line(value, name, at)) };
  }

  #values(change: object, present: (value: unknown) => unknown): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(change)
        .filter(([key]) => key === 'old' || key === 'new')
        .map(([key, value]) => [key, present(value)]),
    );
  }

  #line(line: unknown, lines: string, at: string): unknown {
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return line;
    return Object.fromEntries(
      Object.entries(line).map(([column, value]) => [this.#field(column, lines, at), value]),
    );
  }

  #field(was: string, lines: string | null, at: string): string {
    const { fields } = this.resource;
    const known = lines === null ? fields : (fields[lines]?.fields ?? {});
    return this.#name({ kind: 'field', lines, was, at, isKnown: Object.hasOwn(known, was) });
  }

  /** A name that is given to something else today was renamed after the row, or never. */
  #name(asked: Omit<FormerName, 'name'> & { readonly isKnown: boolean }): string {
    const own = this.renames.filter(
      ({ kind, lines, was }) => kind === asked.kind && lines === asked.lines && was === asked.was,
    );
    const found =
      own.find(({ at }) => Date.parse(asked.at) <= Date.parse(at)) ??
      (asked.isKnown ? undefined : own.at(-1));
    return found?.name ?? asked.was;
  }
}
