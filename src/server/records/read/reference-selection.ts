import { derivedSql } from '#engine/filter/path-sql.ts';
import { fieldsAt, type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { quoteName, quoteText } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { labelExpression } from './label-expression.ts';
import type { ReferenceNeed } from './reference-book.ts';
import { jsonColumn } from './stored-value.ts';

/** What is selected of a target: the text around what differs from reader to reader. */
export interface Selection {
  readonly target: string;
  readonly fields: readonly Field[];
  readonly isScoped: boolean;
  /** Records are named by a value of theirs, not by their id. */
  readonly isByValue: boolean;
  readonly head: string;
  readonly columns: string;
  readonly table: string;
  readonly key: { readonly column: string; readonly type: 'uuid' | 'text' };
}

const selections = new WeakMap<Catalog['resources'], Map<string, Selection | null>>();

/** Put together once for a target and the columns wanted of it. */
export function selectionOf(catalog: Pick<Catalog, 'resources'>, need: ReferenceNeed): Selection | null {
  const ofCatalog = selections.get(catalog.resources) ?? new Map<string, Selection | null>();
  selections.set(catalog.resources, ofCatalog);
  const key = `${need.target} ${[...need.columns].sort().join()}`;
  const known = ofCatalog.get(key);
  if (known !== undefined) return known;
  const made = makeSelection(catalog, need);
  ofCatalog.set(key, made);
  return made;
}

function makeSelection(catalog: Pick<Catalog, 'resources'>, need: ReferenceNeed): Selection | null {
  const [target = '', by] = need.target.split('@');
  const place = targetPlace(target, catalog);
  const key = place === null ? null : keyOf(place, by);
  if (place === null || key === null) return null;
  const { resource, lines } = place;
  const fields = wantedFields(place, need.columns);
  const columns = fields.map((field) =>
    field.type === 'lines'
      ? `${linesColumn(resource, field)} as ${quoteName(field.name)}`
      : `${derivedSql(field, { resource, alias: 't' }) ?? jsonColumn('t', field, field.name)} as ${quoteName(field.name)}`,
  );
  if (need.columns.has('parent')) columns.push('t.parent_id as "parent"');
  const isScoped = resource.scope === 'company';
  const from = lines === undefined ? tableOf(resource) : linesTableOf(resource, lines);
  return {
    target,
    fields,
    isScoped,
    isByValue: by !== undefined,
    head: `x._id as id, to_json(x) as row from (select t.${key.column}::text as _id, ${labelExpression(catalog, target, 't')} as _label${isScoped ? ', t.co_code as _co' : ''}`,
    columns: columns.map((column) => `, ${column}`).join(''),
    table: from,
    key,
  };
}

/** The fields wanted of a record; lines with just their wanted columns. */
function wantedFields(place: PathPlace, columns: ReadonlySet<string>): readonly Field[] {
  const known = fieldsAt(place);
  const names = new Set([...columns].map((column) => column.split('.')[0] ?? ''));
  return [...names].sort().flatMap((name): readonly Field[] => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined || field.type === 'secret') return [];
    if (field.type !== 'lines') return [field];
    const cells = Object.values(fieldsAt({ ...place, lines: name })).filter(
      (cell) => cell.type !== 'secret' && columns.has(`${name}.${cell.name}`),
    );
    return [{ ...field, fields: Object.fromEntries(cells.map((cell) => [cell.name, cell])) }];
  });
}

/** The lines of a referenced record in their order, as a JSON list. */
function linesColumn(resource: Resource, lines: Field): string {
  const cells = Object.values(lines.fields ?? {}).map(
    (cell) => `${quoteText(cell.name)}, ${jsonColumn('l', cell, cell.name)}`,
  );
  const tie = resource.scope === 'company' ? ' and l.co_code = t.co_code' : '';
  return `(select coalesce(json_agg(json_build_object(${cells.join(', ')}) order by l.line_order), '[]'::json) from ${linesTableOf(resource, lines.name)} l where l.parent_id = t.id${tie})`;
}

function keyOf(place: PathPlace, by: string | undefined): Selection['key'] | null {
  if (by === undefined) return { column: 'id', type: 'uuid' };
  return Object.hasOwn(place.resource.fields, by) ? { column: quoteName(by), type: 'text' } : null;
}
