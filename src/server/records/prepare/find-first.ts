import { callsLinesFunction } from '#engine/expression/parse-expression.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { FilterSqlFault, pathSql, type SqlPlace } from '#engine/filter/path-sql.ts';
import { readPath, type Scope } from '#engine/filter/scope.ts';
import { type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { FindDefinition } from '#engine/schema/effects-definition.ts';
import { filterFormulas, filterReads } from '#engine/schema/filter-reads.ts';
import { parsedFormula } from '#engine/schema/formula-reads.ts';
import type { Field } from '#engine/schema/resource.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { bind, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/** A find of one record or line. */
export interface AskedFind {
  readonly field: Field;
  /** The record or line, with `source` to be itself. */
  readonly scope: Scope;
  readonly company: unknown;
}

/**
 * The id of the first match of each find, null where there is none: one statement for all of them. Finds that ask alike
 * share a part of it, and their values come as rows.
 */
export async function findFirst(
  db: Reader,
  call: Call,
  asked: readonly AskedFind[],
): Promise<readonly (string | null)[]> {
  const shapes = new Map<string, Shape>();
  const questions: Questions = new Map();
  for (const [index, find] of asked.entries()) {
    const question = questionOf(call, find, questions);
    if (question === null) continue;
    const shape = shapes.get(question.sql) ?? { sql: question.sql, rows: new Map<string, AskedRow>() };
    const key = JSON.stringify(question.values);
    const row = shape.rows.get(key) ?? { values: question.values, places: [] };
    row.places.push(index);
    shape.rows.set(key, row);
    shapes.set(question.sql, shape);
  }
  const found = asked.map((): string | null => null);
  if (shapes.size === 0) return found;
  const all = [...shapes.values()].map(({ sql, rows }) => ({ sql, rows: [...rows.values()] }));
  const values: unknown[] = [];
  const parts = all.map(({ sql, rows }, place) => partSql(sql, rows, { place, values }));
  const text = parts.join(' union all ');
  for (const row of await db.query(text, values, statementName(text))) {
    const places = all[Number(row['shape'])]?.rows[Number(row['n'])]?.places ?? [];
    for (const at of places) found[at] = String(row['id']);
  }
  return found;
}

/** Finds that differ only in their values. */
interface Shape {
  readonly sql: string;
  readonly rows: Map<string, AskedRow>;
}

interface AskedRow {
  readonly values: readonly unknown[];
  /** Where in the list of what was asked the answer belongs. */
  readonly places: number[];
}

/** A select of at most one id, with its values: every placeholder in it is cast, so that it can stand for text. */
interface Question {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** By find, company and what it reads: hundreds of lines ask for the same few rates. */
type Questions = Map<FindDefinition, Map<string, Question | null>>;

function questionOf(call: Call, asked: AskedFind, known: Questions): Question | null {
  const { field, scope, company } = asked;
  const { find, to } = field;
  if (find === undefined || typeof to !== 'string') return null;
  const asking = { ...scope, source: scope };
  const { paths, isPlaced } = readsOf(find);
  const read = paths.map((path) => readPath(asking, path));
  const key = JSON.stringify([company ?? null, isPlaced ? scope.place : null, read]);
  const ofFind = known.get(find) ?? new Map<string, Question | null>();
  known.set(find, ofFind);
  const before = ofFind.get(key);
  if (before !== undefined) return before;
  const where = bindFilter(find.where, to, asking);
  const question = writeQuestion(call, { field, company, where });
  ofFind.set(key, question);
  return question;
}

/** What the values of a find are worked out from: with the same, the same is asked. */
interface FindReads {
  readonly paths: readonly string[];
  /** It shares something out over lines: which line asks counts too. */
  readonly isPlaced: boolean;
}

function readsOf(find: FindDefinition): FindReads {
  const known = findPaths.get(find);
  if (known !== undefined) return known;
  const isPlaced = filterFormulas(find.where).some((formula) => {
    const parsed = parsedFormula(formula);
    return parsed !== null && callsLinesFunction(parsed);
  });
  const reads = { paths: filterReads(find.where).values, isPlaced };
  findPaths.set(find, reads);
  return reads;
}

const findPaths = new WeakMap<FindDefinition, FindReads>();

function writeQuestion(
  call: Call,
  { field, company, where: bound }: Pick<AskedFind, 'field' | 'company'> & { readonly where: Filter },
): Question | null {
  const { find, to } = field;
  const place = typeof to === 'string' ? targetPlace(to, call.catalog) : null;
  if (find === undefined || typeof to !== 'string' || place === null) return null;
  const values: unknown[] = [];
  const at = sqlPlace(call, place);
  const where = filterSql(call, bound, { at, values });
  if (where === null) return null;
  const conditions = [where, ...rowConditions(place, company, values)];
  const order = (find.order ?? []).map((name) => orderSql(name, at));
  const sql = `select t.id from ${sourceSql(place)} where ${conditions.join(' and ')} order by ${[...order, 't.id'].join(', ')} limit 1`;
  return { sql, values };
}

function sqlPlace({ catalog }: Call, { resource, lines }: PathPlace): SqlPlace {
  const head = { resource, catalog, alias: 't' };
  return lines === undefined ? head : { ...head, lines, parentAlias: 'h' };
}

function sourceSql({ resource, lines }: PathPlace): string {
  if (lines === undefined) return `${tableOf(resource)} t`;
  const company = resource.scope === 'company' ? ' and h.co_code = t.co_code' : '';
  return `${linesTableOf(resource, lines)} t join ${tableOf(resource)} h on h.id = t.parent_id${company}`;
}

/** Deleted ones never, and only those of the company. */
function rowConditions(
  { resource, lines }: PathPlace,
  company: unknown,
  values: unknown[],
): readonly string[] {
  const conditions = isStored(resource) ? [`not ${lines === undefined ? 't' : 'h'}.is_deleted`] : [];
  if (resource.scope === 'company') conditions.push(`t.co_code = ${bind(values, company ?? null)}::text`);
  return conditions;
}

/** Null when a value is none that the compared field could have: then nothing matches. */
function filterSql(
  { caller }: Call,
  where: Filter,
  { at, values }: { readonly at: SqlPlace; readonly values: unknown[] },
): string | null {
  try {
    return `(${filterToSql(where, { ...at, context: caller.context, values })})`;
  } catch (error) {
    if (error instanceof FilterSqlFault) return null;
    throw error;
  }
}

function orderSql(name: string, place: SqlPlace): string {
  const isDescending = name.startsWith('-');
  const { sql } = pathSql(isDescending ? name.slice(1) : name, place);
  return isDescending ? `${sql} desc nulls last` : sql;
}

/** The finds of one shape: a row of values for each, and for each row its first match. */
function partSql(
  sql: string,
  rows: readonly AskedRow[],
  { place, values }: { readonly place: number; readonly values: unknown[] },
): string {
  const columns = (rows[0]?.values ?? []).map((_, index) => quoteName(`v${index + 1}`));
  const asked = rows.map((row, n) => ({
    n,
    ...Object.fromEntries(row.values.map((value, index) => [`v${index + 1}`, asText(value)])),
  }));
  const list = bind(values, JSON.stringify(asked));
  const names = ['n int', ...columns.map((column) => `${column} text`)].join(', ');
  const inner = sql.replace(/\$(\d+)(?=::)/g, (_, index: string) => `s.${quoteName(`v${index}`)}`);
  return `select ${place}::int as shape, s.n, f.id from json_to_recordset(${list}::json) s(${names}) cross join lateral (${inner}) f`;
}

/** A value as the text that its cast reads: lists as array literals. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item: unknown) =>
    item === null ? 'null' : `"${String(item).replace(/["\\]/g, (char) => `\\${char}`)}"`,
  );
  return `{${items.join(',')}}`;
}
