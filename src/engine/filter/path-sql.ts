import type { Catalog, EvaluationContext, Field, Resource } from '../schema/resource.ts';
import { unstoredSql } from './unstored-sql.ts';

/** Where SQL of a path starts: the table of a resource or of its lines, under an alias. */
export interface SqlPlace {
  readonly resource: Resource;
  readonly catalog: Catalog;
  readonly alias: string;
  readonly lines?: string;
  /** The head's alias when it is joined already; otherwise `parent.x` reads it by a subquery. */
  readonly parentAlias?: string;
  /** Which rows of other records a path may step into, as a condition on their alias; default: all. */
  readonly reach?: (step: {
    readonly resource: Resource;
    readonly lines?: string;
    readonly alias: string;
  }) => string;
  /** Names that are no fields of the table: figures and parameters of a report. */
  readonly given?: Readonly<Record<string, PathSql>>;
  /** For formulas that are not stored: what their values are read of, and where what they bind goes. */
  readonly context?: EvaluationContext;
  readonly values?: unknown[];
}

/** A path as an SQL expression with the field it ends in. */
export interface PathSql {
  readonly sql: string;
  readonly field: Field;
}

/** A filter or sorter that has no SQL form: the lint and `checkFilter` keep these out beforehand. */
export class FilterSqlFault extends Error {
  override readonly name = 'FilterSqlFault';
}

/** Further names as the lines of the record know them: behind `parent.`, so that a column of the same name stays one. */
export function givenToLines(given: SqlPlace['given']): Pick<SqlPlace, 'given'> {
  if (given === undefined) return {};
  // They are written when they are read, not before.
  const names = Object.entries(Object.getOwnPropertyDescriptors(given));
  return {
    given: Object.defineProperties({}, Object.fromEntries(names.map(([name, of]) => [`parent.${name}`, of]))),
  };
}

/** Quotes an identifier; names come from the compiled schema only. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The table of a resource or of its lines. */
export function tableName(resource: Resource, lines?: string): string {
  return quoteIdentifier(lines === undefined ? resource.resource : `${resource.resource}__${lines}`);
}

/** The SQL of a path over references: correlated scalar subqueries that keep to the company. */
export function pathSql(path: string, place: SqlPlace): PathSql {
  const own = path.startsWith('record.') ? path.slice('record.'.length) : path;
  const { given } = place;
  const known = given !== undefined && Object.hasOwn(given, own) ? given[own] : undefined;
  return known ?? walk(own.split('.'), place, place.alias);
}

/**
 * What a field reads: its column, for `live` whether the entry is neither mirrored nor a mirror, for a formula that is not
 * stored its value. `place` is where the row stands under its alias.
 * @throws FilterSqlFault for such a formula without an SQL form
 */
export function columnSql(field: Field, place: SqlPlace): string {
  const { resource, alias, context, values } = place;
  if (field.stored === false && field.formula !== undefined) {
    if (context === undefined || values === undefined)
      throw new FilterSqlFault(`${field.title}不保存，不能在此取值`);
    return unstoredSql(field, { ...place, context, values });
  }
  return derivedSql(field, { resource, alias }) ?? `${alias}.${quoteIdentifier(field.name)}`;
}

/** What the engine derives of a row by itself: whether an entry lives, where in its tree a record stands; null for columns. */
export function derivedSql(field: Field, at: Pick<SqlPlace, 'resource' | 'alias'>): string | null {
  if (field.lineageBy !== undefined) return lineageSql(field.lineageBy, at);
  return field.liveBy === undefined ? null : liveSql(field.liveBy, at);
}

/**
 * The ids of the given records of a tree and of everything below them, found once for a statement. Deleted records keep
 * their place, as they do in `lineage`.
 */
export function branchSql(tree: Resource, parent: string, ids: string): string {
  const [table, up] = [tableName(tree), quoteIdentifier(parent)];
  return `array(with recursive b as (select id from ${table} where id = any(${ids}) union select t.id from ${table} t join b on t.${up} = b.id) select id from b)`;
}

function lineageSql(parent: string, { resource, alias }: Pick<SqlPlace, 'resource' | 'alias'>): string {
  const [table, up] = [tableName(resource), quoteIdentifier(parent)];
  return `array(with recursive u as (select id, ${up} as up from ${table} where id = ${alias}.id union select t.id, t.${up} from ${table} t join u on t.id = u.up) select id from u)`;
}

