import { diffRecords, type RecordChange } from '#engine/record/diff-records.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { maskText } from '#engine/fields/text-value.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { changesAsTexts } from '#server/records/rehearse/change-texts.ts';

/** So much of a value, and so many changes, a document of a waiting change shows. */
const LONGEST = 4000;
const MOST = 200;

/**
 * A waiting change as whoever agrees reads it, in words and as far as the one who asks may see it. What is masked is so
 * for every reader: a copy does not know who may see it whole. What does not fit is said to be more.
 */
export async function toldChanges(
  db: Reader,
  call: Call,
  { record, changes }: { readonly record: OpenRecord; readonly changes: readonly RecordChange[] },
): Promise<readonly OpenRecord[]> {
  const fitting = changes.length > MOST ? changes.slice(0, MOST - 1) : changes;
  const texts = await changesAsTexts(
    db,
    call,
    fitting.map((change) => ({ ...change })),
    record,
  );
  const told = texts.map(({ field, title, old, new: now }) => ({
    title: title.slice(0, 60),
    old_value: readable(call.resource, field, old),
    new_value: readable(call.resource, field, now),
  }));
  const left = changes.length - told.length;
  return left === 0
    ? told
    : [...told, { title: '其余', old_value: null, new_value: `另有${left}项变更未列出` }];
}

/** What a record would bring into force, or take away: all that needs two persons, and what it is known by. */
export function valuesInForce(
  resource: Resource,
  record: OpenRecord,
  side: 'old' | 'new' = 'new',
): readonly RecordChange[] {
  const { fields = [], until = [] } = resource.secondPerson ?? {};
  const names = [resource.label, ...(resource.caption ?? []), ...fields, ...until];
  const known = Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
  return side === 'new' ? diffRecords(resource, {}, known) : diffRecords(resource, known, {});
}

function readable(resource: Resource, path: string, value: unknown): string | null {
  const [head = '', , column] = path.split('.');
  const top = resource.fields[head];
  const shown = column === undefined ? top : top?.fields?.[column];
  const isLine = typeof value === 'object' && value !== null && top?.type === 'lines';
  const text = isLine ? lineText(top, value) : plainText(shown, value);
  if (text === '') return null;
  const letters = [...text];
  if (letters.length <= LONGEST) return text;
  const end = `……（共${letters.length}字，以下略）`;
  return letters.slice(0, LONGEST - end.length).join('') + end;
}

/** A line that comes or goes, told by its cells. */
function lineText(lines: Field, line: object): string {
  return Object.values(lines.fields ?? {})
    .map((cell): readonly [string, string] => [cell.title, plainText(cell, Reflect.get(line, cell.name))])
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}：${text}`)
    .join('，');
}

function plainText(field: Field | undefined, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.map((each) => plainText(field, each)).join('、');
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (field?.mask !== undefined) return maskText(text, field.mask);
  return field?.options?.[text] ?? text;
}
