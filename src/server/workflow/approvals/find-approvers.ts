import { among } from '#server/kernel/db/among.ts';
import { type RoleDuty, roleWithDuty } from '#engine/access/role-duties.ts';
import type { RoleDefinition } from '#engine/schema/resource.ts';
import type { Approver } from '#contract/records.ts';
import type { LevelSource, ResolvedLevel } from '#server/records/following.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { FlowLevel } from './approval-flow.ts';
import { approversAmong } from './approve-right.ts';
import { inForce } from './people-with-right.ts';
import { keptApart } from './kept-apart.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * The people of every level (flows.md section 6): who holds what the level names and may approve the record now. The
 * submitter never approves, nor whoever else is kept apart. A level whose only holder is such a person is skipped while a
 * later level remains; otherwise another holder acts, failing that 总经理.
 */
export async function resolveLevels(
  db: Reader,
  call: Call,
  asked: Asked & { readonly levels: readonly FlowLevel[] },
): Promise<readonly ResolvedLevel[]> {
  const resolved: ResolvedLevel[] = [];
  const apart = await keptApart(db, call, asked);
  for (const [index, level] of asked.levels.entries()) {
    const found = await holdersOfLevel(db, call, level, asked.record);
    const { persons: others } = await withRight(db, call, asked, found);
    const isLast = index === asked.levels.length - 1;
    const isOwn = found.persons.some(({ id }) => apart.has(id));
    if (others.length > 0)
      resolved.push(levelOf(level, { persons: others, reason: found.reason, skipped: null }));
    else if (isOwn && !isLast)
      resolved.push(
        levelOf(level, {
          persons: [],
          reason: found.reason,
          skipped: '提交人是该级唯一的审核人，由后续级次审核',
        }),
      );
    else resolved.push(levelOf(level, { ...(await topHolders(db, call, asked)), skipped: null }));
  }
  return resolved;
}

/** Who may decide a level of a record now, those who are kept apart left out; 总经理 when nobody else is left. */
export async function decidersNow(
  db: Reader,
  call: Call,
  asked: Asked & { readonly source: LevelSource },
): Promise<readonly Approver[]> {
  const found = await holdersOfLevel(db, call, asked.source, asked.record);
  const { persons } = await withRight(db, call, asked, found);
  return persons.length > 0 ? persons : (await topHolders(db, call, asked)).persons;
}

/** Active people of a company by id. */
export async function activePeople(
  db: Reader,
  { company, today }: Place,
  ids: readonly string[],
): Promise<readonly Approver[]> {
  if (ids.length === 0) return [];
  const rows = await db.query(
    `select p.id, p.name from person p where p.id = ${among('$1')} and p.co_code = $2 and ${inForce('$3')} order by p.name`,
    [ids, company, today],
    'active_people',
  );
  return rows.map(approver);
}

/** Names of people by id, whether they are still there or not: who decided stays named. */
export async function peopleNamed(db: Reader, ids: readonly string[]): Promise<readonly Approver[]> {
  const rows = await db.query(
    `select p.id, p.name from person p where p.id = ${among('$1')}`,
    [ids],
    'people_named',
  );
  return rows.map(approver);
}

/** A company on a day. */
interface Place {
  readonly company: string;
  readonly today: string;
}

interface Asked {
  readonly record: OpenRecord;
  readonly submitterId: string;
}

/** Where a department's head is looked for, and by which role. */
interface InDepartment {
  readonly head: string | null;
  readonly department: string | null;
}

interface Found {
  readonly persons: readonly Approver[];
  readonly reason: string;
}

function levelOf(level: FlowLevel, found: Found & { readonly skipped: string | null }): ResolvedLevel {
  const { level_no, title, mode, timeout_hours, skip_if_same, approver_kind, roles, person_ids } = level;
  const source = { approver_kind, roles, person_ids };
  return { level_no, title, mode, timeout_hours, skip_if_same, source, ...found };
}

async function topHolders(db: Reader, call: Call, asked: Asked): Promise<Found> {
  const persons = await dutyHolders(db, call, asked.record, 'last_approver');
  const name = dutyRole(call, 'last_approver')?.name ?? '';
  return withRight(db, call, asked, { persons, reason: `没有其他审核人，由${name}审核` });
}

/** Those who may approve the record now; who submitted or made it never does. */
async function withRight(db: Reader, call: Call, asked: Asked, found: Found): Promise<Found> {
  const apart = await keptApart(db, call, asked);
  const people = found.persons.map(({ id }) => id).filter((id) => !apart.has(id));
  const allowed = await approversAmong(db, call, { record: asked.record, people });
  return { ...found, persons: found.persons.filter(({ id }) => allowed.has(id)) };
}

async function holdersOfLevel(
  db: Reader,
  call: Call,
  level: LevelSource,
  record: OpenRecord,
): Promise<Found> {
  const place = placeOf(call, record);
  switch (level.approver_kind) {
    case 'person':
      return { persons: await activePeople(db, place, level.person_ids), reason: '流程指定的审核人' };
    case 'dept_manager':
      return departmentManager(db, place, {
        head: dutyRole(call, 'department_head')?.code ?? null,
        department: departmentOf(call, record),
      });
    case 'owner_service':
      return ownerService(db, call, record);
    case 'role':
      break;
  }
  return holdersOfRoles(db, place, {
    roles: level.roles,
    head: dutyRole(call, 'department_head')?.code ?? null,
    department: departmentOf(call, record),
  });
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
     select p.id, p.name, up.name as department from up join person p on p.id = up.manager_id and p.co_code = $1
      where ${inForce('$3')} order by up.depth limit 1`,
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
async function ownerService(db: Reader, call: Call, record: OpenRecord): Promise<Found> {
  const place = placeOf(call, record);
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
  const persons = id === null ? [] : await activePeople(db, place, [id]);
  if (persons.length > 0) return { persons, reason: '委托方的专属客服' };
  return { persons: await dutyHolders(db, call, record, 'service'), reason: '客服角色的持有人' };
}

function dutyRole(call: Call, duty: RoleDuty): RoleDefinition | null {
  const { roles } = call.catalog;
  return roles[roleWithDuty(roles, duty) ?? ''] ?? null;
}

async function dutyHolders(
  db: Reader,
  call: Call,
  record: OpenRecord,
  duty: RoleDuty,
): Promise<readonly Approver[]> {
  const role = dutyRole(call, duty);
  return role === null ? [] : roleHolders(db, placeOf(call, record), [role.code], null);
}

async function roleHolders(
  db: Reader,
  { company, today }: Place,
  roles: readonly string[],
  department: string | null,
): Promise<readonly Approver[]> {
  const ofDepartment =
    department === null
      ? ''
      : 'and exists (select 1 from department d where d.id = p.dept_id and d.code = $4)';
  const rows = await db.query(
    `select p.id, p.name from person p
      where p.co_code = $1 and ${inForce('$3')}
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

function placeOf(call: Call, record: OpenRecord): Place {
  const company = textOf(record['co_code'] ?? call.caller.subject.co_code);
  return { company, today: call.caller.context.today };
}

function departmentOf(call: Call, record: OpenRecord): string | null {
  const code = record['dept_code'] ?? call.caller.subject.dept_code;
  return typeof code === 'string' && code !== '' ? code : null;
}

function approver(row: Readonly<Record<string, unknown>>): Approver {
  return { id: String(row['id']), name: textOf(row['name'] ?? '') };
}
