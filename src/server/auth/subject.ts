import { companyToday } from '#engine/values/dates.ts';
import type { Subject } from '#engine/schema/resource.ts';
import type { Services } from '#server/records/services.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { PartnerAccount, StaffAccount } from './account.ts';
import { findPartnerAccountById } from './partner-accounts.ts';
import type { Position } from './session-store.ts';
import { departmentTree, findStaffById, serviceTargets } from './staff-accounts.ts';

/** The subject of a position as of now; null when the account, the role or the service target is no longer theirs. */
export async function buildSubject(
  services: Pick<Services, 'db' | 'definitions' | 'clock'>,
  position: Position & { readonly now: Date },
): Promise<Subject | null> {
  const { candidate } = position;
  if (candidate.kind === 'partner') {
    const account = await findPartnerAccountById(services, candidate.id);
    return account === null ? null : partnerSubject(account);
  }
  const today = companyToday(position.now);
  const account = await findStaffById(services.db, candidate.id, today);
  return account === null ? null : staffSubject(services.db, account, { ...position, today });
}

/** The same subject as of now; null when its account, role or service target is gone. */
export function subjectNow(
  services: Pick<Services, 'db' | 'definitions' | 'clock'>,
  { id, kind, co_code: coCode, role_code: roleCode, role_codes: roleCodes, sales_id: salesId }: Subject,
): Promise<Subject | null> {
  const candidate = { kind, id, coCode } as const;
  return buildSubject(services, { candidate, roleCode, roleCodes, salesId, now: services.clock() });
}

/** An employee in force as the subject of access, once for every role held now; empty when there is none. */
export async function staffSubjects(db: Reader, personId: string, now: Date): Promise<readonly Subject[]> {
  const today = companyToday(now);
  const account = await findStaffById(db, personId, today);
  if (account === null) return [];
  const candidate = { kind: 'staff', id: account.id, coCode: account.coCode } as const;
  const subjects = await Promise.all(
    account.roles.map(({ code }) =>
      staffSubject(db, account, { candidate, roleCode: code, roleCodes: [], salesId: null, today }),
    ),
  );
  return subjects.filter((subject) => subject !== null);
}

async function staffSubject(
  db: Reader,
  account: StaffAccount,
  position: Position & { readonly today: string },
): Promise<Subject | null> {
  const role = account.roles.find(({ code }) => code === position.roleCode);
  if (role === undefined) return null;
  const targets = role.can_represent ? await serviceTargets(db, account.id, position.today) : [];
  const chosen = position.salesId === null || position.salesId === account.id ? null : position.salesId;
  if (chosen !== null && !targets.some(({ id }) => id === chosen)) return null;
  const held = account.roles.map(({ code }) => code);
  return {
    id: account.id,
    personid: account.personid,
    name: account.name,
    kind: 'staff',
    role_code: role.code,
    role_codes:
      position.roleCodes.length === 0 ? held : position.roleCodes.filter((code) => held.includes(code)),
    co_code: account.coCode,
    dept_code: account.deptCode,
    dept_id: account.deptId,
    dept_codes: await departmentTree(db, account.coCode, account.deptCode),
    sales_ids: chosen === null ? [account.id, ...targets.map(({ id }) => id)] : [chosen],
    sales_id: chosen ?? account.id,
    partner_id: null,
    super_permission: account.superPermission,
    scope_override: account.scopeOverride,
  };
}

function partnerSubject(account: PartnerAccount): Subject {
  return {
    id: account.id,
    personid: account.personid,
    name: account.name,
    kind: 'partner',
    role_code: account.roles[0]?.code ?? '',
    role_codes: account.roles.map(({ code }) => code),
    co_code: account.coCode,
    dept_code: account.deptCode,
    dept_codes: [],
    sales_ids: [],
    sales_id: account.salesId,
    partner_id: account.partnerId,
    service_id: account.serviceId,
    super_permission: false,
    scope_override: null,
    ...(account.mandates === undefined ? {} : { mandates: account.mandates }),
  };
}
