import type { Queryable, Row } from '#server/kernel/db/database.ts';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import type { Services } from '#server/records/services.ts';
import type { HeldRole, PartnerAccount } from './account.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

/** Every partner account with this mobile number, active or not; frozen partners may look at what they have. */
export async function findPartnerAccounts(
  services: Source,
  mobile: string,
): Promise<readonly PartnerAccount[]> {
  const role = partnerRole(services);
  const rows = await services.db.query(
    `${SELECT} where a.mobile = $1 and not p.is_deleted order by p.co_code, p.name, a.id limit 20`,
    [mobile, role.code],
    'partner_mobile',
  );
  return rows.map((row) => readPartner(row, role));
}

/** The account by id; null when gone or not in force. */
export async function findPartnerAccountById(services: Source, id: string): Promise<PartnerAccount | null> {
  const role = partnerRole(services);
  const rows = await services.db.query(
    `${SELECT} where a.id = $1 and not p.is_deleted`,
    [id, role.code],
    'partner_account',
  );
  const account = rows[0] === undefined ? null : readPartner(rows[0], role);
  return account?.isActive === true ? account : null;
}

/** Notes when an account last came in; no edit of the partner, so its version stays. */
export async function stampPartnerLogin(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx.execute('update partner__accounts set last_login_at = $2 where id = $1', [id, at.toISOString()]);
}

type Source = Pick<Services, 'db' | 'definitions'>;

function partnerRole({ definitions }: Source): HeldRole {
  const { roles } = definitions.catalog();
  const code = roleWithDuty(roles, 'partner') ?? '';
  return { code, name: roles[code]?.name ?? '', can_represent: false, is_mg: false, hidden_paths: [] };
}

const SELECT = `select a.id, a.mobile, a.name, a.password, a.status, p.id as partner_id, p.name as partner_name,
    p.status as partner_status, p.co_code, p.dept_code, d.name as dept_name, c.name as co_name,
    s.id as sales_id, s.name as sales_name,
    (select r.hidden_paths from role r where r.code = $2 and not r.is_deleted limit 1) as hidden_paths
  from partner__accounts a
  join partner p on p.id = a.parent_id and p.co_code = a.co_code
  left join department d on d.code = p.dept_code and d.co_code = p.co_code and not d.is_deleted
  left join department c on c.code = p.co_code and c.is_company and not c.is_deleted
  left join person s on s.id = p.sales_id and s.co_code = p.co_code`;

function readPartner(row: Row, role: HeldRole): PartnerAccount {
  const hidden = row['hidden_paths'];
  return {
    kind: 'partner',
    id: rowText(row, 'id'),
    personid: rowText(row, 'mobile'),
    name: rowTextOrNull(row, 'name') ?? rowText(row, 'partner_name'),
    mobile: rowText(row, 'mobile'),
    coCode: rowText(row, 'co_code'),
    coName: rowText(row, 'co_name'),
    deptCode: rowTextOrNull(row, 'dept_code') ?? rowText(row, 'co_code'),
    deptName: rowTextOrNull(row, 'dept_name') ?? rowText(row, 'co_name'),
    partnerId: rowText(row, 'partner_id'),
    partnerName: rowText(row, 'partner_name'),
    salesId: rowTextOrNull(row, 'sales_id'),
    salesName: rowTextOrNull(row, 'sales_name'),
    isActive: row['status'] === 'active' && ['active', 'frozen'].includes(rowText(row, 'partner_status')),
    roles: [{ ...role, hidden_paths: Array.isArray(hidden) ? hidden.map(String) : [] }],
    passwordHash: rowTextOrNull(row, 'password'),
  };
}
