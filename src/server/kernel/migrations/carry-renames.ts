import { type Rename, renameInFilter, renameInTemplate, renamePath } from '#engine/schema/apply-renames.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { resourcesOfEvent } from '#engine/schema/event-words.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import type { Queryable } from '#server/kernel/db/database.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { readActualSchema } from './actual-schema.ts';
import { carryInLedgers } from './carry-in-ledgers.ts';
import { type NamingColumn, namingColumns } from './naming-columns.ts';
import type { SchemaNow } from './schema-diff.ts';

/**
 * Takes along what speaks of renamed resources, fields and states, in the transaction of the rename: the engine's own
 * tables, and every column whose field says that it names definitions. The audit trail stays as it was written;
 * `sys_rename` tells its readers what the old names are called now.
 */
export async function carryRenames(
  tx: Queryable,
  catalog: Catalog,
  renames: readonly Rename[],
): Promise<void> {
  if (renames.length === 0) return;
  for (const rename of renames) await remember(tx, rename);
  const actual = await readActualSchema(tx);
  const columns = namingColumns(catalog).flatMap((column) => present(column, actual));
  for (const rename of renames)
    if (rename.kind === 'resource')
      for (const column of columns)
        if (column.kind === 'resource') await renameResourceIn(tx, column, rename);
  await carryInLedgers(tx, catalog, renames);
  for (const column of columns)
    if (column.of !== undefined) await rewriteColumn(tx, column, column.of, { catalog, renames });
}

/** What an old name is called now: earlier renames are led on to the newest name. */
async function remember(tx: Queryable, rename: Rename): Promise<void> {
  const { kind, resource, was, name } = rename;
  const lines = rename.kind === 'field' ? rename.lines : null;
  if (rename.kind === 'resource')
    await tx.execute('update sys_rename set resource = $2 where resource = $1', [was, name]);
  if (rename.kind === 'field' && lines === null)
    await tx.execute(`update sys_rename set lines = $3 where resource = $1 and kind = 'field' and lines = $2`, [resource, was, name]); // prettier-ignore
  await tx.execute(
    `update sys_rename set name = $5 where resource = $1 and kind = $2 and lines is not distinct from $3 and name = $4`,
    [resource, kind, lines, was, name],
  );
  await tx.execute(
    `insert into sys_rename (resource, kind, lines, was, name, at) values ($1, $2, $3, $4, $5, clock_timestamp())`,
    [resource, kind, lines, was, name],
  );
}

/** The column as it is called at this moment; none while it is still to be made. */
function present(column: NamingColumn, actual: SchemaNow['actual']): readonly NamingColumn[] {
  const table = actual.get(column.table) ?? actual.get(column.tableWas ?? '');
  const names = new Set(table?.columns.map(({ name }) => name));
  const name = [column.column, column.columnWas ?? ''].find((each) => names.has(each));
  return table === undefined || name === undefined ? [] : [{ ...column, table: table.name, column: name }];
}

async function renameResourceIn(
  tx: Queryable,
  { table, column, isList, isAppendOnly }: NamingColumn,
  { was, name }: { readonly was: string; readonly name: string },
): Promise<void> {
  const [own, place] = [quoteName(table), quoteName(column)];
  const trigger = (what: string): Promise<unknown> =>
    isAppendOnly ? tx.execute(`alter table ${own} ${what} trigger append_only`) : Promise.resolve();
  await trigger('disable');
  await (isList
    ? tx.execute(`update ${own} set ${place} = array_replace(${place}, $1, $2) where $1 = any(${place})`, [
        was,
        name,
      ])
    : tx.execute(`update ${own} set ${place} = $2 where ${place} = $1`, [was, name]));
  await trigger('enable');
}

interface Renamed {
  readonly catalog: Catalog;
  readonly renames: readonly Rename[];
}

async function rewriteColumn(
  tx: Queryable,
  { table, column, kind, isLines, isAppendOnly }: NamingColumn,
  of: NonNullable<NamingColumn['of']>,
  renamed: Renamed,
): Promise<void> {
  if (isAppendOnly) return;
  const from = isLines
    ? `${quoteName(table)} t join ${quoteName(of.table)} h on h.id = t.parent_id`
    : `${quoteName(table)} t join ${quoteName(of.table)} h on h.id = t.id`;
  const rows = await tx.query<{ id: string; value: unknown; key: string | null }>(
    `select t.id, t.${quoteName(column)} as value, h.${quoteName(of.column)} as key from ${from} where t.${quoteName(column)} is not null`,
  );
  for (const { id, value, key } of rows) {
    if (key === null) continue;
    const resources = of.kind === 'resource' ? [key] : eventResources(renamed, key);
    const next = rewritten(value, kind, resources, renamed);
    if (JSON.stringify(next) === JSON.stringify(value)) continue;
    await tx.execute(`update ${quoteName(table)} set ${quoteName(column)} = $2 where id = $1`, [
      id,
      kind === 'filter' ? JSON.stringify(next) : next,
    ]);
  }
}

/** The resources of whose records an event tells; where no action names it, whatever was renamed. */
function eventResources({ catalog, renames }: Renamed, code: string): readonly string[] {
  const known = resourcesOfEvent(catalog, code, undefined);
  return known.length > 0 ? known : renames.map(({ resource }) => resource);
}

function rewritten(
  value: unknown,
  kind: NamingColumn['kind'],
  resources: readonly string[],
  { catalog, renames }: Renamed,
): unknown {
  return resources.reduce((current: unknown, key): unknown => {
    const resource = catalog.resources[key];
    if (resource === undefined) return current;
    if (Array.isArray(current))
      return current.map((item) => rewritten(item, kind, [key], { catalog, renames }));
    if (kind === 'filter')
      return typeof current === 'object' && current !== null
        ? renameInFilter({ resource, catalog }, current as Filter, renames)
        : current;
    if (typeof current !== 'string') return current;
    return kind === 'template'
      ? renameInTemplate(current, key, renames)
      : renamePath({ resource, catalog }, current, renames);
  }, value);
}
