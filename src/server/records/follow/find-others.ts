import { among } from '#server/kernel/db/among.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { readPath, type Scope } from '#engine/filter/scope.ts';
import { givenValue } from '#engine/record/compute-record.ts';
import type { OthersDefinition } from '#engine/schema/effects-definition.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { bind, plannedAnew, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';

/** A record that a construct names, with the text that names it. */
export interface OtherRecord {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
}

/** One that was chosen without a lock, as it was then. */
export interface ChosenRecord extends OtherRecord {
  /** Null of what keeps none. */
  readonly version: number | null;
}

/**
 * The records that a construct names from `source`: by a path of its own, or from the other side; narrowed by `where`,
 * each once, in its `order` (then by id). Deleted ones never; within the company of the source.
 */
export async function findOthers(
  db: Reader,
  call: Call,
  asked: { readonly others: OthersDefinition; readonly source: Scope; readonly limit?: number },
): Promise<readonly ChosenRecord[]> {
  const found: ChosenRecord[] = [];
  for (const selection of selectionsOf(call.catalog, asked.others, asked.source))
    found.push(...(await select(db, call, { ...asked, selection })));
  return found;
}

/** Whether one that was chosen is still meant, by its row as it is now; asked again only where that row moved since. */
export async function isStillMeant(
  db: Reader,
  call: Call,
  asked: {
    readonly others: OthersDefinition;
    readonly source: Scope;
    readonly chosen: ChosenRecord;
    /** As it is locked now. */
    readonly record: ErpRecord;
  },
): Promise<boolean> {
  const { others, source, chosen, record } = asked;
  if (others.where === undefined || chosen.version === null || record['version'] === chosen.version)
    return true;
  for (const selection of selectionsOf(call.catalog, others, source)) {
    if (selection.resource.resource !== chosen.resource) continue;
    const { from, values, where } = compile(call, { others, source, selection });
    const rows = await db.query(
      `select 1 from ${from} where t.id = ${bind(values, chosen.id)}::uuid and ${where} limit 1`,
      values,
    );
    if (rows.length > 0) return true;
  }
  return false;
}

/** How many there are. */
export async function countOthers(
  db: Reader,
  call: Call,
  asked: { readonly others: OthersDefinition; readonly source: Scope },
): Promise<number> {
  let count = 0;
  for (const selection of selectionsOf(call.catalog, asked.others, asked.source)) {
    const { from, values, where } = compile(call, { ...asked, selection });
    const rows = await db.query<{ n: number }>(
      `select count(distinct t.id)::int as n from ${from} where ${where}`,
      values,
    );
    count += rows[0]?.n ?? 0;
  }
  return count;
}

/** Which table, and what ties its rows to the source. */
interface Selection {
  readonly resource: Resource;
  readonly ties: readonly {
    readonly column: string;
    readonly lines: string | null;
    readonly value: unknown;
  }[];
}

function selectionsOf(catalog: Catalog, others: OthersDefinition, source: Scope): readonly Selection[] {
  if (others.of === '*') return documentsReferring(catalog, String(others.by), source);
  if (others.of !== undefined) return [ofSelection(catalog, others, source)].filter((one) => one !== null);
  if (others.to === undefined) return [];
  const target = targetOfPath(source, others.to);
  if (target === null) return [];
  const ids = idsAt(source, others.to);
  return ids.length === 0 ? [] : [{ resource: target, ties: [{ column: 'id', lines: null, value: ids }] }];
}

function ofSelection(catalog: Catalog, others: OthersDefinition, source: Scope): Selection | null {
  const place = targetPlace(others.of ?? '', catalog);
  if (place === null) return null;
  const { resource } = place;
  const lines = place.lines ?? null;
  if (typeof others.by === 'string') {
    const tie = tieOf(resource, lines, others.by);
    return { resource, ties: [{ ...tie, value: idFor(source, tie.field) }] };
  }
  const ties = Object.entries(others.by ?? {}).map(([theirs, own]) => {
    const tie = tieOf(resource, lines, theirs);
    return { ...tie, value: givenValue(tie.field, own, source) };
  });
  return { resource, ties };
}

function tieOf(
  resource: Resource,
  lines: string | null,
  by: string,
): { readonly column: string; readonly lines: string | null; readonly field: Field | undefined } {
  if (by.startsWith('parent.'))
    return { column: by.slice('parent.'.length), lines: null, field: resource.fields[by.slice(7)] };
  const [head = '', cell] = by.split('.');
  if (cell !== undefined) return { column: cell, lines: head, field: resource.fields[head]?.fields?.[cell] };
  return {
    column: head,
    lines,
    field: lines === null ? resource.fields[head] : resource.fields[lines]?.fields?.[head],
  };
}

/** A field that refers to a line holds the id of the line, any other that of the head. */
function idFor(source: Scope, field: Field | undefined): unknown {
  const isToLine = typeof field?.to === 'string' && field.to.includes('.');
  return isToLine || source.lines === undefined ? source.record['id'] : source.parent?.['id'];
}

/** `"of": "*"`: every document whose head has such a reference to this resource. */
function documentsReferring(catalog: Catalog, by: string, source: Scope): readonly Selection[] {
  const own = source.resource.resource;
  return Object.values(catalog.resources)
    .filter(({ kind, fields }) => kind === 'document' && fields[by]?.to === own)
    .map((resource) => ({
      resource,
      ties: [{ column: by, lines: null, value: (source.parent ?? source.record)['id'] }],
    }));
}

