import { companyToday } from '#engine/values/dates.ts';
import type { Person, PersonChoice, RoleChoice, ServiceTarget } from '#contract/sign-in.ts';
import type { Subject } from '#engine/schema/resource.ts';
import type { Services } from '#server/records/services.ts';
import type { Account, HeldRole } from './account.ts';
import { findPartnerAccountById } from './partner-accounts.ts';
import { isPasswordDue } from './password-due.ts';
import { menuOf } from './person-menu.ts';
import type { Candidate } from './session-store.ts';
import { findStaffById, serviceTargets } from './staff-accounts.ts';

/** The answer to accepted credentials: what the role picker needs. */
export async function pendingPerson(
  services: Services,
  authorization: string,
  accounts: readonly Account[],
): Promise<Person> {
  const [first] = accounts;
  const several = accounts.length > 1;
  const targets = first === undefined || several ? [] : await targetsOf(services, first);
  return {
    ...describe(first),
    ...(several ? NOBODY : {}),
    authorization,
    saleId: null,
    salesManList: targets,
    salesManName: '',
    userList: several ? await Promise.all(accounts.map((account) => offeredChoice(services, account))) : [],
    menuList: [],
    mustChangePassword: false,
  };
}

/**
 * The answer of a full session: the same person with the position and its menu, and the customers that it may go on as.
 * Null when the account is gone.
 */
export async function fullPerson(
  services: Services,
  authorization: string,
  { subject, candidates }: { readonly subject: Subject; readonly candidates: readonly Candidate[] },
): Promise<Person | null> {
  const account = await accountOf(services, subject);
  if (account === null) return null;
  const roles = account.roles.filter(({ code }) => subject.role_codes.includes(code));
  const role = roles.find(({ code }) => code === subject.role_code) ?? account.roles[0];
  const targets = await targetsOf(services, account);
  const partnerSales = account.kind === 'partner' ? account.salesName : null;
  const chosen = subject.sales_id === subject.id ? null : subject.sales_id;
  return {
    ...describe(account),
    authorization,
    roleIdList: roles.map(({ code }) => code),
    roleId: subject.role_code,
    roleName: role?.name ?? '',
    saleId: account.kind === 'partner' ? null : chosen,
    partnerId: subject.partner_id,
    salesManList: targets,
    salesManName: partnerSales ?? targets.find(({ id }) => id === subject.sales_id)?.name ?? account.name,
    userList: await othersOf(services, candidates),
    menuList: menuOf(services, subject, role?.hidden_paths ?? []),
    mustChangePassword: subject.kind === 'staff' && (await isPasswordDue(services.db, subject.id)),
  };
}

/** Customers of a session that stands for several, those in force; nobody where there is no choice. */
async function othersOf(
  services: Services,
  candidates: readonly Candidate[],
): Promise<readonly PersonChoice[]> {
  if (candidates.length < 2) return [];
  const accounts = await Promise.all(candidates.map(({ id }) => findPartnerAccountById(services, id)));
  const choices = accounts.flatMap((account) =>
    account === null ? [] : [{ ...choiceOf(account), salesManList: [] }],
  );
  return choices.length < 2 ? [] : choices;
}

async function accountOf(services: Services, subject: Subject): Promise<Account | null> {
  return subject.kind === 'partner'
    ? findPartnerAccountById(services, subject.id)
    : findStaffById(services.db, subject.id, companyToday(services.clock()));
}

async function targetsOf(services: Services, account: Account): Promise<readonly ServiceTarget[]> {
  if (account.kind === 'partner') return [];
  const self = { id: account.id, name: account.name };
  if (!account.roles.some((role) => role.can_represent)) return [self];
  return [self, ...(await serviceTargets(services.db, account.id, companyToday(services.clock())))];
}

type Described = Omit<
  Person,
  | 'authorization'
  | 'saleId'
  | 'salesManList'
  | 'salesManName'
  | 'userList'
  | 'menuList'
  | 'mustChangePassword'
>;

function describe(account: Account | undefined): Described {
  if (account === undefined) return NOBODY;
  return {
    ...choiceOf(account),
    roleIdList: account.roles.map(({ code }) => code),
    roleId: account.roles[0]?.code ?? '',
    roleName: account.roles[0]?.name ?? '',
    kind: account.kind,
    coCode: account.coCode,
    superPermission: account.kind === 'staff' && account.superPermission ? 1 : 0,
    qxStatus: account.kind === 'staff' ? account.status : 'active',
  };
}

/** One of several, with whom it may serve: the position is chosen whole before a session is anybody's. */
async function offeredChoice(services: Services, account: Account): Promise<PersonChoice> {
  return { ...choiceOf(account), salesManList: await targetsOf(services, account) };
}

function choiceOf(account: Account): Omit<PersonChoice, 'salesManList'> {
  return {
    personid: account.personid,
    id: account.id,
    // A customer picks among companies, an employee among departments of the same name.
    name: account.kind === 'partner' ? account.partnerName : account.name,
    deptName: account.deptName,
    coName: account.coName,
    coDeptnameCode: account.deptCode,
    roleList: account.roles.map(roleChoice),
  };
}

function roleChoice(role: HeldRole): RoleChoice {
  return { roleId: role.code, roleName: role.name };
}

/** Before one of several is chosen the answer says nothing of anybody in particular. */
const NOBODY: Described = {
  personid: '',
  id: '',
  name: '',
  deptName: '',
  coName: '',
  coDeptnameCode: '',
  roleList: [],
  roleIdList: [],
  roleId: '',
  roleName: '',
  kind: 'staff',
  coCode: '',
  superPermission: 0,
  qxStatus: '',
};
