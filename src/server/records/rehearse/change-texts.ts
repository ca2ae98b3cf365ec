import type { Change } from '#contract/records.ts';
import type { Field } from '#engine/schema/resource.ts';
import { companyTime } from '#engine/values/dates.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { withoutRehearsed } from '#server/records/call/rehearsal.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';

/** One side of a change, in a record or line that holds only it. */
interface Side {
  readonly holder: OpenRecord;
  readonly name: string;
  readonly field: Field | undefined;
}

/** Changes with references, dictionaries and numbers as people read them, as far as the caller may. */
export async function changesAsTexts(
  db: Reader,
  call: Call,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const records: OpenRecord[] = [];
  const sides = changes.map((change) => ({
    old: sideOf(call, change, 'old', records),
    new: sideOf(call, change, 'new', records),
  }));
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
    old: textIn(sides[index]?.old, change['old']),
    new: textIn(sides[index]?.new, change['new']),
  }));
}

function sideOf(call: Call, change: Change, side: 'old' | 'new', records: OpenRecord[]): Side {
  const [head = '', , column] = change.field.split('.');
  const top = call.resource.fields[head];
  const holder: OpenRecord = { [column ?? head]: change[side] ?? null };
  if (top?.type !== 'lines') records.push(holder);
  else if (column !== undefined) records.push({ [head]: [holder] });
  const field = column === undefined ? top : top?.fields?.[column];
  return { holder, name: column ?? head, field };
}

function textIn(side: Side | undefined, value: unknown): unknown {
  const labels = side?.holder['_labels'];
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, side?.name ?? '') : undefined;
  if (typeof label === 'string') return label;
  if (side?.field?.type === 'reference') return value === null ? null : '…';
  if (side?.field !== undefined && NUMBERS.has(side.field.type)) return numberText(side.field, value);
  if (side?.field?.type === 'datetime' && typeof value === 'string') return companyTime(value);
  return typeof value === 'string' ? withoutRehearsed(value) : value;
}

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