function liveSql(liveBy: string, { resource, alias }: Pick<SqlPlace, 'resource' | 'alias'>): string {
  const mirror = `${alias}_m`;
  const reverses = quoteIdentifier(liveBy);
  const tie = sameCompany(resource, mirror, resource, alias);
  return `(${alias}.${reverses} is null and not exists (select 1 from ${tableName(resource)} ${mirror} where ${mirror}.${reverses} = ${alias}.id${tie}))`;
}

/** The condition that ties a row to the row it belongs to, within the company where both have one. */
export function sameCompany(a: Resource, aliasA: string, b: Resource, aliasB: string): string {
  return a.scope === 'company' && b.scope === 'company' ? ` and ${aliasA}.co_code = ${aliasB}.co_code` : '';
}

function walk(parts: readonly string[], place: SqlPlace, alias: string): PathSql {
  const [name = '', ...rest] = parts;
  if (name === 'parent' && place.lines !== undefined && rest.length > 0)
    return walkParent(rest, place, alias);
  const field = fieldNamed(name, place);
  if (field === undefined) throw new FilterSqlFault(`未知字段 ${name}`);
  if (field.type === 'lines') throw new FilterSqlFault(`${name} 是明细，不能这样取值`);
  const column = columnSql(field, standingAt(place, alias));
  if (rest.length === 0) return { sql: column, field };
  if (field.type !== 'reference' || typeof field.to !== 'string' || field.multiple === true)
    throw new FilterSqlFault(`${name} 后面不能再取字段`);
  const [key = '', lines] = field.to.split('.');
  const target = place.catalog.resources[key];
  if (target === undefined) throw new FilterSqlFault(`未知资源 ${key}`);
  const inner = `${alias}_${parts.length}`;
  const step = { resource: target, alias: inner, ...(lines === undefined ? {} : { lines }) };
  const { reach } = place;
  const next = walk(rest, { ...step, ...surroundings(place) }, inner);
  const within = reach === undefined ? '' : ` and (${reach(step)})`;
  const tie = `${sameCompany(target, inner, place.resource, alias)}${within}`;
  return {
    sql: `(select ${next.sql} from ${tableName(target, lines)} ${inner} where ${inner}.id = ${column}${tie})`,
    field: next.field,
  };
}

function walkParent(rest: readonly string[], place: SqlPlace, alias: string): PathSql {
  const head: SqlPlace = {
    resource: place.resource,
    alias: place.parentAlias ?? `${alias}_h`,
    ...surroundings(place),
  };
  if (place.parentAlias !== undefined && alias === place.alias) return walk(rest, head, place.parentAlias);
  const inner = `${alias}_h`;
  const next = walk(rest, { ...head, alias: inner }, inner);
  const tie = sameCompany(place.resource, inner, place.resource, alias);
  return {
    sql: `(select ${next.sql} from ${tableName(place.resource)} ${inner} where ${inner}.id = ${alias}.parent_id${tie})`,
    field: next.field,
  };
}

function surroundings({ catalog, reach, context, values }: SqlPlace): Omit<SqlPlace, 'resource' | 'alias'> {
  return {
    catalog,
    ...(reach === undefined ? {} : { reach }),
    ...(context === undefined ? {} : { context }),
    ...(values === undefined ? {} : { values }),
  };
}

/** A place under another alias; a head that is joined is joined to its own one only. */
function standingAt(place: SqlPlace, alias: string): SqlPlace {
  if (alias === place.alias) return place;
  const { parentAlias: _parentAlias, ...rest } = place;
  return { ...rest, alias };
}

function fieldNamed(name: string, place: SqlPlace): Field | undefined {
  if (place.lines === undefined)
    return ownField(place.resource.fields, name) ?? (name === 'id' ? ID_FIELD : undefined);
  if (name === 'id' || name === 'parent_id') return ID_FIELD;
  if (name === 'line_order') return POSITION_FIELD;
  return ownField(ownField(place.resource.fields, place.lines)?.fields ?? {}, name);
}

function ownField(fields: Readonly<Record<string, Field>>, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

const ID_FIELD: Field = {
  name: 'id',
  title: '编号',
  type: 'text',
  required: true,
  standard: true,
  computed: true,
};
const POSITION_FIELD: Field = {
  name: 'line_order',
  title: '序号',
  type: 'integer',
  required: true,
  standard: true,
  computed: true,
};
