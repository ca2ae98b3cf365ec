import type { FieldDefinition } from './definition.ts';
import type { ResourceLint } from './lint-context.ts';
import { STORAGE_COLUMNS } from './standard-fields.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Tables of the engine itself begin with it: no definition may take one. */
const ENGINE_PREFIX = 'sys_';
/** Stands between a resource and its lines in the names of tables. */
const TABLE_SEPARATOR = '__';
/** Types of PostgreSQL: a table of such a name could not be told from them. */
const DATABASE_TYPES: ReadonlySet<string> = new Set([
  'aclitem', 'any', 'bit', 'bool', 'box', 'bytea', 'char', 'cid', 'cidr', 'circle', 'date', 'float4', 'float8', 'inet',
  'int2', 'int4', 'int8', 'interval', 'json', 'jsonb', 'jsonpath', 'line', 'lseg', 'macaddr', 'money', 'name', 'numeric',
  'oid', 'path', 'point', 'polygon', 'record', 'text', 'tid', 'time', 'timestamp', 'timestamptz', 'timetz', 'trigger',
  'unknown', 'uuid', 'varbit', 'varchar', 'void', 'xid', 'xml',
]); // prettier-ignore
const LINE_COLUMNS: ReadonlySet<string> = new Set([
  'id',
  'line_order',
  'parent_id',
  'co_code',
  ...STORAGE_COLUMNS,
]);

/**
 * Checks the names that a file gives and the former ones it declares: a former name must be gone from the definitions,
 * so that no `was` takes a table, column or state that something else uses.
 */
export function lintNames(context: ResourceLint): void {
  const { resource, was } = context.definition;
  lintTableName(context, ['resource'], resource);
  if (was !== undefined) lintFormerResource(context, was);
  lintFormerFields(context, ['fields'], context.definition.fields, usedNames(context));
  lintStates(context);
}

function lintTableName(context: ResourceLint, path: JsonPath, name: string): void {
  if (name.startsWith(ENGINE_PREFIX))
    context.report(path, `"${name}" 是系统保留的名称（sys_ 开头），请换一个`);
  if (name.includes(TABLE_SEPARATOR)) context.report(path, `"${name}" 不能含有两个连续的下划线`);
  if (DATABASE_TYPES.has(name))
    context.report(path, `"${name}" 与数据库的类型同名，请换一个，例如 "${name}_item"`);
}

function lintFormerResource(context: ResourceLint, was: string): void {
  const { resource } = context.definition;
  lintTableName(context, ['was'], was);
  if (was === resource) return context.report(['was'], `原名 "${was}" 与现名相同，请删去 "was"`);
  if (Object.hasOwn(context.catalog.resources, was))
    return context.report(['was'], `原名 "${was}" 仍是在用的资源，不能由它改名为 "${resource}"`);
  const other = Object.values(context.catalog.resources).find(
    (each) => each.was === was && each.resource !== resource,
  );
  if (other !== undefined) context.report(['was'], `原名 "${was}" 也被资源 "${other.resource}" 声明`);
}

function usedNames(context: ResourceLint): ReadonlySet<string> {
  return new Set([...Object.keys(context.resource.fields), ...STORAGE_COLUMNS]);
}

function lintFormerFields(
  context: ResourceLint,
  path: JsonPath,
  fields: Readonly<Record<string, FieldDefinition>>,
  used: ReadonlySet<string>,
): void {
  const claimed = new Map<string, string>();
  for (const [name, { was, fields: columns }] of Object.entries(fields)) {
    const here = [...path, name];
    if (name.includes(TABLE_SEPARATOR))
      context.report(here, `字段名 "${name}" 不能含有两个连续的下划线`, 'key');
    if (columns !== undefined)
      lintFormerFields(
        context,
        [...here, 'fields'],
        columns,
        new Set([...Object.keys(columns), ...LINE_COLUMNS]),
      );
    if (was === undefined) continue;
    const other = claimed.get(was);
    claimed.set(was, name);
    if (was === name) context.report([...here, 'was'], `原名 "${was}" 与现名相同，请删去 "was"`);
    else if (used.has(was))
      context.report([...here, 'was'], `原名 "${was}" 仍是在用的字段，不能由它改名为 "${name}"`);
    else if (other !== undefined) context.report([...here, 'was'], `原名 "${was}" 也被字段 "${other}" 声明`);
  }
}

function lintStates(context: ResourceLint): void {
  const { lifecycle } = context.definition;
  if (lifecycle === undefined) return;
  const states = Object.keys(lifecycle.states);
  const claimed = new Map<string, string>();
  for (const [state, { was }] of Object.entries(lifecycle.states)) {
    if (was === undefined) continue;
    const path = ['lifecycle', 'states', state, 'was'];
    const other = claimed.get(was);
    claimed.set(was, state);
    if (was === state) context.report(path, `原名 "${was}" 与现名相同，请删去 "was"`);
    else if (states.includes(was))
      context.report(path, `原名 "${was}" 仍是在用的状态，不能由它改名为 "${state}"`);
    else if (other !== undefined) context.report(path, `原名 "${was}" 也被状态 "${other}" 声明`);
  }
  for (const [state, to] of Object.entries(lifecycle.retired ?? {})) {
    const path = ['lifecycle', 'retired', state];
    if (states.includes(state)) context.report(path, `状态 "${state}" 仍在用，不能同时停用`, 'key');
    else if (claimed.has(state))
      context.report(path, `状态 "${state}" 已改名为 "${claimed.get(state)}"，不能同时停用`, 'key');
    if (!states.includes(to)) context.report(path, `未知状态 "${to}"${suggestion(to, states)}`);
  }
}
