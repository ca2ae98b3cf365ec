import type { Row } from '#server/kernel/db/database.ts';
import type { ServiceTarget } from '#contract/sign-in.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { HeldRole, StaffAccount } from './account.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

/** The employee with this 工号, whatever its letter case; null when there is none in force. */
export async function findStaffByPersonid(
  db: Reader,
  personid: string,
  today: string,
): Promise<StaffAccount | null> {
  const rows = await db.query(
    `${SELECT} and lower(p.personid) = lower($2)`,
    [today, personid],
    'staff_personid',
  );
  return rows[0] === undefined ? null : readStaff(rows[0]);
}

/** All employees in force with this mobile number, by department. */
export async function findStaffByMobile(
  db: Reader,
  mobile: string,
  today: string,
): Promise<readonly StaffAccount[]> {
  const rows = await db.query(
    `${SELECT} and p.mobile = $2 order by p.co_code, d.code, p.personid limit 20`,
    [today, mobile],
    'staff_mobile',
  );
  return rows.map(readStaff);
}

/** The employee by id; null when gone, disabled or left. */
export async function findStaffById(db: Reader, id: string, today: string): Promise<StaffAccount | null> {
  const rows = await db.query(`${SELECT} and p.id = $2`, [today, id], 'staff_id');
  return rows[0] === undefined ? null : readStaff(rows[0]);
}

/** The salespeople somebody may act for today, without the person itself. */
export async function serviceTargets(
  db: Reader,
  personId: string,
  today: string,
): Promise<readonly ServiceTarget[]> {
  const rows = await db.query(
    `select distinct on (t.sales_id) s.id, s.name, t.line_order from person__service_targets t
     join person s on s.id = t.sales_id and s.co_code = t.co_code
     where t.parent_id = $1 and not s.is_deleted and s.status = 'active' and s.id <> $1
       and (t.valid_from is null or t.valid_from <= $2::date) and (t.valid_to is null or t.valid_to >= $2::date)
     order by t.sales_id, t.line_order`,
    [personId, today],
    'service_targets',
  );
  return rows
    .sort((a, b) => Number(a['line_order']) - Number(b['line_order']))
    .map((row) => ({ id: rowText(row, 'id'), name: rowText(row, 'name') }));
}

/** A department and everything below it, by code. */
export async function departmentTree(
  db: Reader,
  coCode: string,
  deptCode: string,
): Promise<readonly string[]> {
  const rows = await db.query(
    `with recursive tree as (
       select id, code, 0 as depth from department where co_code = $1 and code = $2 and not is_deleted
       union all
       select d.id, d.code, tree.depth + 1 from department d join tree on d.parent_id = tree.id
       where d.co_code = $1 and not d.is_deleted and tree.depth < 20)
     select distinct code from tree order by code`,
    [coCode, deptCode],
    'department_tree',
  );
  return rows.length === 0 ? [deptCode] : rows.map((row) => rowText(row, 'code'));
}

const SELECT = `select p.id, p.personid, p.name, p.mobile, p.co_code, p.password, p.super_permission, p.status,
    p.scope_override, p.dept_id, d.code as dept_code, d.name as dept_name, c.name as co_name,
    (select json_agg(json_build_object('code', r.code, 'name', r.name, 'can_represent', r.can_represent,
        'is_mg', r.is_mg, 'hidden_paths', r.hidden_paths)
        order by r.id is distinct from p.default_role_id, array_position(p.role_ids, r.id))
      from role r where r.id = any(p.role_ids) and r.status = 'active' and not r.is_deleted) as roles
  from person p
  left join department d on d.id = p.dept_id
  left join department c on c.code = p.co_code and c.is_company and not c.is_deleted
  where not p.is_deleted and p.status = 'active' and (p.leave_date is null or p.leave_date > $1::date)`;

function readStaff(row: Row): StaffAccount {
  return {
    kind: 'staff',
    id: rowText(row, 'id'),
    personid: rowText(row, 'personid'),
    name: rowText(row, 'name'),
    mobile: rowText(row, 'mobile'),
    coCode: rowText(row, 'co_code'),
    coName: rowText(row, 'co_name'),
    deptId: rowTextOrNull(row, 'dept_id'),
    deptCode: rowTextOrNull(row, 'dept_code') ?? rowText(row, 'co_code'),
    deptName: rowText(row, 'dept_name'),
    superPermission: row['super_permission'] === true,
    scopeOverride: rowTextOrNull(row, 'scope_override'),
    status: rowText(row, 'status'),
    roles: readRoles(row['roles']),
    passwordHash: rowTextOrNull(row, 'password'),
  };
}

function readRoles(value: unknown): readonly HeldRole[] {
  if (!Array.isArray(value)) return [];
  return value.map((role: Readonly<Record<string, unknown>>) => ({
    code: rowText(role, 'code'),
    name: rowText(role, 'name'),
    can_represent: role['can_represent'] === true,
    is_mg: rowText(role, 'name').includes('贸管'),
    hidden_paths: Array.isArray(role['hidden_paths']) ? role['hidden_paths'].map(String) : [],
  }));
}
