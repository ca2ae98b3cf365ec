import { companyToday } from '#engine/values/dates.ts';
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
  return find(services, {
    where: `where a.mobile = $1 and not p.is_deleted order by p.co_code, p.name, a.id limit 20`,
    value: mobile,
    name: 'partner_mobile',
  });
}

/** The account by id; null when gone or not in force. */
export async function findPartnerAccountById(services: Source, id: string): Promise<PartnerAccount | null> {
  const where = `where a.id = $1 and not p.is_deleted`;
  const [account] = await find(services, { where, value: id, name: 'partner_account' });
  return account?.isActive === true ? account : null;
}

/** Notes when an account last came in; no edit of the partner, so its version stays. */
export async function stampPartnerLogin(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx.execute('update partner__accounts set last_login_at = $2 where id = $1', [id, at.toISOString()]);
}

type Source = Pick<Services, 'db' | 'definitions' | 'clock'>;

interface Search {
  readonly where: string;
  readonly value: string;
  readonly name: string;
}

async function find(services: Source, { where, value, name }: Search): Promise<readonly PartnerAccount[]> {
  const role = partnerRole(services);
  const hasLetters = services.definitions.catalog().resources['authorization_letter'] !== undefined;
  const rows = await services.db.query(
    `select ${COLUMNS}, ${hasLetters ? LETTERS : '$3::date'} as letters ${FROM} ${where}`,
    [value, role.code, companyToday(services.clock())],
    hasLetters ? `${name}_letters` : name,
  );
  return rows.map((row) => readPartner(row, role));
}

function partnerRole({ definitions }: Pick<Source, 'definitions'>): HeldRole {
  const { roles } = definitions.catalog();
  const code = roleWithDuty(roles, 'partner') ?? '';
  return { code, name: roles[code]?.name ?? '', can_represent: false, is_mg: false, hidden_paths: [] };
}

/** Who serves a partner is read where partners have such a field. */
const COLUMNS = `a.id, a.mobile, a.name, a.password, a.status, p.id as partner_id, p.name as partner_name,
    p.status as partner_status, p.co_code, p.dept_code, d.name as dept_name, c.name as co_name,
    s.id as sales_id, s.name as sales_name, to_jsonb(p) ->> 'service_id' as service_id,
    (select r.hidden_paths from role r where r.code = $2 and not r.is_deleted limit 1) as hidden_paths`;

/** The letters in force that name the account's number: whether one of them made it, and what those in their term allow. */
const LETTERS = `(select jsonb_build_object('opened', bool_or(l.is_account_opened),
      'scopes', coalesce(jsonb_agg(to_jsonb(l.scope)) filter (where $3::date between l.valid_from and l.valid_to), '[]'))
    from authorization_letter l
    where l.partner_id = p.id and l.agent_mobile = a.mobile and l.status = 'effective' and not l.is_deleted)`;

const FROM = `from partner__accounts a
  join partner p on p.id = a.parent_id and p.co_code = a.co_code
  left join department d on d.code = p.dept_code and d.co_code = p.co_code and not d.is_deleted
  left join department c on c.code = p.co_code and c.is_company and not c.is_deleted
  left join person s on s.id = p.sales_id and s.co_code = p.co_code`;

function readPartner(row: Row, role: HeldRole): PartnerAccount {
  const hidden = row['hidden_paths'];
  const scopes = scopesOf(row['letters']);
  const isInForce =
    row['status'] === 'active' && ['active', 'frozen'].includes(rowText(row, 'partner_status'));
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
    serviceId: rowTextOrNull(row, 'service_id'),
    // A letter opens the account when it is approved, and admits from its first day on.
    isActive: isInForce && (scopes === null || scopes.length > 0),
    ...(scopes === null ? {} : { mandates: [...new Set(scopes.flat())] }),
    roles: [{ ...role, hidden_paths: Array.isArray(hidden) ? hidden.map(String) : [] }],
    passwordHash: rowTextOrNull(row, 'password'),
  };
}

/** What each letter in its term allows; null for an account that is not there by letters. */
function scopesOf(letters: unknown): readonly (readonly string[])[] | null {
  if (typeof letters !== 'object' || letters === null || Reflect.get(letters, 'opened') !== true) return null;
  const scopes: unknown = Reflect.get(letters, 'scopes');
  return Array.isArray(scopes) ? scopes.map((scope) => (Array.isArray(scope) ? scope.map(String) : [])) : [];
}
