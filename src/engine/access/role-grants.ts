import { ROW_SCOPES, type RowScope } from '../schema/lifecycle-definition.ts';
import type { Catalog, Resource, Subject } from '../schema/resource.ts';
import { type Grant, toldBy } from './joined-grants.ts';

/** An active row of permission_rule: it replaces what the file grants to that role on that resource; see `grantsOf`. */
export interface AccessOverride {
  readonly resource: string;
  readonly role: string;
  readonly actions: readonly string[];
  readonly row_scope: string | null;
  readonly hidden_fields: readonly string[];
  readonly readonly_fields: readonly string[];
}

export interface AccessSurroundings {
  readonly catalog: Pick<Catalog, 'resources' | 'roles'>;
  readonly overrides?: readonly AccessOverride[];
}

/**
 * What the active role of a person is granted: by the file, or by the rows that stand in its place. For customers such a row
 * only narrows: rows, lines and fields that the file keeps from them are other people's, whatever an administrator ticks.
 */
export function grantsOf(
  resource: Resource,
  subject: Subject,
  { overrides }: AccessSurroundings,
): readonly Grant[] {
  const own = (overrides ?? []).filter(
    (override) => override.resource === resource.resource && override.role === subject.role_code,
  );
  const written = resource.access.filter(({ role }) => {
    const roles = typeof role === 'string' ? [role] : role;
    return roles.includes(subject.role_code) || (roles.includes('*') && subject.kind === 'staff');
  });
  // What a role may be told does not change with what it may do; a row hides by name what it wants hidden.
  const tell = [...toldBy(written)];
  const shipped = written.map((grant) => ({ ...grant, do: withImplied(resource, grant.do) }));
  if (own.length === 0) return shipped;
  const replacing = own.map((override) => ({ ...overrideGrant(override), tell }));
  if (subject.kind !== 'partner') return replacing;
  return replacing.flatMap((row) => shipped.map((grant) => narrowed(resource, grant, row)));
}

/**
 * What comes with a right by itself: withdrawing with submitting, deleting and voiding drafts with creating, 启用 and 停用
 * with updating (resources.md, section 1).
 */
export function withImplied(resource: Resource, operations: readonly string[]): readonly string[] {
  const implied = new Set(operations);
  const actions = resource.lifecycle?.actions ?? {};
  if (implied.has('submit')) implied.add('withdraw');
  if (implied.has('create') && resource.kind === 'document') implied.add('delete');
  const initial = resource.lifecycle?.initial ?? '';
  const isDraftVoid =
    actions['void']?.from.every((state) => state === initial || state === 'rejected') === true;
  if (implied.has('create') && isDraftVoid) implied.add('void');
  if (implied.has('update') && hasStandardPair(resource))
    for (const key of ['enable', 'disable']) implied.add(key);
  return [...implied];
}

/** The operations and actions that a grant opens; `*` is all of them. */
export function operationsOf(resource: Resource, grant: Pick<Grant, 'do'>): ReadonlySet<string> {
  if (!grant.do.includes('*')) return new Set(grant.do);
  const base = [
    'list',
    'read',
    'create',
    'update',
    'delete',
    'export',
    'import',
    'print',
    'approve',
    'withdraw',
  ];
  return new Set([...base, ...Object.keys(resource.lifecycle?.actions ?? {})]);
}

/** A grant as far as a row leaves it: it takes rights and fields away and gives none. */
function narrowed(resource: Resource, grant: Grant, row: Grant): Grant {
  const left = operationsOf(resource, row);
  return {
    ...grant,
    do: [...operationsOf(resource, grant)].filter((operation) => left.has(operation)),
    hide: [...(grant.hide ?? []), ...(row.hide ?? [])],
    readOnly: [...(grant.readOnly ?? []), ...(row.readOnly ?? [])],
  };
}

function overrideGrant(override: AccessOverride): Grant {
  const scope = ROW_SCOPES.find((name): name is RowScope => name === override.row_scope);
  return {
    do: override.actions.includes('submit') ? [...override.actions, 'withdraw'] : override.actions,
    hide: override.hidden_fields,
    readOnly: override.readonly_fields,
    ...(scope === undefined ? {} : { rows: scope }),
  };
}

/** Masters and settings, whatever other actions they have; what must be approved says itself who disables it. */
function hasStandardPair({ kind, lifecycle }: Resource): boolean {
  const actions = lifecycle?.actions ?? {};
  return (
    (kind === 'master' || kind === 'config') &&
    actions['enable'] !== undefined &&
    actions['disable'] !== undefined
  );
}
