import { createHash, timingSafeEqual } from 'node:crypto';
import { companyToday } from '#engine/values/dates.ts';
import { accountFault, type LoginTab } from '#engine/values/login-form.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from './app-services.ts';
import { type Account, fieldProblem, type PartnerAccount, type StaffAccount } from './account.ts';
import {
  failLogin,
  type LoginAttempt,
  logSuccess,
  refuseLocked,
  refuseUnknownCustomer,
} from './login-guard.ts';
import { redeemLoginLink } from './login-link.ts';
import { findPartnerAccountById, findPartnerAccounts, stampPartnerLogin } from './partner-accounts.ts';
import { verifyPassword } from '#server/kernel/passwords.ts';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import type { Person } from '#contract/sign-in.ts';
import { fullPerson, pendingPerson } from './person-answer.ts';
import type { Candidate, Position, SessionOrigin } from './session-store.ts';
import { findStaffById, findStaffByMobile, findStaffByPersonid } from './staff-accounts.ts';
import { buildSubject } from './subject.ts';
import { openEnvelope } from './transport-cipher.ts';

/** 管理登录: an employee by 工号. @throws LOGIN_FAILED for every fault, LOGIN_LOCKED, ADDRESS_LOCKED */
export async function signInStaff(
  services: AppServices,
  form: { readonly personid: string; readonly password: string },
  origin: SessionOrigin,
): Promise<Person> {
  requireForm('management', form.personid, form.password);
  const attempt = attemptOf(services, 'staff', form.personid, origin);
  await refuseLocked(services.db, attempt);
  const account = await findStaffByPersonid(services.db, form.personid.trim(), today(services));
  const matching = await matchingPassword(services, account === null ? [] : [account], form.password);
  if (matching.length === 0) throw await failLogin(services.db, attempt, 'wrong');
  return admitPending(services, attempt, matching);
}

/** 手机登录: everybody in force with that mobile and password. */
export async function signInByMobile(
  services: AppServices,
  form: { readonly psMobile: string; readonly password: string },
  origin: SessionOrigin,
): Promise<Person> {
  requireForm('mobile', form.psMobile, form.password);
  const attempt = attemptOf(services, 'mobile', form.psMobile, origin);
  await refuseLocked(services.db, attempt);
  const accounts = await findStaffByMobile(services.db, form.psMobile.trim(), today(services));
  const matching = await matchingPassword(services, accounts, form.password);
  if (matching.length === 0) throw await failLogin(services.db, attempt, 'wrong');
  return admitPending(services, attempt, matching);
}

/** 客户登录: one partner comes in directly, several choose. @throws CUSTOMER_NOT_REGISTERED for an unknown mobile */
export async function signInPartner(
  services: AppServices,
  form: { readonly personid: string; readonly password: string },
  origin: SessionOrigin,
): Promise<Person> {
  requireForm('customer', form.personid, form.password);
  const attempt = attemptOf(services, 'partner', form.personid, origin);
  await refuseLocked(services.db, attempt);
  const accounts = await findPartnerAccounts(services, form.personid.trim());
  if (accounts.length === 0)
    throw await refuseUnknownCustomer(services.db, attempt, async () => {
      await matchingPassword(services, [], form.password);
      return failLogin(services.db, attempt, 'wrong');
    });
  const matching = await matchingPassword(services, accounts, form.password);
  if (matching.length === 0) throw await failLogin(services.db, attempt, 'wrong');
  const active = matching.filter(isActive);
  const [only] = active;
  if (only === undefined) throw new AppError('CUSTOMER_NOT_ACTIVE');
  if (active.length > 1) return admitPending(services, attempt, active);
  return admitFull(services, attempt, only);
}

/** The link of a partner account (action login_link): its code takes the place of the password, once. @throws LOGIN_LINK_INVALID */
export async function signInByCode(
  services: AppServices,
  form: { readonly personid: string; readonly code: string },
  origin: SessionOrigin,
): Promise<Person> {
  const attempt = attemptOf(services, 'code', form.personid, origin);
  await refuseLocked(services.db, attempt);
  const id = await redeemLoginLink(services.db, {
    code: form.code,
    mobile: form.personid.trim(),
    at: attempt.at,
  });
  const account = id === null ? null : await findPartnerAccountById(services, id);
  if (account === null) throw await failLogin(services.db, attempt, 'code', 'LOGIN_LINK_INVALID');
  return admitFull(services, attempt, account);
}

/** Silent login (spec section 4, guard step 3): the configured account, by a hash of date, id and the server's secret. */
export async function signInSilently(
  services: AppServices,
  form: { readonly id: string; readonly erpToken: string },
  origin: SessionOrigin,
): Promise<Person> {
  const attempt = attemptOf(services, 'silent', 'erptoken', origin);
  await refuseLocked(services.db, attempt);
  const { silentLogin } = services.config;
  const expected = createHash('sha256')
    .update(`${today(services)}${form.id}${silentLogin?.secret ?? ''}`)
    .digest();
  const given = Buffer.from(form.erpToken.toLowerCase(), 'hex');
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  if (silentLogin === null || !isRight) throw await failLogin(services.db, attempt, 'token');
  const account = await findStaffByPersonid(services.db, silentLogin.account, today(services));
  if (account === null || !isLowInRights(services, account))
    throw await failLogin(services.db, attempt, 'account');
  return admitFull(services, attempt, account);
}

