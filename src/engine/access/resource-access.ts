import type { Filter } from '../schema/definition.ts';
import { type AccessDefinition, ROW_SCOPES, type RowScope } from '../schema/lifecycle-definition.ts';
import type { Catalog, Resource, Subject } from '../schema/resource.ts';
import { declaredHidden, fieldPaths, isPathHidden, taintHidden } from './hidden-fields.ts';
import { coversRows, joinRows, type RowAccess, rowAccess } from './row-scope.ts';

/** What one person in one role may do with a resource. */
export interface ResourceAccess {
  /** The active role: what a state opens may differ by it. */
  readonly role: string;
  /** Base operations and action keys. */
  readonly operations: ReadonlySet<string>;
  /** Rows open for list, read and whatever shows them; null is none, `{}` all of the companies. */
  readonly rows: Filter | null;
  readonly companies: 'own' | 'all';
  /** Rows open for one operation: see `rowsFor`. */
  readonly rowsByOperation: Readonly<Record<string, RowAccess>>;
  /** Fields never shown, by path from the head (`risk_level`, `items.cost`), with all that is computed from them. */
  readonly hidden: ReadonlySet<string>;
  /** Paths of `resource.paths` that lead through hidden fields or unread resources: their values are not sent. */
  readonly hiddenPaths: ReadonlySet<string>;
  readonly readOnly: ReadonlySet<string>;
  /** When given, only these may be written. */
  readonly write?: ReadonlySet<string>;
  /** Lines that are left out unless they match. */
  readonly lines: Readonly<Record<string, Filter>>;
}

/** An active row of permission_rule: it replaces what the file grants to that role on that resource. */
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

type Grant = Omit<AccessDefinition, 'role'>;

/** The union of the grants of the person's active role. Without any grant nothing is open. */
export function resourceAccess(
  resource: Resource,
  subject: Subject,
  surroundings: AccessSurroundings,
): ResourceAccess {
  const grants = grantsOf(resource, subject, surroundings);
  const roleScope = surroundings.catalog.roles[subject.role_code]?.row_scope ?? 'own';
  const opened = grants.map((grant) => ({
    grant,
    operations: underMandate(
      resource,
      subject,
      openToGroup(resource, subject, { grant, operations: operationsOf(resource, grant) }),
    ),
    rows: rowAccess(resource, subject, { rows: grant.rows, roleScope, catalog: surroundings.catalog }),
  }));
  const operations = new Set(opened.flatMap((open) => [...open.operations]));
  const rowsByOperation = Object.fromEntries(
    [...operations].map((operation): [string, RowAccess] => [
      operation,
      joinRows(opened.filter((open) => open.operations.has(operation)).map((open) => open.rows)),
    ]),
  );
  const seen = joinRows(
    opened
      .filter(({ operations }) => operations.has('read') || operations.has('list'))
      .map(({ rows }) => rows),
  );
  const taint = taintOf(subject, surroundings);
  const told = toldBy(grants);
  const hidden = taintHidden(resource, taint.hiddenOf(resource), { ...taint, told });
  const isRead = (other: Resource): boolean =>
    grantsOf(other, subject, surroundings).some((grant) => grant.do.some((name) => SEEING.has(name)));
  const writing = grants.filter((grant) =>
    grant.do.some((operation) => operation === '*' || operation === 'create' || operation === 'update'),
  );
  const write = writtenFields(writing);
  return {
    role: subject.role_code,
    operations,
    rows: seen.rows,
    companies: seen.companies,
    rowsByOperation,
    hidden,
    hiddenPaths: new Set(
      resource.paths.filter((path) => isPathHidden(resource, path, hidden, { ...taint, isRead })),
    ),
    readOnly: intersection(writing.map((grant) => new Set(grant.readOnly ?? []))),
    ...(write === null ? {} : { write }),
    lines: lineFilters(grants),
  };
}

/** The fields hidden from a person who may list or read a resource; null where neither is open. */
export function hiddenFrom(
  resource: Resource,
  subject: Subject,
  surroundings: AccessSurroundings,
): ReadonlySet<string> | null {
  const grants = grantsOf(resource, subject, surroundings);
  const isOpen = grants.some((grant) => grant.do.some((operation) => SEEING.has(operation)));
  if (!isOpen) return null;
  const taint = taintOf(subject, surroundings);
  return taintHidden(resource, taint.hiddenOf(resource), { ...taint, told: toldBy(grants) });
}

/** What every grant that shows the resource tells. */
function toldBy(grants: readonly Grant[]): ReadonlySet<string> {
  const seeing = grants.filter((grant) => grant.do.some((operation) => SEEING.has(operation)));
  return intersection(seeing.map(({ tell = [] }) => new Set(tell)));
}

function taintOf(subject: Subject, surroundings: AccessSurroundings) {
  return {
    catalog: surroundings.catalog,
    hiddenOf: memoised((other: Resource) => hiddenByGrants(other, subject, surroundings)),
  };
}

/** The rows on which an operation or action is open. */
export function rowsFor(access: ResourceAccess, operation: string): RowAccess {
  return access.rowsByOperation[operation] ?? { rows: null, companies: 'own' };
}

/** True when a field (or column, by its path from the head) may be seen. */
export function canSee(access: Pick<ResourceAccess, 'hidden'>, path: string): boolean {
  const { hidden } = access;
  return hidden.size === 0 || !(hidden.has(path) || hidden.has(headOf(path)));
}

