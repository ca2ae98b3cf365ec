import { among } from '#server/kernel/db/among.ts';
import { isRowOpen } from '#engine/lifecycle/action-states.ts';
import { resourceAccess, rowsFor } from '#engine/access/resource-access.ts';
import { filterReadPaths } from '#engine/schema/filter-reads.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { Subject } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { withPathValues } from '#server/records/read/with-path-values.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { readAccess } from '#server/records/call/override-rows.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * Who of these people may do something with a record at this moment (`read`, `approve`): active, and one of the roles held
 * now has the right on its row. Rights are read from the database, not from what this process remembers of them.
 */
export async function peopleWithRight(
  db: Reader,
  call: Call,
  asked: {
    readonly record: OpenRecord;
    readonly people: readonly string[];
    readonly operation: string;
    readonly account?: AccountState;
  },
): Promise<ReadonlySet<string>> {
  const { operation, account = 'open' } = asked;
  const found = new Set<string>();
  if (asked.people.length === 0) return found;
  const { resource, catalog } = call;
  const overrides = catalog.resources['permission_rule'] === undefined ? [] : await readAccess(db);
  for (const person of await heldRoles(db, call, asked.people, account))
    for (const role of person.roles) {
      const subject = subjectOf(person, role);
      const access = resourceAccess(resource, subject, { catalog, overrides });
      if (!access.operations.has(operation)) continue;
      const { rows } = rowsFor(access, operation);
      const own = isPersonal(rows) && account === 'open' ? await ownSubject(db, call, subject) : subject;
      if (own === null) continue;
      const context = { ...call.caller.context, subject: own };
      const reader: Call = { ...call, access, caller: { ...call.caller, subject: own, context } };
      const record = await withPathValues(db, reader, { record: asked.record, paths: filterReadPaths(rows) });
      if (isRowOpen(recordScope(reader, record), access, operation)) found.add(person.id);
    }
  return found;
}

/** The condition of an SQL alias `p` for people who are in force today; the day is bound as `$n`. */
export function inForce(day: string): string {
  return `p.status = 'active' and p.is_deleted = false and (p.leave_date is null or p.leave_date > ${day}::date)`;
}

/** How people of a company stand: in force, or with an account that is closed by its state or because the last day has come. */
export type AccountState = 'open' | 'closed';

/** The condition of an SQL alias `p` for people who stand so; the day is bound as `$n`. */
export function accountIs(asked: AccountState, day: string): string {
  return asked === 'open' ? inForce(day) : `not (${inForce(day)})`;
}

interface HeldRoles {
  readonly id: string;
  readonly company: string;
  readonly scopeOverride: string | null;
  readonly isSuper: boolean;
  readonly roles: readonly string[];
}

async function heldRoles(
  db: Reader,
  call: Call,
  people: readonly string[],
  account: AccountState,
): Promise<readonly HeldRoles[]> {
  const rows = await db.query(
    `select p.id, p.co_code, p.scope_override, p.super_permission,
       array(select r.code from role r where r.id = any(p.role_ids) and r.status = 'active' and r.is_deleted = false) as roles
     from person p where p.id = ${among('$1')} and ${accountIs(account, '$2')}`,
    [people, call.caller.context.today],
    'held_roles',
  );
  return rows.map((row) => ({
    id: String(row['id']),
    company: textOf(row['co_code'] ?? ''),
    scopeOverride: typeof row['scope_override'] === 'string' ? row['scope_override'] : null,
    isSuper: row['super_permission'] === true,
    roles: Array.isArray(row['roles']) ? row['roles'].map(String) : [],
  }));
}

/** The person in one role, as far as rows that are the same for everybody in it need. */
function subjectOf(person: HeldRoles, role: string): Subject {
  const { id, company, scopeOverride, isSuper, roles } = person;
  return {
    id,
    personid: '',
    name: '',
    kind: 'staff',
    role_code: role,
    role_codes: roles,
    co_code: company,
    dept_code: '',
    dept_codes: [],
    sales_ids: [id],
    sales_id: id,
    partner_id: null,
    super_permission: isSuper,
    scope_override: scopeOverride,
  };
}

/** The same with department and service targets, for rows that ask for them. */
async function ownSubject(db: Reader, call: Call, subject: Subject): Promise<Subject | null> {
  const subjects = await call.services.following.subjectsOf(db, subject.id);
  return subjects.find(({ role_code: role }) => role === subject.role_code) ?? null;
}

function isPersonal(rows: Filter | null): boolean {
  return rows !== null && JSON.stringify(rows).includes('"user.');
}