/**
 * 统一身份登录: the employee whom an identity provider has named (oidc/), under the same locks as with a password.
 * @throws OIDC_ACCOUNT_CLOSED, LOGIN_LOCKED, ADDRESS_LOCKED
 */
export async function signInIdentified(
  services: AppServices,
  personId: string,
  origin: SessionOrigin,
): Promise<Person> {
  const account = await findStaffById(services.db, personId, today(services));
  const attempt = attemptOf(services, 'oidc', account?.personid ?? personId, origin);
  await refuseLocked(services.db, attempt);
  if (account === null || account.roles.length === 0)
    throw await failLogin(services.db, attempt, 'account', 'OIDC_ACCOUNT_CLOSED');
  return admitPending(services, attempt, [account]);
}

/** A link that works all day for whoever has it must not open an administrator's account. */
function isLowInRights({ definitions }: AppServices, { roles, superPermission }: StaffAccount): boolean {
  const administration = roleWithDuty(definitions.catalog().roles, 'administration');
  return roles.length > 0 && !superPermission && roles.every(({ code }) => code !== administration);
}

/** A full session for a position that was chosen or needs no choice; also writes the answer. */
export async function openPosition(
  services: AppServices,
  position: Position,
  opening: {
    readonly origin: SessionOrigin;
    readonly createdAt?: string;
    readonly replaces?: string;
    /** Whom the session may go on as later, too. Default: nobody else. */
    readonly candidates?: readonly Candidate[];
  },
): Promise<Person> {
  const subject = await buildSubject(services, { ...position, now: services.clock() });
  if (subject === null) throw new AppError('POSITION_REFUSED');
  const { replaces, candidates = [position.candidate], ...session } = opening;
  const token = await services.db.transaction(async (tx) => {
    // Of two choices made at once with one token only the first finds it in force.
    if (replaces !== undefined && (await services.sessions.revoke(tx, [replaces])) === 0)
      throw new AppError('NOT_SIGNED_IN');
    if (position.candidate.kind === 'partner')
      await stampPartnerLogin(tx, position.candidate.id, services.clock());
    return services.sessions.open(tx, { candidates, position, ...session });
  });
  const person = await fullPerson(services, token, { subject, candidates });
  if (person === null) throw new AppError('POSITION_REFUSED');
  return person;
}

/** Those of the accounts whose password it is; the work is the same when there are none. */
export async function matchingPassword<A extends Account>(
  services: AppServices,
  accounts: readonly A[],
  envelope: string,
): Promise<readonly A[]> {
  const password = openEnvelope(envelope, services.config.aesKey);
  const tried = accounts.length === 0 ? [null] : accounts;
  // Side by side, so that the time does not tell how many share a mobile number.
  const right = await Promise.all(
    tried.map((account) =>
      verifyPassword(password === null ? null : (account?.passwordHash ?? null), password ?? ''),
    ),
  );
  return accounts.filter((account, index) => right[index] === true && account.roles.length > 0);
}

/** Forms that are incomplete are refused before anything is looked up, and count as no attempt. */
function requireForm(tab: LoginTab, account: string, envelope: string): void {
  const field = tab === 'mobile' ? 'psMobile' : 'personid';
  const fault = accountFault(tab, account.trim());
  const problems = [
    ...(fault === null ? [] : [fieldProblem(field, 'account', fault)]),
    ...(envelope === '' ? [fieldProblem('password', 'required', '请输入密码')] : []),
  ];
  const [first] = problems;
  if (first !== undefined) throw new AppError('VALIDATION', { message: first.message, problems });
}

function isActive(account: PartnerAccount): boolean {
  return account.isActive;
}

async function admitPending(
  services: AppServices,
  attempt: LoginAttempt,
  accounts: readonly Account[],
): Promise<Person> {
  await logSuccess(services.db, attempt, accounts.length === 1 ? (accounts[0] ?? null) : null);
  const token = await services.sessions.open(services.db, {
    candidates: accounts.map(candidateOf),
    position: null,
    origin: attempt.origin,
  });
  return pendingPerson(services, token, accounts);
}

async function admitFull(
  services: AppServices,
  attempt: LoginAttempt,
  account: StaffAccount | PartnerAccount,
): Promise<Person> {
  await logSuccess(services.db, attempt, account);
  const position = {
    candidate: candidateOf(account),
    roleCode: account.roles[0]?.code ?? '',
    roleCodes: account.roles.map(({ code }) => code),
    salesId: null,
  };
  return openPosition(services, position, { origin: attempt.origin });
}

function candidateOf(account: Account): Candidate {
  return { kind: account.kind, id: account.id, coCode: account.coCode };
}

/** A try at signing in, as it is counted and logged. */
export function attemptOf(
  services: AppServices,
  method: LoginAttempt['method'],
  account: string,
  origin: SessionOrigin,
): LoginAttempt {
  return { method, account: account.trim().toLowerCase(), origin, at: services.clock() };
}

function today(services: AppServices): string {
  return companyToday(services.clock());
}