/** True when a field may be written as far as access decides; lifecycle and field may still close it. */
export function canWrite(
  access: Pick<ResourceAccess, 'hidden' | 'readOnly' | 'write'>,
  path: string,
): boolean {
  const head = headOf(path);
  if (!canSee(access, path) || access.readOnly.has(path) || access.readOnly.has(head)) return false;
  if (access.write === undefined || access.write.has(path) || access.write.has(head)) return true;
  // A child table is open when one of its columns is.
  return path === head && [...access.write].some((name) => name.startsWith(`${head}.`));
}

/** Asked for every cell of every line: without a list of parts. */
function headOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

function grantsOf(resource: Resource, subject: Subject, { overrides }: AccessSurroundings): readonly Grant[] {
  const own = (overrides ?? []).filter(
    (override) => override.resource === resource.resource && override.role === subject.role_code,
  );
  const written = resource.access.filter(({ role }) => {
    const roles = typeof role === 'string' ? [role] : role;
    return roles.includes(subject.role_code) || (roles.includes('*') && subject.kind === 'staff');
  });
  // What a role may be told does not change with what it may do; a row hides by name what it wants hidden.
  const tell = [...toldBy(written)];
  if (own.length > 0) return own.map((override) => ({ ...overrideGrant(override), tell }));
  return written.map((grant) => ({ ...grant, do: withImplied(resource, grant.do) }));
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

/** Masters and settings, whatever other actions they have; what must be approved says itself who disables it. */
function hasStandardPair({ kind, lifecycle }: Resource): boolean {
  const actions = lifecycle?.actions ?? {};
  return (
    (kind === 'master' || kind === 'config') &&
    actions['enable'] !== undefined &&
    actions['disable'] !== undefined
  );
}

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

/**
 * Data of all companies are written by whoever administers the group: super permission of the person, beside the grant. A
 * grant whose own condition names the rows (news of the own company) says for itself how far it goes.
 */
function openToGroup(
  resource: Resource,
  subject: Subject,
  { grant, operations }: { readonly grant: Grant; readonly operations: ReadonlySet<string> },
): ReadonlySet<string> {
  const isConfined = typeof grant.rows === 'object';
  if (resource.scope !== 'global' || subject.super_permission || isConfined) return operations;
  return new Set([...operations].filter((operation) => READING.has(operation)));
}

/** Whoever acts for a customer under a letter reads what the customer reads, and does what the letter says. */
function underMandate(
  { mandate }: Resource,
  { mandates }: Subject,
  operations: ReadonlySet<string>,
): ReadonlySet<string> {
  const isAllowed =
    mandates === undefined || mandate === '*' || (mandate !== undefined && mandates.includes(mandate));
  return isAllowed ? operations : new Set([...operations].filter((operation) => READING.has(operation)));
}

const SEEING: ReadonlySet<string> = new Set(['*', 'list', 'read']);
const READING: ReadonlySet<string> = new Set(['list', 'read', 'name', 'export', 'print']);

/**
 * A field is visible when, for every grant that opens rows, some grant that covers those rows shows it. A narrow grant
 * with all fields and a wide one with few therefore never show all fields of all rows.
 */
function hiddenByGrants(
  resource: Resource,
  subject: Subject,
  surroundings: AccessSurroundings,
): ReadonlySet<string> {
  const roleScope = surroundings.catalog.roles[subject.role_code]?.row_scope ?? 'own';
  const stamps = subject.kind === 'partner' ? innerStamps(resource) : [];
  const seeing = grantsOf(resource, subject, surroundings)
    .filter((grant) => grant.do.some((operation) => SEEING.has(operation)))
    .map((grant) => ({
      rows: rowAccess(resource, subject, { rows: grant.rows, roleScope, catalog: surroundings.catalog }),
      hidden: declaredHidden(resource, grant),
    }));
  const hidden = new Set<string>(stamps);
  if (seeing.every((grant) => grant.hidden.size === 0)) return hidden;
  for (const path of fieldPaths(resource).keys())
    for (const { rows } of seeing)
      if (!seeing.some((other) => !other.hidden.has(path) && coversRows(other.rows, rows))) hidden.add(path);
  return hidden;
}

/** Who wrote, handed in and decided, and with what words, is no customer's business. */
const INNER_STAMPS = ['created_by', 'updated_by', 'submitted_by', 'approved_by', 'reject_reason'] as const;

function innerStamps({ fields }: Resource): readonly string[] {
  return INNER_STAMPS.filter((name) => fields[name]?.standard === true);
}

function writtenFields(grants: readonly Grant[]): ReadonlySet<string> | null {
  if (grants.length === 0 || grants.some((grant) => grant.write === undefined)) return null;
  return new Set(grants.flatMap((grant) => grant.write ?? []));
}

function lineFilters(grants: readonly Grant[]): Readonly<Record<string, Filter>> {
  const names = new Set(grants.flatMap((grant) => Object.keys(grant.lines ?? {})));
  const filters: Record<string, Filter> = {};
  for (const name of names) {
    const given = grants.map((grant) => grant.lines?.[name]);
    const limits = given.filter((filter) => filter !== undefined);
    if (limits.length < given.length) continue;
    const [first] = limits;
    if (first !== undefined) filters[name] = limits.length === 1 ? first : { or: limits };
  }
  return filters;
}

function intersection(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first, ...others] = sets;
  return new Set([...(first ?? [])].filter((name) => others.every((set) => set.has(name))));
}

function memoised(
  hiddenOf: (resource: Resource) => ReadonlySet<string>,
): (resource: Resource) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (resource) => {
    const hidden = known.get(resource.resource) ?? hiddenOf(resource);
    known.set(resource.resource, hidden);
    return hidden;
  };
}
