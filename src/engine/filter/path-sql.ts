import type { Catalog, Field, Resource } from '../schema/resource.ts';

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
  return walk(own.split('.'), place, place.alias);
}

/** What a field reads: its column, or for `live` whether the entry is neither mirrored nor a mirror. */
export function columnSql(resource: Resource, field: Field, alias: string): string {
  if (field.liveBy === undefined) return `${alias}.${quoteIdentifier(field.name)}`;
  const mirror = `${alias}_m`;
  const reverses = quoteIdentifier(field.liveBy);
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
  const column = columnSql(place.resource, field, alias);
  if (rest.length === 0) return { sql: column, field };
  if (field.type !== 'reference' || typeof field.to !== 'string' || field.multiple === true)
    throw new FilterSqlFault(`${name} 后面不能再取字段`);
  const [key = '', lines] = field.to.split('.');
  const target = place.catalog.resources[key];
  if (target === undefined) throw new FilterSqlFault(`未知资源 ${key}`);
  const inner = `${alias}_${parts.length}`;
  const step = { resource: target, alias: inner, ...(lines === undefined ? {} : { lines }) };
  const { catalog, reach } = place;
  const next = walk(rest, { ...step, catalog, ...(reach === undefined ? {} : { reach }) }, inner);
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
    catalog: place.catalog,
    alias: place.parentAlias ?? `${alias}_h`,
    ...(place.reach === undefined ? {} : { reach: place.reach }),
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
