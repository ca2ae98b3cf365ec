import type { Scope } from '../filter/scope.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { applyLineDefaults } from './apply-defaults.ts';
import { givenValues, rowsOf } from './apply-own.ts';
import { linesOf, withRecord } from './record-lines.ts';

/** The line lists of a resource whose lines follow columns of values (`follows`). */
export function followingLists(resource: Resource): readonly Field[] {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const lists = Object.values(resource.fields).filter(({ follows }) => follows !== undefined);
  known.set(resource, lists);
  return lists;
}

const known = new WeakMap<Resource, readonly Field[]>();

/** What the columns of a following list read of its head: `['hs_code_id.elements']`. */
export function followedPaths({ follows = {} }: Field): readonly string[] {
  return [...new Set(Object.values(follows).flatMap(formulaReads))];
}

/** The head's fields whose change gives a following list other lines: `['hs_code_id']`. */
export function followedFields(lines: Field): readonly string[] {
  return [...new Set(followedPaths(lines).map((path) => path.split('.')[0] ?? ''))];
}

/** The column by whose values the lines of a following list are told apart; null for other lists. */
export function followedColumn({ follows = {} }: Field): string | null {
  return Object.keys(follows)[0] ?? null;
}

/** Whether the list has something to follow now; without it people add and take away its lines. */
export function isFollowing(lines: Field, scope: Scope): boolean {
  return followedRows(lines, scope).length > 0;
}

/**
 * The lines that a following list must have, `scope` being the head's: one for each value of its first column, with what
 * the line of that value had beside it. Null when there is nothing to follow, or the lines are so already.
 *
 * @example followedLines(elements, scope) // [{ seq: 1, element: '品名', value: '铜阀门' }, { seq: 2, element: '材质' }]
 */
export function followedLines(lines: Field, scope: Scope, isByPlace = false): readonly ErpRecord[] | null {
  const rows = followedRows(lines, scope);
  if (rows.length === 0) return null;
  const key = followedColumn(lines) ?? '';
  const before = linesOf(scope.record, lines.name);
  const kept = new Map<unknown, ErpRecord>();
  for (const [place, line] of before.entries()) {
    const value = isByPlace && isEmpty(line[key]) ? rows[place]?.[key] : line[key];
    if (!kept.has(value)) kept.set(value, line);
  }
  const next = rows.map((row) => {
    const line = kept.get(row[key]);
    if (line === undefined) return applyLineDefaults(lines, row, scope);
    return Object.entries(row).every(([name, value]) => line[name] === value) ? line : { ...line, ...row };
  });
  const isSame = next.length === before.length && next.every((line, place) => line === before[place]);
  return isSame ? null : next;
}

/**
 * The record with its following lists as they must be, those that are `isWanted`; the same one where none differs.
 * `isByPlace`: lines without a value of their own take the one of their place, as parts of a former text do.
 */
export function withFollowedLines(
  resource: Resource,
  record: ErpRecord,
  scope: Scope,
  wanted: { readonly isWanted: (lines: Field) => boolean; readonly isByPlace?: boolean },
): ErpRecord {
  let current = record;
  for (const lines of followingLists(resource)) {
    if (!wanted.isWanted(lines)) continue;
    const next = followedLines(lines, withRecord(scope, current), wanted.isByPlace);
    if (next !== null) current = { ...current, [lines.name]: next };
  }
  return current;
}

/** The followed columns row by row; a value that is empty or comes again has no row. */
function followedRows(lines: Field, scope: Scope): readonly ErpRecord[] {
  const cells = lines.fields ?? {};
  const key = followedColumn(lines) ?? '';
  const seen = new Set<unknown>();
  return rowsOf(cells, givenValues(cells, lines.follows ?? {}, scope)).filter((row) => {
    const value = row[key];
    if (isEmpty(value) || Array.isArray(value) || seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
