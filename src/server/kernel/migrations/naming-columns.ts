import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { isAppendOnly } from '#engine/schema/append-only.ts';
import { linesOf } from '#server/kernel/db/table-columns.ts';
import { tableName } from '#server/kernel/db/sql-identifiers.ts';

/** A column whose values are names of the definitions. */
export interface NamingColumn {
  readonly table: string;
  readonly column: string;
  /** Former names, for a table or column that is itself renamed in the same migration. */
  readonly tableWas?: string;
  readonly columnWas?: string;
  readonly isList: boolean;
  readonly isAppendOnly: boolean;
  readonly kind: 'resource' | 'field' | 'template' | 'filter';
  /** Of fields, templates and filters: the head's table, its column that says of which resource or event, and which of both. */
  readonly of?: { readonly table: string; readonly column: string; readonly kind: 'resource' | 'event' };
  /** A column of lines: their rows are joined with the head's. */
  readonly isLines: boolean;
}

/** Every column of the definitions' tables that holds names of definitions. */
export function namingColumns(catalog: Catalog): readonly NamingColumn[] {
  return Object.values(catalog.resources)
    .filter(({ kind }) => kind !== 'view')
    .flatMap((resource) => [
      ...columnsOf(resource, Object.values(resource.fields), null),
      ...linesOf(resource).flatMap((lines) => columnsOf(resource, Object.values(lines.fields ?? {}), lines)),
    ]);
}

function columnsOf(
  resource: Resource,
  fields: readonly Field[],
  lines: Field | null,
): readonly NamingColumn[] {
  const head = tableName(resource);
  const table = lines === null ? head : tableName(resource, lines.name);
  const formerHead = resource.was ?? head;
  const tableWas = lines === null ? formerHead : `${formerHead}__${lines.was ?? lines.name}`;
  const pointers = new Set(fields.flatMap(({ to }) => (typeof to === 'object' ? [to.by] : [])));
  const of = naming(resource);
  return fields.flatMap((field): readonly NamingColumn[] => {
    const kind = kindOf(field, pointers);
    if (kind === null || (kind !== 'resource' && of === null)) return [];
    return [
      {
        table,
        ...(tableWas === table ? {} : { tableWas }),
        column: field.name,
        ...(field.was === undefined ? {} : { columnWas: field.was }),
        isList: field.multiple === true,
        isAppendOnly: isAppendOnly(resource),
        kind,
        ...(kind === 'resource' || of === null ? {} : { of: { table: head, ...of } }),
        isLines: lines !== null,
      },
    ];
  });
}

function kindOf(field: Field, pointers: ReadonlySet<string>): NamingColumn['kind'] | null {
  if (field.names === 'resource' || pointers.has(field.name)) return 'resource';
  if (field.names === 'field' || field.names === 'template') return field.names;
  return field.json === 'filter' ? 'filter' : null;
}

function naming(resource: Resource): { readonly column: string; readonly kind: 'resource' | 'event' } | null {
  for (const { name, names } of Object.values(resource.fields))
    if (names === 'resource' || names === 'event') return { column: name, kind: names };
  return null;
}
