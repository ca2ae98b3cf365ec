import { type Rename, renameInFilter, renamePath } from '#engine/schema/apply-renames.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import type { Queryable } from '#server/kernel/db/database.ts';

/** Columns of the engine's own tables that say of which resource a row speaks, where two names never become one. */
const PLAIN_COLUMNS = [
  ['sys_file', 'resource'],
  ['sys_view', 'resource'],
  ['sys_comment', 'resource'],
  ['sys_mail', 'resource'],
  ['sys_import', 'resource'],
  ['sys_approval_case', 'resource'],
  ['sys_notice', 'resource'],
  ['sys_upload_link', 'resource'],
  ['sys_chain', 'from_resource'],
  ['sys_chain', 'to_resource'],
  ['sys_hold', 'resource'],
  ['sys_hold', 'account_resource'],
  ['sys_vouched', 'resource'],
  ['sys_vouched', 'voucher_resource'],
] as const;

/** Renames in the tables of the engine, the audit trail excepted. */
export async function carryInLedgers(
  tx: Queryable,
  catalog: Catalog,
  renames: readonly Rename[],
): Promise<void> {
  for (const rename of renames) {
    if (rename.kind === 'resource') await renameResource(tx, rename);
    if (rename.kind === 'field') await renameField(tx, rename);
    if (rename.kind === 'state')
      await tx.execute(
        `update sys_approval_case set snapshot = jsonb_set(snapshot, '{status}', to_jsonb($3::text))
         where resource = $1 and snapshot ->> 'status' = $2`,
        [rename.resource, rename.was, rename.name],
      );
  }
  await rewriteSettings(
    tx,
    { catalog, renames },
    'sys_view',
    'settings',
    'select id, resource, settings as value from sys_view',
  );
  await rewriteSettings(tx, { catalog, renames }, 'sys_job', 'input', `select id, input ->> 'resource' as resource, input as value from sys_job where input ? 'resource' and status in ('waiting', 'running')`); // prettier-ignore
}

async function renameResource(
  tx: Queryable,
  { was, name }: { readonly was: string; readonly name: string },
): Promise<void> {
  for (const [table, column] of PLAIN_COLUMNS)
    await tx.execute(`update ${table} set ${column} = $2 where ${column} = $1`, [was, name]);
  await tx.execute(`update sys_job set input = jsonb_set(input, '{resource}', to_jsonb($2::text)) where input ->> 'resource' = $1`, [was, name]); // prettier-ignore
  // A resource of the new name may have been there long ago: no number is given twice.
  await tx.execute(
    `insert into sys_counter as c (co_code, series, scope, value) select co_code, $2, scope, value from sys_counter where series = $1
     on conflict (co_code, series, scope) do update set value = greatest(c.value, excluded.value)`,
    [was, name],
  );
  await tx.execute('delete from sys_counter where series = $1', [was]);
  await tx.execute(
    `insert into sys_read (resource, record_id, person_id, at) select $2, record_id, person_id, at from sys_read where resource = $1
     on conflict do nothing`,
    [was, name],
  );
  await tx.execute('delete from sys_read where resource = $1', [was]);
  await tx.execute(
    `insert into sys_renamed (resource, record_id, at) select $2, record_id, at from sys_renamed where resource = $1 on conflict do nothing`,
    [was, name],
  );
  await tx.execute('delete from sys_renamed where resource = $1', [was]);
  await tx.execute('delete from sys_derived where resource = $1', [name]);
  await tx.execute('update sys_derived set resource = $2 where resource = $1', [was, name]);
}

type FieldRename = Extract<Rename, { readonly kind: 'field' }>;

async function renameField(tx: Queryable, rename: FieldRename): Promise<void> {
  const { resource, lines, was, name } = rename;
  const [from, to] = lines === null ? [was, name] : [`${lines}.${was}`, `${lines}.${name}`];
  await tx.execute(
    `update sys_file set field = $3 || substr(field, length($2) + 1)
     where resource = $1 and (field = $2 or starts_with(field, $2 || '.'))`,
    [resource, from, to],
  );
  await tx.execute(
    `update sys_derived set fields = (select coalesce(jsonb_object_agg(
       case when key = $2 or starts_with(key, $2 || '.') then $3 || substr(key, length($2) + 1) else key end, value), '{}')
       from jsonb_each(fields)) where resource = $1`,
    [resource, from, to],
  );
  // What was handed in, and the values that come back when it is withdrawn.
  await renameInCases(tx, { rename, at: 'snapshot', set: (value) => `snapshot = ${value}` });
  await renameInCases(tx, {
    rename,
    at: `flow -> 'before'`,
    set: (value) => `flow = jsonb_set(flow, '{before}', ${value})`,
  });
  await renameInImports(tx, rename);
}

