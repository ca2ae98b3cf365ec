import { formatNumber, numberFields, numberScopeKey } from '#engine/numbering/number-pattern.ts';
import type { NumberDefinition } from '#engine/schema/definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { overridesOf } from '#server/records/call/overrides.ts';
import { isRehearsal, rehearsedNumber } from '#server/records/call/rehearsal.ts';
import { statementName, type Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * Draws the number of a record from its counter row, which stays locked until the transaction ends. Null when the
 * resource has no number, when it is drawn at another moment, or when the record has one already.
 */
export async function drawNumber(
  tx: Tx,
  call: Call,
  drawn: { readonly record: OpenRecord; readonly at: 'create' | 'post' },
): Promise<string | null> {
  const number = numberOf(call, drawn.record, drawn.at);
  if (number === null || typeof number === 'string') return number;
  if (isRehearsal(tx)) return rehearsedNumber();
  return number.format(await nextValue(tx, call, number, 1));
}

/** Puts a drawn number where it belongs, and into the empty fields that take it too. */
export function takeNumber({ resource }: Call, record: OpenRecord, drawn: string): void {
  const { number } = resource;
  if (number === undefined) return;
  for (const name of number.also ?? []) if (isEmpty(record[name])) record[name] = drawn;
  record[number.field] = drawn;
}

/** What a record's number will be: known, open, or none. */
function numberOf(call: Call, record: OpenRecord, at: 'create' | 'post'): string | OpenNumber | null {
  const { resource, caller } = call;
  const { number } = resource;
  if (number === undefined || (number.at ?? 'create') !== at || !isEmpty(record[number.field])) return null;
  const company = resource.scope === 'company' ? String(record['co_code']) : '';
  const pattern = patternOf(call, record, company);
  if (pattern.kind === 'same') return pattern.number;
  const fields = Object.fromEntries(
    numberFields(pattern.text).map((name): [string, string] => [name, textOf(record[name])]),
  );
  const parts = {
    co: company === '' ? caller.subject.co_code : company,
    date: dateOf(number, record) ?? caller.context.today,
    fields,
  };
  return {
    company,
    scope: numberScopeKey(pattern.text, parts),
    format: (sequence) => formatNumber(pattern.text, { ...parts, sequence }),
  };
}

/** The month, week or year that a record belongs to, where it is not the one of its making. */
function dateOf({ on }: NumberDefinition, record: OpenRecord): string | null {
  const date = on === undefined ? null : record[on];
  return typeof date === 'string' && date !== '' ? date : null;
}

/**
 * Draws the numbers of many new records, in their order: one statement for each counter that they need.
 */
export async function drawNumbers(
  tx: Tx,
  call: Call,
  records: readonly OpenRecord[],
  at: 'create' | 'post' = 'create',
): Promise<readonly (string | null)[]> {
  const drawn = records.map((record) => numberOf(call, record, at));
  if (isRehearsal(tx))
    return drawn.map((number) =>
      number === null || typeof number === 'string' ? number : rehearsedNumber(),
    );
  const waiting = new Map<string, { readonly number: OpenNumber; readonly at: number[] }>();
  for (const [index, number] of drawn.entries()) {
    if (number === null || typeof number === 'string') continue;
    const key = JSON.stringify([number.company, number.scope]);
    const entry = waiting.get(key) ?? { number, at: [] };
    entry.at.push(index);
    waiting.set(key, entry);
  }
  const numbers = drawn.map((number) => (typeof number === 'string' ? number : null));
  for (const [, { number, at }] of [...waiting].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const last = await nextValue(tx, call, number, at.length);
    for (const [place, index] of at.entries()) {
      const own = drawn[index];
      if (own === null || own === undefined || typeof own === 'string') continue;
      numbers[index] = own.format(last - at.length + 1 + place);
    }
  }
  return numbers;
}

/** A number that lacks only its place in the series. */
interface OpenNumber {
  readonly company: string;
  readonly scope: string;
  readonly format: (sequence: number) => string;
}

async function nextValue(tx: Tx, call: Call, number: OpenNumber, count: number): Promise<number> {
  const series = seriesOf(call.resource);
  const values = [number.company, series, number.scope, count];
  const [row] = await tx.query(NEXT, values, statementName(NEXT));
  const last = Number(row?.['value'] ?? count);
  // A company's own rule shows how far it has come; the counter's row keeps others out meanwhile.
  const isOwn = overridesOf(call.services).numbers.has(`${number.company}|${series}`);
  if (isOwn && call.catalog.resources['number_rule']?.fields['current'] !== undefined)
    await tx.query(TELL, [number.company, series, last], statementName(TELL));
  return last;
}

const NEXT = `insert into sys_counter as c (co_code, series, scope, value) values ($1, $2, $3, $4)
 on conflict (co_code, series, scope) do update set value = c.value + excluded.value returning value`;

const TELL = `update number_rule set current = $3 where co_code = $1 and resource = $2 and not is_deleted`;

function seriesOf(resource: Resource): string {
  return resource.resource;
}

type Pattern =
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'same'; readonly number: string | null };

function patternOf(call: Call, record: OpenRecord, company: string): Pattern {
  const { resource } = call;
  const override = overridesOf(call.services).numbers.get(`${company}|${resource.resource}`);
  if (override !== undefined) return { kind: 'pattern', text: override };
  const pattern = resource.number?.pattern ?? '';
  if (typeof pattern === 'string') return { kind: 'pattern', text: pattern };
  if ('same' in pattern && pattern.same !== undefined) {
    const paths = record['_paths'];
    const known: unknown =
      typeof paths === 'object' && paths !== null ? Reflect.get(paths, pattern.same) : null;
    return { kind: 'same', number: typeof known === 'string' ? known : null };
  }
  const chosen = 'by' in pattern ? pattern[textOf(record[pattern.by])] : undefined;
  if (typeof chosen !== 'string')
    throw new AppError('VALIDATION', {
      message: `没有适用的编号规则，请先填写${titleOf(resource, pattern)}`,
    });
  return { kind: 'pattern', text: chosen };
}

function titleOf(resource: Resource, pattern: object): string {
  const by: unknown = Reflect.get(pattern, 'by');
  return typeof by === 'string' ? (resource.fields[by]?.title ?? by) : '编号依据';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