function targetOfPath(source: Scope, path: string): Resource | null {
  let place: { readonly resource: Resource; readonly lines?: string | undefined } = {
    resource: source.resource,
    lines: source.lines,
  };
  for (const name of path.split('.')) {
    if (name === 'parent') {
      place = { resource: place.resource };
      continue;
    }
    const fields =
      place.lines === undefined ? place.resource.fields : place.resource.fields[place.lines]?.fields;
    const field = fields?.[name];
    if (field?.type === 'lines') {
      place = { resource: place.resource, lines: name };
      continue;
    }
    if (field === undefined || typeof field.to !== 'string') return null;
    const next = targetPlace(field.to, source.catalog);
    if (next === null) return null;
    place = next;
  }
  return place.resource;
}

function idsAt(source: Scope, path: string): readonly string[] {
  const value = readPath(source, path);
  const list: readonly unknown[] = Array.isArray(value) ? value.flat() : [value];
  return [...new Set(list.filter((id): id is string => typeof id === 'string' && id !== ''))];
}

interface Compiled {
  readonly from: string;
  readonly where: string;
  readonly values: unknown[];
}

function compile(
  call: Call,
  asked: { readonly others: OthersDefinition; readonly source: Scope; readonly selection: Selection },
): Compiled {
  const { selection, others, source } = asked;
  const { resource } = selection;
  const [, lines] = others.of?.split('.') ?? [];
  const target = lines === undefined ? resource.resource : `${resource.resource}.${lines}`;
  const values: unknown[] = [];
  const conditions = isStored(resource) ? ['not t.is_deleted'] : [];
  const company = (source.parent ?? source.record)['co_code'];
  if (resource.scope === 'company' && typeof company === 'string')
    conditions.push(`t.co_code = ${bind(values, company)}`);
  for (const tie of selection.ties) conditions.push(tieSql(resource, tie, { values, lines: lines ?? null }));
  if (others.where !== undefined)
    conditions.push(
      `(${filterToSql(bindFilter(others.where, target, { ...source, source }), {
        resource,
        catalog: call.catalog,
        alias: lines === undefined ? 't' : 'l',
        context: call.caller.context,
        values,
        ...(lines === undefined ? {} : { lines, parentAlias: 't' }),
      })})`,
    );
  const from =
    lines === undefined
      ? `${tableOf(resource)} t`
      : `${tableOf(resource)} t join ${linesTableOf(resource, lines)} l on l.parent_id = t.id`;
  return { from, where: conditions.join(' and '), values };
}

function tieSql(
  resource: Resource,
  tie: Selection['ties'][number],
  { values, lines }: { readonly values: unknown[]; readonly lines: string | null },
): string {
  const field =
    tie.lines === null ? resource.fields[tie.column] : resource.fields[tie.lines]?.fields?.[tie.column];
  const isId = tie.column === 'id' || field?.type === 'reference';
  const compared = (column: string): string => {
    if (Array.isArray(tie.value))
      return isId
        ? `${column} = ${among(bind(values, tie.value))}`
        : `${column} = any(${bind(values, tie.value)})`;
    if (tie.value === null || tie.value === undefined) return `${column} is null`;
    if (field?.multiple === true) return `${bind(values, tie.value)}${isId ? '::uuid' : ''} = any(${column})`;
    return `${column} = ${bind(values, tie.value)}${isId ? '::uuid' : ''}`;
  };
  if (tie.lines === null) return compared(`t.${quoteName(tie.column)}`);
  if (tie.lines === lines) return compared(`l.${quoteName(tie.column)}`);
  const company = resource.scope === 'company' ? ' and x.co_code = t.co_code' : '';
  return `exists (select 1 from ${linesTableOf(resource, tie.lines)} x where x.parent_id = t.id${company} and ${compared(`x.${quoteName(tie.column)}`)})`;
}

async function select(
  db: Reader,
  call: Call,
  asked: {
    readonly others: OthersDefinition;
    readonly source: Scope;
    readonly selection: Selection;
    readonly limit?: number;
  },
): Promise<readonly ChosenRecord[]> {
  const { resource } = asked.selection;
  const { from, where: asAsked, values } = compile(call, asked);
  const where = `${asAsked} and ${plannedAnew(values)}`;
  const order = (asked.others.order ?? []).map((name) => {
    const isDescending = name.startsWith('-');
    return `t.${quoteName(isDescending ? name.slice(1) : name)}${isDescending ? ' desc nulls last' : ''}`;
  });
  const limit = asked.limit === undefined ? '' : ` limit ${asked.limit}`;
  const label = labelExpression(call.catalog, resource.resource, 't');
  const lined = from.includes(' join ');
  const source = lined ? `(select distinct t.* from ${from} where ${where}) t` : `${from} where ${where}`;
  const version = isStored(resource) ? 't.version' : 'null';
  const text = `select t.id, ${version} as version, ${label} as label from ${source} order by ${[...order, 't.id'].join(', ')}${limit}`;
  const rows = await db.query(text, values, statementName(text));
  return rows.map((row) => ({
    resource: resource.resource,
    id: String(row['id']),
    label: typeof row['label'] === 'string' ? row['label'] : '',
    version: row['version'] === null ? null : Number(row['version']),
  }));
}
