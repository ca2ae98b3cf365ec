import { type RoleDuty, roleWithDuty } from '#engine/access/role-duties.ts';
import type { RoleDefinition } from '#engine/schema/resource.ts';
import { among } from '#server/kernel/db/among.ts';
import type { Approver } from '#contract/records.ts';
import type { LevelSource } from '#server/records/following.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { type AccountState, accountIs } from './people-with-right.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** Who holds what a level names, in force or with a closed account; rights are not asked here. */
export async function holdersOfLevel(
  db: Reader,
  call: Call,
  level: LevelSource,
  { record, account }: Asked,
): Promise<Found> {
  const place = placeOf(call, { record, account });
  switch (level.approver_kind) {
    case 'person':
      return { persons: await peopleAmong(db, place, level.person_ids), reason: '流程指定的审核人' };
    case 'dept_manager':
      return departmentManager(db, place, {
        head: dutyRole(call, 'department_head')?.code ?? null,
        department: departmentOf(call, record),
      });
    case 'owner_service':
      return ownerService(db, call, { record, account });
    case 'role':
      break;
  }
  return holdersOfRoles(db, place, {
    roles: level.roles,
    head: dutyRole(call, 'department_head')?.code ?? null,
    department: departmentOf(call, record),
  });
}

/** The role that has a duty; null where none has. */
export function dutyRole(call: Call, duty: RoleDuty): RoleDefinition | null {
  const { roles } = call.catalog;
  return roles[roleWithDuty(roles, duty) ?? ''] ?? null;
}

/** Who holds the role of a duty. */
export async function dutyHolders(
  db: Reader,
  call: Call,
  asked: Asked,
  duty: RoleDuty,
): Promise<readonly Approver[]> {
  const role = dutyRole(call, duty);
  return role === null ? [] : roleHolders(db, placeOf(call, asked), [role.code], null);
}

/** Those of some people who stand so in the company. */
export async function peopleAmong(
  db: Reader,
  { company, today, account }: Place,
  ids: readonly string[],
): Promise<readonly Approver[]> {
  if (ids.length === 0) return [];
  const rows = await db.query(
    `select p.id, p.name from person p where p.id = ${among('$1')} and p.co_code = $2 and ${accountIs(account, '$3')} order by p.name`,
    [ids, company, today],
    'people_among',
  );
  return rows.map(approver);
}

/** People of a level, and why these. */
export interface Found {
  readonly persons: readonly Approver[];
  readonly reason: string;
}

/** A company on a day, and of its people those in force or those whose account is closed. */
interface Place {
  readonly company: string;
  readonly today: string;
  readonly account: AccountState;
}

/** A record, and how the people stand who are asked for. */
interface Asked {
  readonly record: OpenRecord;
  readonly account: AccountState;
}

/** Where a department's head is looked for, and by which role. */
interface InDepartment {
  readonly head: string | null;
  readonly department: string | null;
}

/** Any one role will do: the department's head within the department, the others in the whole company. */
async function holdersOfRoles(
  db: Reader,
  place: Place,
  asked: InDepartment & { readonly roles: readonly string[] },
): Promise<Found> {
  const { roles, head, department } = asked;
  if (head === null || !roles.includes(head) || department === null) return holdersOf(db, place, roles);
  const heads = await headsOf(db, place, { head, department });
  const others = roles.filter((role) => role !== head);
  if (others.length === 0) return heads;
  const beside = await holdersOf(db, place, others);
  const known = new Set(heads.persons.map(({ id }) => id));
  return {
    persons: [...heads.persons, ...beside.persons.filter(({ id }) => !known.has(id))],
    reason: `${heads.reason}，或${beside.reason}`,
  };
}

async function holdersOf(db: Reader, place: Place, roles: readonly string[]): Promise<Found> {
  const persons = await roleHolders(db, place, roles, null);
  return { persons, reason: `角色“${await roleNames(db, roles)}”的持有人` };
}

