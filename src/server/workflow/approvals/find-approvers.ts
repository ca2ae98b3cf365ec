import type { Approver, ResolvedLevel } from '#server/records/following.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { FlowLevel } from './approval-flow.ts';
import { textOf } from '#server/records/call/text-of.ts';

const TOP_ROLE = 'GM';
const DEPARTMENT_ROLE = 'DM';

/**
 * The people of every level (flows.md section 6). The submitter never approves. A level whose only holder is the
 * submitter is skipped while a later level remains; otherwise another holder acts, failing that 总经理.
 */
export async function resolveLevels(
  db: Reader,
  call: Call,
  asked: { readonly levels: readonly FlowLevel[]; readonly record: OpenRecord; readonly submitterId: string },
): Promise<readonly ResolvedLevel[]> {
  const resolved: ResolvedLevel[] = [];
  for (const [index, level] of asked.levels.entries()) {
    const found = await holdersOfLevel(db, call, level, asked.record);
    const others = found.persons.filter(({ id }) => id !== asked.submitterId);
    const isLast = index === asked.levels.length - 1;
    const isOnlySubmitter = others.length === 0 && found.persons.length > 0;
    if (others.length > 0)
      resolved.push(levelOf(level, { persons: others, reason: found.reason, skipped: null }));
    else if (isOnlySubmitter && !isLast)
      resolved.push(
        levelOf(level, {
          persons: [],
          reason: found.reason,
          skipped: '提交人是该级唯一的审核人，由后续级次审核',
        }),
      );
    else resolved.push(levelOf(level, await topLevel(db, call, asked)));
  }
  return resolved;
}

/** Active people of a company by id. */
export async function activePeople(
  db: Reader,
  company: string,
  ids: readonly string[],
): Promise<readonly Approver[]> {
  if (ids.length === 0) return [];
  const rows = await db.query(
    `select p.id, p.name from person p where p.id = any($1::uuid[]) and p.co_code = $2 and p.status = 'active' and p.is_deleted = false order by p.name`,
    [ids, company],
    'active_people',
  );
  return rows.map(approver);
}

interface Found {
  readonly persons: readonly Approver[];
  readonly reason: string;
}

function levelOf(level: FlowLevel, found: Found & { readonly skipped: string | null }): ResolvedLevel {
  const { level_no, title, mode, timeout_hours, skip_if_same } = level;
  return { level_no, title, mode, timeout_hours, skip_if_same, ...found };
}

async function topLevel(
  db: Reader,
  call: Call,
  asked: { readonly record: OpenRecord; readonly submitterId: string },
): Promise<Found & { readonly skipped: string | null }> {
  const holders = await roleHolders(db, companyOf(call, asked.record), [TOP_ROLE], null);
  const persons = holders.filter(({ id }) => id !== asked.submitterId);
  return { persons, reason: '没有其他审核人，由总经理审核', skipped: null };
}

async function holdersOfLevel(db: Reader, call: Call, level: FlowLevel, record: OpenRecord): Promise<Found> {
  const company = companyOf(call, record);
  switch (level.approver_kind) {
    case 'person':
      return { persons: await activePeople(db, company, level.person_ids), reason: '流程指定的审核人' };
    case 'dept_manager':
      return departmentManager(db, company, departmentOf(call, record));
    case 'owner_service':
      return ownerService(db, call, record);
    case 'role':
      break;
  }
  return holdersOfRoles(db, company, { roles: level.roles, department: departmentOf(call, record) });
}

async function holdersOfRoles(
  db: Reader,
  company: string,
  asked: { readonly roles: readonly string[]; readonly department: string | null },
): Promise<Found> {
  const { roles, department } = asked;
  const names = await roleNames(db, roles);
  if (!roles.includes(DEPARTMENT_ROLE) || department === null)
    return { persons: await roleHolders(db, company, roles, null), reason: `角色“${names}”的持有人` };
  const inDepartment = await roleHolders(db, company, roles, department);
  if (inDepartment.length > 0) return { persons: inDepartment, reason: `本部门角色“${names}”的持有人` };
  const manager = await departmentManager(db, company, department);
  if (manager.persons.length > 0) return manager;
  return { persons: await roleHolders(db, company, roles, null), reason: `公司内角色“${names}”的持有人` };
}

/** The manager of the record's department or of one above it, else whoever holds 部门经理 there. */
async function departmentManager(db: Reader, company: string, department: string | null): Promise<Found> {
  const rows = await db.query(
    `with recursive up as (
       select d.id, d.parent_id, d.manager_id, d.name, 0 as depth from department d
        where d.co_code = $1 and d.code = $2 and d.is_deleted = false
       union all
       select d.id, d.parent_id, d.manager_id, d.name, up.depth + 1 from department d join up on d.id = up.parent_id
        where d.is_deleted = false and up.depth < 20)
     select p.id, p.name, up.name as department from up join person p on p.id = up.manager_id and p.co_code = $1
      where p.status = 'active' and p.is_deleted = false order by up.depth limit 1`,
    [company, department],
    'department_manager',
  );
  const [row] = rows;
  if (row !== undefined)
    return { persons: [approver(row)], reason: `${String(row['department'])}的部门经理` };
  const holders = await roleHolders(db, company, [DEPARTMENT_ROLE], department);
  return { persons: holders, reason: '本部门经理角色的持有人' };
}

/** The customer-service person of the record's partner, else every 客服 of the company. */
async function ownerService(db: Reader, call: Call, record: OpenRecord): Promise<Found> {
  const company = companyOf(call, record);
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
  const persons = id === null ? [] : await activePeople(db, company, [id]);
  if (persons.length > 0) return { persons, reason: '委托方的专属客服' };
  return { persons: await roleHolders(db, company, ['CS'], null), reason: '客服角色的持有人' };
}

async function roleHolders(
  db: Reader,
  company: string,
  roles: readonly string[],
  department: string | null,
): Promise<readonly Approver[]> {
  const rows = await db.query(
    `select p.id, p.name from person p
      where p.co_code = $1 and p.status = 'active' and p.is_deleted = false
        and exists (select 1 from role r where r.id = any(p.role_ids) and r.code = any($2::text[]) and r.is_deleted = false and r.status = 'active')
        and ($3::text is null or exists (select 1 from department d where d.id = p.dept_id and d.code = $3))
      order by p.name, p.id`,
    [company, roles, department],
    'role_holders',
  );
  return rows.map(approver);
}

async function roleNames(db: Reader, roles: readonly string[]): Promise<string> {
  const rows = await db.query(
    `select r.name from role r where r.code = any($1::text[]) and r.is_deleted = false order by r.code`,
    [roles],
    'role_names',
  );
  return rows.length === 0 ? roles.join('、') : rows.map((row) => String(row['name'])).join('、');
}

function companyOf(call: Call, record: OpenRecord): string {
  return textOf(record['co_code'] ?? call.caller.subject.co_code);
}

function departmentOf(call: Call, record: OpenRecord): string | null {
  const code = record['dept_code'] ?? call.caller.subject.dept_code;
  return typeof code === 'string' && code !== '' ? code : null;
}

function approver(row: Readonly<Record<string, unknown>>): Approver {
  return { id: String(row['id']), name: textOf(row['name'] ?? '') };
}
