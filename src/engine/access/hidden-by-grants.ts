import type { Resource, Subject } from '../schema/resource.ts';
import { declaredHidden, fieldPaths, taintHidden } from './hidden-fields.ts';
import { showsRecords, toldBy } from './joined-grants.ts';
import { type AccessSurroundings, grantsOf } from './role-grants.ts';
import { coversRows, rowAccess } from './row-scope.ts';

/** The fields hidden from a person who may list or read a resource; null where neither is open. */
export function hiddenFrom(
  resource: Resource,
  subject: Subject,
  surroundings: AccessSurroundings,
): ReadonlySet<string> | null {
  const grants = grantsOf(resource, subject, surroundings);
  const isOpen = grants.some(showsRecords);
  if (!isOpen) return null;
  const taint = taintOf(subject, surroundings);
  return taintHidden(resource, taint.hiddenOf(resource), { ...taint, told: toldBy(grants) });
}

/** What grants hide by their own words, resource by resource: asked for each once. */
export function taintOf(subject: Subject, surroundings: AccessSurroundings) {
  return {
    catalog: surroundings.catalog,
    hiddenOf: memoised((other: Resource) => hiddenByGrants(other, subject, surroundings)),
  };
}

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
    .filter(showsRecords)
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
