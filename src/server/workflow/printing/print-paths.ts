import type { Field, Resource } from '#engine/schema/resource.ts';
import type { PrintValue } from '#engine/print/write-value.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { presentRow } from '#server/records/read/present-record.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { visibleFields } from '#server/records/list/query-records.ts';

/** Where paths go on: a record or a line of one, as its reader sees it, with the fields that it has. */
export interface Holder {
  readonly record: OpenRecord;
  readonly fields: Readonly<Record<string, Field>>;
  /** The head of a line. */
  readonly parent: OpenRecord | null;
}

/** Follows paths over references through the eyes of whoever prints; every record is read once. */
export class PathReader {
  private readonly known = new Map<string, Promise<Holder | null>>();

  constructor(private readonly call: Call) {}

  /** The value at the end of a path; null for what is not there or may not be seen. */
  async read(holder: Holder, path: string): Promise<PrintValue | null> {
    const [name = '', ...rest] = path.split('.');
    const field = holder.fields[name];
    if (field === undefined || !(name in holder.record)) return null;
    if (rest.length === 0) return valueOf(holder, field);
    const next = await this.follow(field, holder.record[name]);
    return next === null ? null : this.read(next, rest.join('.'));
  }

  private follow(field: Field, id: unknown): Promise<Holder | null> {
    if (field.type !== 'reference' || typeof field.to !== 'string' || field.to.includes('.'))
      return Promise.resolve(null);
    if (typeof id !== 'string' || !isRecordId(id)) return Promise.resolve(null);
    const key = `${field.to} ${id}`;
    const found = this.known.get(key) ?? this.open(field.to, id);
    this.known.set(key, found);
    return found;
  }

  private async open(resource: string, id: string): Promise<Holder | null> {
    const { services, caller } = this.call;
    const other = openAnyCall(services, caller, resource);
    if (!other.access.operations.has('read') && !other.access.operations.has('list')) return null;
    const stored = await readStored(callersReader(other), other, id);
    if (stored === null) return null;
    await attachFor(services.db, other, stored);
    const record = presentRow(other, stored, { fields: visibleFields(other, null) });
    return { record, fields: other.resource.fields, parent: null };
  }
}

/** The lines of a record as its reader sees them. */
export function linesOf({ record }: Holder, resource: Resource, name: string): readonly Holder[] {
  const list: unknown = record[name];
  const fields = resource.fields[name]?.fields ?? {};
  if (!Array.isArray(list)) return [];
  return (list as readonly OpenRecord[]).map((line) => ({ record: line, fields, parent: record }));
}

function valueOf({ record, parent }: Holder, field: Field): PrintValue {
  return {
    value: record[field.name],
    label: labelOf(record, field),
    field,
    currency: currencyOf(field, record, parent),
  };
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
