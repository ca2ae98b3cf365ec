import type { ForgottenForm, RegistrationState } from '#contract/forgotten.ts';
import { companyToday } from '#engine/values/dates.ts';
import { newPasswordFault } from '#engine/values/new-password.ts';
import { COMMON_PASSWORD, isCommonPassword } from '#server/kernel/common-passwords.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import type { AppServices } from './app-services.ts';
import { type Account, fieldProblem } from './account.ts';
import { forgiveFailures } from './login-guard.ts';
import { requireMobileNumber } from './own-account-forms.ts';
import { saveOwnRecord } from './own-record.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { Caller } from '#server/records/services.ts';
import { findPartnerAccounts } from './partner-accounts.ts';
import { noteNewPassword } from './password-due.ts';
import { REJECTED_COLUMNS, rejectedForm } from './rejected-registration.ts';
import { requireSmsCode, sendSmsCode, SMS_CODE, spendSmsCode } from './sms-codes.ts';
import { findStaffByPersonid } from './staff-accounts.ts';
import { openEnvelope } from './transport-cipher.ts';

type Who = Pick<ForgottenForm, 'kind' | 'personid' | 'mobile'>;

/**
 * Sends a code with which a new password may be chosen. Nobody learns whether there is such an account: for others the
 * request counts and answers the same, and no message goes out.
 * @throws VALIDATION, RATE_LIMITED
 */
export async function sendForgottenCode(
  services: AppServices,
  who: Who,
  from: { readonly address: string; readonly label: string },
): Promise<void> {
  requireMobileNumber(who.mobile);
  const accounts = await accountsOf(services, who);
  await sendSmsCode(services, {
    mobile: who.mobile,
    purpose: 'password',
    address: from.address,
    isForNobody: accounts.length === 0,
    wording: (code) =>
      `【${from.label}】您正在重设登录密码，验证码 ${code}，${SMS_CODE.minutes}分钟内有效，请勿告诉他人。`,
  });
}

/**
 * Sets the password of an employee, or of every account of a customer's number, after its phone has shown the code.
 * Their sessions end, and the lock that wrong passwords from this address had set.
 * @throws VALIDATION, PASSWORD_WEAK, SMS_CODE_WRONG
 */
export async function setForgottenPassword(
  services: AppServices,
  form: ForgottenForm,
  address: string,
): Promise<void> {
  requireMobileNumber(form.mobile);
  const next = openEnvelope(form.newPassword, services.config.aesKey) ?? '';
  await requireStrong(next);
  const at = services.clock();
  const { mobile, sms } = form;
  const code = await requireSmsCode(services.db, { mobile, purpose: 'password', code: sms, at });
  const accounts = await accountsOf(services, form);
  const hash = await hashPassword(next);
  await services.db.transaction(async (tx) => {
    await spendSmsCode(tx, code, at);
    for (const account of accounts) {
      const caller = callerFor(services, account, address);
      await saveOwnRecord({ tx, services, caller }, { password: hash }, '忘记密码');
      await noteNewPassword(tx, account.id);
      const origin = { address, userAgent: '' };
      for (const typed of new Set([account.personid.toLowerCase(), account.mobile]))
        await forgiveFailures(tx, { method: 'code', account: typed, origin, at }, account);
    }
    await services.sessions.revokePeople(
      tx,
      accounts.map(({ id }) => id),
    );
  });
}

/** Nobody has signed in: the system writes, in the name of whose account it is. */
function callerFor(services: AppServices, account: Account, address: string): Caller {
  const system = systemCaller(services, account.coCode);
  const { id, name, personid, kind } = account;
  const partner = account.kind === 'partner' ? account.partnerId : null;
  return {
    ...system,
    address,
    subject: { ...system.subject, id, name, personid, kind, partner_id: partner },
  };
}

/** Sends a code with which the state of a registration is shown. @throws VALIDATION, RATE_LIMITED */
export async function sendStateCode(
  services: AppServices,
  mobile: string,
  from: { readonly address: string; readonly label: string },
): Promise<void> {
  requireMobileNumber(mobile);
  const accounts = await findPartnerAccounts(services, mobile);
  await sendSmsCode(services, {
    mobile,
    purpose: 'progress',
    address: from.address,
    isForNobody: accounts.length === 0,
    wording: (code) =>
      `【${from.label}】您正在查询注册进度，验证码 ${code}，${SMS_CODE.minutes}分钟内有效，请勿告诉他人。`,
  });
}

/** What became of the registrations under a number. @throws SMS_CODE_WRONG */
export async function registrationStates(
  services: AppServices,
  { mobile, sms }: { readonly mobile: string; readonly sms: string },
): Promise<readonly RegistrationState[]> {
  requireMobileNumber(mobile);
  const at = services.clock();
  const code = await requireSmsCode(services.db, { mobile, purpose: 'progress', code: sms, at });
  return services.db.transaction(async (tx) => {
    await spendSmsCode(tx, code, at);
    const rows = await tx.query(
      `select p.name, p.status, p.created_at as at, ${REJECTED_COLUMNS}
       from partner p join partner__accounts a on a.parent_id = p.id
       where not p.is_deleted and a.mobile = $1 order by p.created_at desc limit 20`,
      [mobile],
    );
    const states = services.definitions.catalog().resources['partner']?.lifecycle?.states ?? {};
    return rows.map((row) => {
      const state = states[rowText(row, 'status')];
      return {
        name: rowText(row, 'name'),
        state: state?.partnerTitle ?? state?.title ?? '',
        at: rowText(row, 'at'),
        ...rejectedForm(row),
      };
    });
  });
}

/** The accounts that may choose a new password: in force, and with this number. */
async function accountsOf(services: AppServices, who: Who): Promise<readonly Account[]> {
  const mobile = who.mobile.trim();
  if (who.kind === 'partner') {
    const found = await findPartnerAccounts(services, mobile);
    return found.filter(({ isActive }) => isActive);
  }
  const today = companyToday(services.clock());
  const staff = await findStaffByPersonid(services.db, who.personid.trim(), today);
  return staff !== null && staff.mobile === mobile ? [staff] : [];
}

async function requireStrong(password: string): Promise<void> {
  const length = newPasswordFault(password);
  if (length !== null) throw weakPassword('length', length);
  if (await isCommonPassword(password)) throw weakPassword('common_password', COMMON_PASSWORD);
}

function weakPassword(code: string, message: string): AppError {
  return new AppError('PASSWORD_WEAK', { message, problems: [fieldProblem('newPassword', code, message)] });
}