/** A record that a running approval keeps: where it lies, and what puts another value there (both SQL). */
interface KeptRecord {
  readonly rename: FieldRename;
  readonly at: string;
  readonly set: (value: string) => string;
}

async function renameInCases(tx: Queryable, { rename, at, set }: KeptRecord): Promise<void> {
  const { resource, lines, was, name } = rename;
  const head = `(${at}) - $2 || jsonb_build_object($3::text, ${at} -> $2)`;
  const cells = `jsonb_set(${at}, array[$4::text], (select coalesce(jsonb_agg(
    case when line ? $2 then (line - $2) || jsonb_build_object($3::text, line -> $2) else line end order by place), '[]')
    from jsonb_array_elements(${at} -> $4) with ordinality as x(line, place)))`;
  await tx.execute(
    lines === null
      ? `update sys_approval_case set ${set(head)} where resource = $1 and ${at} ? $2`
      : `update sys_approval_case set ${set(cells)} where resource = $1 and jsonb_typeof(${at} -> $4) = 'array'`,
    lines === null ? [resource, was, name] : [resource, was, name, lines],
  );
}

/** Checked files that wait to be taken in: their rows are written under the present names. */
async function renameInImports(tx: Queryable, { resource, lines, was, name }: FieldRename): Promise<void> {
  const rows = await tx.query<{ id: string; rows: unknown }>(
    `select id, rows from sys_import where resource = $1 and status = 'checked' and rows is not null`,
    [resource],
  );
  for (const { id, rows: content } of rows) {
    const next = JSON.stringify(content, (key, value: unknown) =>
      key === 'body' && isObject(value) ? renameKey(value, { lines, was, name }) : value,
    );
    await tx.execute('update sys_import set rows = $2::jsonb where id = $1', [id, next]);
  }
}

function renameKey(
  body: Readonly<Record<string, unknown>>,
  rename: Pick<FieldRename, 'lines' | 'was' | 'name'>,
): Readonly<Record<string, unknown>> {
  const { lines, was, name } = rename;
  const entries = Object.entries(body).map(([key, value]): [string, unknown] => {
    if (lines === null) return [key === was ? name : key, value];
    if (key !== lines || !Array.isArray(value)) return [key, value];
    return [
      key,
      value.map((line: unknown) => (isObject(line) ? renameKey(line, { lines: null, was, name }) : line)),
    ];
  });
  return Object.fromEntries(entries);
}

interface Renamed {
  readonly catalog: Catalog;
  readonly renames: readonly Rename[];
}

async function rewriteSettings(
  tx: Queryable,
  renamed: Renamed,
  table: string,
  column: string,
  select: string,
): Promise<void> {
  const rows = await tx.query<{ id: string; resource: string; value: unknown }>(select);
  for (const { id, resource: key, value } of rows) {
    const resource = renamed.catalog.resources[key];
    if (resource === undefined) continue;
    const next = renameInSettings(value, { ...renamed, resource });
    if (JSON.stringify(next) === JSON.stringify(value)) continue;
    await tx.execute(`update ${table} set ${column} = $2::jsonb where id = $1`, [id, JSON.stringify(next)]);
  }
}

/** Members of a list's settings that are filters, lists of fields, or keyed by fields. */
const FILTERS: ReadonlySet<string> = new Set(['fields', 'condition', 'filters', 'filter', 'where']);
const NAMES: ReadonlySet<string> = new Set(['sorters', 'sort', 'order', 'hidden', 'columns', 'group']);
const KEYED: ReadonlySet<string> = new Set(['widths']);

function renameInSettings(value: unknown, at: Renamed & { readonly resource: Resource }): unknown {
  if (!isObject(value)) return value;
  const rename = (path: string): string => {
    const isDescending = path.startsWith('-');
    const bare = isDescending ? path.slice(1) : path;
    return `${isDescending ? '-' : ''}${renamePath(at, bare, at.renames)}`;
  };
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    if (FILTERS.has(key) && isObject(part)) return [key, renameInFilter(at, part as Filter, at.renames)];
    if (NAMES.has(key)) return [key, renameNames(part, rename)];
    if (KEYED.has(key) && isObject(part))
      return [key, Object.fromEntries(Object.entries(part).map(([name, width]) => [rename(name), width]))];
    return [key, renameInSettings(part, at)];
  });
  return Object.fromEntries(entries);
}

function renameNames(part: unknown, rename: (path: string) => string): unknown {
  if (typeof part === 'string') return rename(part);
  if (!Array.isArray(part)) return part;
  return part.map((item: unknown) => {
    if (typeof item === 'string') return rename(item);
    if (isObject(item) && typeof item['field'] === 'string') return { ...item, field: rename(item['field']) };
    return item;
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
