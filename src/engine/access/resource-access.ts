import type { Filter } from '../schema/definition.ts';
import type { Resource, Subject } from '../schema/resource.ts';
import { isPathHidden, taintHidden } from './hidden-fields.ts';
import { taintOf } from './hidden-by-grants.ts';
import { type Grant, lineFilters, readOnlyBy, showsRecords, toldBy, writtenFields } from './joined-grants.ts';
import { type AccessSurroundings, grantsOf, operationsOf } from './role-grants.ts';
import { joinRows, type RowAccess, rowAccess } from './row-scope.ts';

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
  const isRead = (other: Resource): boolean => grantsOf(other, subject, surroundings).some(showsRecords);
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
    readOnly: readOnlyBy(writing),
    ...(write === null ? {} : { write }),
    lines: lineFilters(grants),
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

const READING: ReadonlySet<string> = new Set(['list', 'read', 'name', 'export', 'print']);