async function headsOf(
  db: Reader,
  place: Place,
  asked: { readonly head: string; readonly department: string },
): Promise<Found> {
  const name = await roleNames(db, [asked.head]);
  const inDepartment = await roleHolders(db, place, [asked.head], asked.department);
  if (inDepartment.length > 0) return { persons: inDepartment, reason: `本部门角色“${name}”的持有人` };
  const manager = await departmentManager(db, place, asked);
  if (manager.persons.length > 0) return manager;
  return {
    persons: await roleHolders(db, place, [asked.head], null),
    reason: `公司内角色“${name}”的持有人`,
  };
}

/** The manager of the record's department or of one above it, else whoever holds 部门经理 there. */
async function departmentManager(db: Reader, place: Place, asked: InDepartment): Promise<Found> {
  const { head, department } = asked;
  const rows = await db.query(
    `with recursive up as (
       select d.id, d.parent_id, d.manager_id, d.name, 0 as depth from department d
        where d.co_code = $1 and d.code = $2 and d.is_deleted = false
       union all
       select d.id, d.parent_id, d.manager_id, d.name, up.depth + 1 from department d join up on d.id = up.parent_id
        where d.is_deleted = false and up.depth < 20)
     select p.id, p.name, up.name as department from up join person p on p.id = up.manager_id
      where p.co_code = $1 and ${accountIs(place.account, '$3')} order by up.depth limit 1`,
    [place.company, department, place.today],
    'department_manager',
  );
  const [row] = rows;
  if (row !== undefined)
    return { persons: [approver(row)], reason: `${String(row['department'])}的部门经理` };
  const holders = head === null ? [] : await roleHolders(db, place, [head], department);
  return { persons: holders, reason: '本部门经理角色的持有人' };
}

/** The customer-service person of the record's partner, else every 客服 of the company. */
async function ownerService(db: Reader, call: Call, asked: Asked): Promise<Found> {
  const { record } = asked;
  const place = placeOf(call, asked);
  const direct = record['service_id'];
  const partner = record['partner_id'];
  let id = typeof direct === 'string' ? direct : null;
  if (
    id === null &&
    typeof partner === 'string' &&
    call.catalog.resources['partner']?.fields['service_id'] !== undefined
  ) {
    const [row] = await db.query(
      'select service_id from partner where id = $1::uuid',
      [partner],
      'partner_service',
    );
    id = typeof row?.['service_id'] === 'string' ? row['service_id'] : null;
  }
  const persons = id === null ? [] : await peopleAmong(db, place, [id]);
  if (persons.length > 0) return { persons, reason: '委托方的专属客服' };
  return { persons: await dutyHolders(db, call, asked, 'service'), reason: '客服角色的持有人' };
}

async function roleHolders(
  db: Reader,
  { company, today, account }: Place,
  roles: readonly string[],
  department: string | null,
): Promise<readonly Approver[]> {
  const ofDepartment =
    department === null
      ? ''
      : 'and exists (select 1 from department d where d.id = p.dept_id and d.code = $4)';
  const rows = await db.query(
    `select p.id, p.name from person p
      where p.co_code = $1 and ${accountIs(account, '$3')}
        and exists (select 1 from role r where r.id = any(p.role_ids) and r.code = ${among('$2', 'text')} and r.is_deleted = false and r.status = 'active')
        ${ofDepartment}
      order by p.name, p.id`,
    [company, roles, today, ...(department === null ? [] : [department])],
    'role_holders',
  );
  return rows.map(approver);
}

async function roleNames(db: Reader, roles: readonly string[]): Promise<string> {
  const rows = await db.query(
    `select r.name from role r where r.code = ${among('$1', 'text')} and r.is_deleted = false order by r.code`,
    [roles],
    'role_names',
  );
  return rows.length === 0 ? roles.join('、') : rows.map((row) => String(row['name'])).join('、');
}

function placeOf(call: Call, { record, account }: Asked): Place {
  const company = textOf(record['co_code'] ?? call.caller.subject.co_code);
  return { company, today: call.caller.context.today, account };
}

function departmentOf(call: Call, record: OpenRecord): string | null {
  const code = record['dept_code'] ?? call.caller.subject.dept_code;
  return typeof code === 'string' && code !== '' ? code : null;
}

/** A person as one who is asked. */
export function approver(row: Readonly<Record<string, unknown>>): Approver {
  return { id: String(row['id']), name: textOf(row['name'] ?? '') };
}
