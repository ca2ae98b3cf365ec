import { canSee, canWrite, type ResourceAccess, rowsFor } from '#engine/access/resource-access.ts';
import { partnerPath, type RowAccess } from '#engine/access/row-scope.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import type { SqlPlace } from '#engine/filter/path-sql.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { accessTo, type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { bind } from '#server/records/call/statement.ts';
import { writtenOnce } from '#server/records/call/written-once.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/**
 * References through the reader's eyes: of another record one sees what one may read of it, by the own role's grants on
 * that record's resource, its fields and its row. Where a role has no grant there is nothing to see, but for the label of
 * what it may pick into a field that it writes.
 */
export interface Eyes {
  /** The role reads the target: what its grants show decides. Without that only pickers see the label. */
  readonly mayRead: boolean;
  /** The label is shown to this role, by reading or by the right to the name alone. */
  readonly seesLabel: boolean;
  readonly sees: (column: string) => boolean;
}

/** What the reader's role sees of a target (`buyer`, `export_contract.items`), its rows aside. */
export function eyesOn(reader: Call, target: string): Eyes {
  const place = targetPlace(target, reader.catalog);
  if (isSystemCall(reader)) return ALL;
  if (place === null) return NOTHING;
  const { resource, lines } = place;
  const access = accessTo(reader.services, reader.caller.subject, resource);
  const isNamed = isLabelOpen(reader, resource);
  if (!isReader(access)) return access.operations.has('name') ? { ...NOTHING, seesLabel: isNamed } : NOTHING;
  return {
    mayRead: true,
    seesLabel: canSee(access, resource.label) && isNamed,
    sees: (column) => canSee(access, lines === undefined ? column : `${lines}.${column}`),
  };
}

/** True when the reader writes the field, so that its picker grants the label of what it refers to. */
export function isPicker(reader: Call, path: string): boolean {
  const { operations } = reader.access;
  return (operations.has('create') || operations.has('update')) && canWrite(reader.access, path);
}

/** The rows of a target that are open to the reader (or, without any grant, to its picker), as an SQL condition. */
export function openRows(
  reader: Call,
  target: string,
  place: { readonly alias: string; readonly values: unknown[]; readonly isAnyCompany: boolean },
): string {
  const found = targetPlace(target, reader.catalog);
  if (found === null) return 'false';
  if (isSystemCall(reader)) return 'true';
  const { subject, context } = reader.caller;
  const access = accessTo(reader.services, subject, found.resource);
  const key = `${target} ${place.alias} ${place.isAnyCompany}`;
  return writtenOnce({ access, context }, { key, values: place.values }, (watched) =>
    writeOpenRows({ ...reader, caller: { ...reader.caller, context: watched } }, found, place),
  );
}

function writeOpenRows(
  reader: Call,
  found: PathPlace,
  place: { readonly alias: string; readonly values: unknown[]; readonly isAnyCompany: boolean },
): string {
  const { alias, values, isAnyCompany } = place;
  const { resource, lines } = found;
  if (lines === undefined) return headRows(reader, resource, { alias, values, isAnyCompany });
  const head = `${alias}p`;
  const own = headRows(reader, resource, { alias: head, values, isAnyCompany });
  const tie = resource.scope === 'company' ? ` and ${head}.co_code = ${alias}.co_code` : '';
  const limit = accessTo(reader.services, reader.caller.subject, resource).lines[lines];
  const open =
    limit === undefined ? own : `${own} and (${lineRows(reader, found, { limit, alias, head, values })})`;
  return `exists (select 1 from ${tableOf(resource)} ${head} where ${head}.id = ${alias}.parent_id${tie} and ${open})`;
}

/** The rows of a resource that somebody without any grant on it may pick from: the company's, a partner's own. */
export function unreadRows(reader: Call, resource: Resource): Filter | null {
  if (reader.caller.subject.kind !== 'partner') return {};
  const path = partnerPath(resource, reader.catalog);
  if (path !== null) return { [path]: { eq: { $: 'user.partner_id' } } };
  return resource.scope === 'global' ? {} : null;
}

/** Keeps the paths of a caller's filter, sort or column to rows that the caller may read; see `SqlPlace.reach`. */
export function reachOf(reader: Call, values: unknown[]): NonNullable<SqlPlace['reach']> {
  return ({ resource, lines, alias }) =>
    openRows(reader, lines === undefined ? resource.resource : `${resource.resource}.${lines}`, {
      alias,
      values,
      isAnyCompany: true,
    });
}

const ALL: Eyes = { mayRead: true, seesLabel: true, sees: () => true };
const NOTHING: Eyes = { mayRead: false, seesLabel: false, sees: () => false };

function isReader(access: ResourceAccess): boolean {
  return access.operations.has('list') || access.operations.has('read');
}

/** A label that is itself a reference names yet another record: who may not read those does not see it. */
function isLabelOpen(reader: Call, resource: Resource): boolean {
  const to = resource.fields[resource.label]?.to;
  if (typeof to !== 'string' || to === resource.resource) return true;
  return eyesOn(reader, to).seesLabel;
}

function headRows(
  reader: Call,
  resource: Resource,
  place: { readonly alias: string; readonly values: unknown[]; readonly isAnyCompany: boolean },
): string {
  const { alias, values, isAnyCompany } = place;
  const { services, caller, catalog } = reader;
  const access = accessTo(services, caller.subject, resource);
  const { rows, companies } = openTo(reader, resource, access);
  if (rows === null) return 'false';
  const isOwn = resource.scope === 'company' && companies === 'own' && !isAnyCompany;
  const conditions = isOwn ? [`${alias}.co_code = ${bind(values, caller.subject.co_code)}`] : [];
  if (Object.keys(rows).length > 0)
    conditions.push(`(${filterToSql(rows, { resource, catalog, alias, context: caller.context, values })})`);
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

/** The rows that the role reads; else those whose name it may see, else those that its pickers offer. */
function openTo(reader: Call, resource: Resource, access: ResourceAccess): RowAccess {
  if (isReader(access)) return access;
  if (access.operations.has('name')) return rowsFor(access, 'name');
  return { rows: unreadRows(reader, resource), companies: 'own' };
}

function lineRows(
  reader: Call,
  { resource, lines }: PathPlace,
  at: { readonly limit: Filter; readonly alias: string; readonly head: string; readonly values: unknown[] },
): string {
  const { catalog, caller } = reader;
  const place = { alias: at.alias, parentAlias: at.head, values: at.values };
  return filterToSql(at.limit, {
    resource,
    catalog,
    context: caller.context,
    ...place,
    ...(lines === undefined ? {} : { lines }),
  });
}
