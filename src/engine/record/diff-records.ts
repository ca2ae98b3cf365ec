import { isEmptyValue } from '../fields/field-behaviour.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import { linesOf } from './record-lines.ts';

/** One changed field. `field` is `sign_date`, `items.<line id>.quantity`, or `items.<line id>` for a line that came or went. */
export interface RecordChange {
  readonly field: string;
  readonly title: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** Fields that change with every write. */
const STAMPS: ReadonlySet<string> = new Set([
  'id',
  'version',
  'created_by',
  'created_at',
  'updated_by',
  'updated_at',
]);
const SECRET_TEXT = '******';

/** What changed from one state of a record to another, for the audit row and 'changes since the last submission'. Decimals compare by value, lines by id; secrets are never shown. */
export function diffRecords(
  resource: Resource,
  before: ErpRecord,
  after: ErpRecord,
): readonly RecordChange[] {
  const changes: RecordChange[] = [];
  for (const field of Object.values(resource.fields)) {
    if (STAMPS.has(field.name)) continue;
    if (field.type === 'lines') changes.push(...diffLines(field, before, after));
    else changes.push(...diffField(field, { path: field.name, title: field.title, before, after }));
  }
  return changes;
}

/** @example lineTitle(items, 0, quantity) // '商品明细第1行·数量' */
export function lineTitle(lines: Field, index: number, cell?: Field): string {
  const title = `${lines.title}第${index + 1}行`;
  return cell === undefined ? title : `${title}·${cell.title}`;
}

interface Diff {
  readonly path: string;
  readonly title: string;
  readonly before: ErpRecord;
  readonly after: ErpRecord;
}

function diffField(field: Field, { path, title, before, after }: Diff): readonly RecordChange[] {
  const old = before[field.name] ?? null;
  const now = after[field.name] ?? null;
  // What is not stored was not written.
  if (field.stored === false || isSame(field, old, now)) return [];
  if (field.type === 'secret')
    return [{ field: path, title, old: old === null ? null : SECRET_TEXT, new: SECRET_TEXT }];
  return [{ field: path, title, old, new: now }];
}

function diffLines(lines: Field, before: ErpRecord, after: ErpRecord): readonly RecordChange[] {
  const old = linesOf(before, lines.name);
  const now = linesOf(after, lines.name);
  const changes: RecordChange[] = [];
  const known = new Map(old.map((line) => [line['id'], line]));
  const kept = new Set(now.map((line) => line['id']));
  for (const [index, line] of now.entries()) {
    const was = line['id'] === undefined ? undefined : known.get(line['id']);
    if (was === line) continue;
    const path = `${lines.name}.${lineKey(line, index)}`;
    if (was === undefined)
      changes.push({ field: path, title: lineTitle(lines, index), old: null, new: visibleLine(lines, line) });
    else
      for (const cell of Object.values(lines.fields ?? {})) {
        if (was[cell.name] === line[cell.name]) continue;
        changes.push(
          ...diffField(cell, {
            path: `${path}.${cell.name}`,
            title: lineTitle(lines, index, cell),
            before: was,
            after: line,
          }),
        );
      }
  }
  for (const [index, line] of old.entries())
    if (!kept.has(line['id']))
      changes.push({
        field: `${lines.name}.${lineKey(line, index)}`,
        title: lineTitle(lines, index),
        old: visibleLine(lines, line),
        new: null,
      });
  return changes;
}

/** Lines that have no id yet go by their index. */
function lineKey(line: ErpRecord, index: number): string {
  const id = line['id'];
  return typeof id === 'string' ? id : String(index);
}

function visibleLine(lines: Field, line: ErpRecord): ErpRecord {
  const cells = Object.values(lines.fields ?? {}).filter(
    (cell) => cell.type !== 'secret' && cell.stored !== false && !isEmptyValue(line[cell.name]),
  );
  return Object.fromEntries(cells.map((cell) => [cell.name, line[cell.name]]));
}

function isSame(field: Field, a: unknown, b: unknown): boolean {
  if (isEmptyValue(a) && isEmptyValue(b)) return true;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a === b) return true;
    if (field.type === 'datetime') return Date.parse(a) === Date.parse(b);
    const isNumeric = field.type === 'decimal' || field.type === 'money' || field.type === 'percent';
    return isNumeric && isPlainDecimal(a) && isPlainDecimal(b) && compareDecimals(a, b) === 0;
  }
  if (!isComposed(a) || !isComposed(b)) return a === b;
  return canonical(a) === canonical(b);
}

function isComposed(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** JSON with sorted keys: jsonb gives them back in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a.localeCompare(b)))
      : inner,
  );
}
