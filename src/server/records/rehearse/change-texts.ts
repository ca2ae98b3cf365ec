import type { Change } from '#contract/records.ts';
import type { Field } from '#engine/schema/resource.ts';
import { companyTime } from '#engine/values/dates.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { withoutRehearsed } from '#server/records/call/rehearsal.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';

/** One side of a change, in a record or line that holds only it; of a line that comes or goes the whole line. */
interface Side {
  readonly holder: OpenRecord;
  readonly name: string;
  readonly field: Field | undefined;
  /** The cells of a whole line. */
  readonly cells?: readonly Field[];
}

/**
 * Changes with references, dictionaries and numbers as people read them, as far as the caller may; of whole lines every
 * cell. `record` is what they are of: names of fields and actions speak of the resource that it names.
 */
export async function changesAsTexts(
  db: Reader,
  call: Call,
  changes: readonly Change[],
  record: OpenRecord = {},
): Promise<readonly Change[]> {
  const records: OpenRecord[] = [];
  const sidesOf = (side: 'old' | 'new') => {
    const naming = namingOf(call, { record, changes, side });
    return changes.map((change) => sideOf(call, { change, side, naming }, records));
  };
  const [old, now] = [sidesOf('old'), sidesOf('new')];
  await attachReferences(db, {
    catalog: call.catalog,
    resource: call.resource,
    records,
    access: call.access,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: call,
  });
  return changes.map((change, index) => ({
    ...change,
    old: textIn(old[index], change['old']),
    new: textIn(now[index], change['new']),
  }));
}

/** What a record names of the definitions, on one side of its changes. */
function namingOf(
  { resource }: Call,
  { record, changes, side }: { record: OpenRecord; changes: readonly Change[]; side: 'old' | 'new' },
): OpenRecord {
  const changed = new Map(changes.map((change) => [change.field, change[side]]));
  const names = Object.values(resource.fields).filter(
    ({ names: kind, multiple }) => kind !== undefined && multiple !== true,
  );
  return Object.fromEntries(
    names.map(({ name }) => [name, (changed.has(name) ? changed.get(name) : record[name]) ?? null]),
  );
}

function sideOf(
  { resource }: Call,
  { change, side, naming }: { change: Change; side: 'old' | 'new'; naming: OpenRecord },
  records: OpenRecord[],
): Side {
  const [head = '', , column] = change.field.split('.');
  const top = resource.fields[head];
  const value = change[side] ?? null;
  if (top?.type !== 'lines') {
    const holder: OpenRecord = { ...naming, [head]: value };
    records.push(holder);
    return { holder, name: head, field: top };
  }
  const holder: OpenRecord = column === undefined ? { ...asObject(value) } : { [column]: value };
  records.push({ ...naming, [head]: [holder] });
  const cells = Object.values(top.fields ?? {});
  if (column === undefined) return { holder, name: head, field: top, cells };
  return { holder, name: column, field: top.fields?.[column] };
}

function asObject(value: unknown): object | null {
  return typeof value === 'object' ? value : null;
}

function textIn(side: Side | undefined, value: unknown): unknown {
  if (side?.cells === undefined || asObject(value) === null) return cellText(side, value);
  const { holder, cells } = side;
  const known = cells.filter(({ name }) => Object.hasOwn(holder, name));
  return Object.fromEntries(
    known.map((field) => [field.name, cellText({ holder, name: field.name, field }, holder[field.name])]),
  );
}

function cellText(side: Side | undefined, value: unknown): unknown {
  const labels = side?.holder['_labels'];
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, side?.name ?? '') : undefined;
  const isReference = side?.field?.type === 'reference';
  if (typeof label === 'string') return isReference ? label || UNSEEN : label;
  if (Array.isArray(label) && Array.isArray(value)) {
    const texts = value.map((each: unknown, at): unknown => label[at] ?? each);
    return texts.map((text) => (isReference && text === '' ? UNSEEN : String(text))).join('、');
  }
  if (isReference) return value === null ? null : UNSEEN;
  if (side?.field !== undefined && NUMBERS.has(side.field.type)) return numberText(side.field, value);
  if (side?.field?.type === 'datetime' && typeof value === 'string') return companyTime(value);
  return typeof value === 'string' ? withoutRehearsed(value) : value;
}

/** What the reader may not see. */
const UNSEEN = '…';

const NUMBERS: ReadonlySet<string> = new Set(['decimal', 'money', 'percent']);

function numberText(field: Field, value: unknown): string | null {
  const currency = fixedCurrency(field);
  const text = shownNumber(value, field, currency);
  if (text === '') return null;
  return field.type === 'percent' ? `${text}%` : [text, currency].filter(Boolean).join(' ');
}

/** Of an amount whose currency the definition names itself. */
function fixedCurrency({ currency = '' }: Field): string | undefined {
  return /^[A-Z]{3}$/.test(currency) ? currency : undefined;
}
