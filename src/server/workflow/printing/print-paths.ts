import type { Field, Resource } from '#engine/schema/resource.ts';
import type { PrintValue } from '#engine/print/write-value.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { type Reader, statementName } from '#server/records/call/statement.ts';
import { linesTableOf } from '#server/records/call/table-source.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { eyesOn } from '#server/records/read/reader-eyes.ts';
import { presentRecord } from '#server/records/read/present-record.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { englishWord } from './english-words.ts';

/** Where paths go on: a record or a line of one, as its reader sees it, with the fields that it has. */
export interface Holder {
  /** Whose fields they are: `shipment`, or `shipment.items` for its lines. */
  readonly of: string;
  readonly record: OpenRecord;
  readonly fields: Readonly<Record<string, Field>>;
  /** The head of a line. */
  readonly parent: OpenRecord | null;
}

/** Follows paths over references through the eyes of whoever prints; every record is read once. */
export class PathReader {
  private readonly known = new Map<string, Promise<Holder | null>>();

  /** `on`: a transaction behind the caller's wall, so that everything read is of one moment. */
  constructor(
    private readonly call: Call,
    readonly on: Reader | null = null,
  ) {}

  /** The value at the end of a path, of lines that of the first; null for what is not there or may not be seen. */
  async read(holder: Holder, path: string): Promise<PrintValue | null> {
    const [name = '', ...rest] = path.split('.');
    const field = holder.fields[name];
    if (field === undefined || !(name in holder.record)) return null;
    if (rest.length === 0) return this.valueOf(holder, field);
    if (field.type === 'lines') {
      const [first] = linesOf(holder, field);
      return first === undefined ? null : this.read(first, rest.join('.'));
    }
    const next = await this.follow(field, holder.record[name]);
    return next === null ? null : this.read(next, rest.join('.'));
  }

  /** The lines at a path: `items`, `shipment_id.items`; none where there are none to be seen. */
  async lines(holder: Holder, path: string): Promise<readonly Holder[]> {
    const [name = '', ...rest] = path.split('.');
    const field = holder.fields[name];
    if (field === undefined) return [];
    if (rest.length === 0) return linesOf(holder, field);
    const next = await this.follow(field, holder.record[name]);
    return next === null ? [] : this.lines(next, rest.join('.'));
  }

  /** The records at a path of references, each once: `lc_id`, `items.contract_id`. */
  async references(holder: Holder, path: string): Promise<readonly Holder[]> {
    const [name = '', ...rest] = path.split('.');
    const field = holder.fields[name];
    if (field === undefined) return [];
    const next =
      field.type === 'lines' ? linesOf(holder, field) : [await this.follow(field, holder.record[name])];
    const found = next.filter((one) => one !== null);
    if (rest.length === 0) return field.type === 'lines' ? [] : found;
    const all: Holder[] = [];
    for (const one of found) all.push(...(await this.references(one, rest.join('.'))));
    return [...new Set(all)];
  }

  /** A record by its id, as the reader sees it. */
  open(resource: string, id: string): Promise<Holder | null> {
    const key = `${resource} ${id}`;
    const found = this.known.get(key) ?? this.fetch(resource, id);
    this.known.set(key, found);
    return found;
  }

  private follow(field: Field, id: unknown): Promise<Holder | null> {
    if (field.type !== 'reference' || typeof field.to !== 'string') return Promise.resolve(null);
    if (typeof id !== 'string' || !isRecordId(id)) return Promise.resolve(null);
    return field.to.includes('.') ? this.openLine(field.to, id) : this.open(field.to, id);
  }

  /** A line of another record (`shipment.items`): through the record, so that who may not read that sees none of it. */
  private async openLine(to: string, id: string): Promise<Holder | null> {
    const [resource = '', lines = ''] = to.split('.');
    const { services, caller } = this.call;
    const other = openAnyCall(services, caller, resource);
    const text = `select parent_id::text as parent from ${linesTableOf(other.resource, lines)} where id = $1::uuid`;
    const [row] = await (this.on ?? callersReader(other)).query<{ parent: string }>(text, [id], statementName(text)); // prettier-ignore
    const head = row === undefined ? null : await this.open(resource, row.parent);
    const field = head?.fields[lines];
    if (head === null || field === undefined) return null;
    return linesOf(head, field).find(({ record }) => record['id'] === id) ?? null;
  }

  private async fetch(resource: string, id: string): Promise<Holder | null> {
    const { services, caller } = this.call;
    const other = openAnyCall(services, caller, resource);
    const { operations } = other.access;
    if (operations.has('read') || operations.has('list')) {
      const stored = await readStored(this.on ?? callersReader(other), other, id);
      return stored === null ? null : this.present(other, stored);
    }
    return operations.has('name') ? this.named(other, id) : null;
  }

  /** A record of which the reader may know the name alone: what it is called, and by what it is told from others. */
  private async named(call: Call, id: string): Promise<Holder | null> {
    const stored = await readStored(this.on ?? callersReader(call), call, id, { operation: 'name' });
    if (stored === null || !eyesOn(call, call.resource.resource).seesLabel) return null;
    const names = [
      call.resource.label,
      ...call.resource.caption.filter((name) => isOwnText(call.resource, name)),
    ];
    const record: OpenRecord = Object.fromEntries(names.map((name) => [name, stored[name]]));
    const fields = Object.fromEntries(
      names.flatMap((name) => {
        const field = call.resource.fields[name];
        return field === undefined ? [] : [[name, field] as const];
      }),
    );
    return { of: call.resource.resource, record, fields, parent: null };
  }

  /** A stored record as its reader sees it. */
  async present(call: Call, stored: OpenRecord): Promise<Holder> {
    const { db } = call.services;
    await attachFor(this.on ?? db, call, stored);
    const record = await presentRecord(this.on ?? db, call, stored);
    return holderOf(call.resource, record);
  }

  private valueOf({ of, record, parent }: Holder, field: Field): PrintValue {
    const value = record[field.name];
    return {
      value,
      label: labelOf(record, field),
      english: englishWord(this.call.services, { resource: of, field, value }),
      field,
      currency: currencyOf(field, record, parent),
    };
  }
}

/** A record as somebody sees it, to begin paths at. */
export function holderOf(resource: Resource, record: OpenRecord): Holder {
  return { of: resource.resource, record, fields: resource.fields, parent: null };
}

/** The lines of a record as its reader sees them. */
function linesOf({ of, record }: Holder, { name, fields = {} }: Field): readonly Holder[] {
  const list: unknown = record[name];
  if (!Array.isArray(list)) return [];
  return (list as readonly OpenRecord[]).map((line) => ({
    of: `${of}.${name}`,
    record: line,
    fields,
    parent: record,
  }));
}

/** Text of the record itself, which hides nothing. */
function isOwnText(resource: Resource, name: string): boolean {
  const field = resource.fields[name];
  return field?.type === 'text' && field.mask === undefined;
}

function labelOf(record: OpenRecord, { name }: Field): string | null {
  const labels = record['_labels'];
  const label: unknown = typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : null;
  if (Array.isArray(label)) return label.join('、');
  return typeof label === 'string' ? label : null;
}

function currencyOf(field: Field, record: OpenRecord, parent: OpenRecord | null): string | null {
  const { currency } = field;
  if (currency === undefined) return typeof record['currency'] === 'string' ? record['currency'] : null;
  if (/^[A-Z]{3}$/.test(currency)) return currency;
  const [source, name] = currency.startsWith('parent.')
    ? [parent, currency.slice('parent.'.length)]
    : [record, currency];
  const code = source?.[name];
  return typeof code === 'string' && code !== '' ? code : null;
}
