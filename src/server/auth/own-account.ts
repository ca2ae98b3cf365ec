import type { OwnAccount } from '#contract/self.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from './app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { fieldProblem } from './account.ts';
import { failLogin, type LoginAttempt, logSuccess, refuseLocked } from './login-guard.ts';
import { requireMobileForm, requireMobileNumber, requirePasswordForm } from './own-account-forms.ts';
import { noteNewPassword } from './password-due.ts';
import { saveOwnRecord } from './own-record.ts';
import { hashPassword, verifyPassword } from '#server/kernel/passwords.ts';
import { requireSmsCode, sendSmsCode, SMS_CODE, spendSmsCode } from './sms-codes.ts';
import { openEnvelope } from './transport-cipher.ts';

/** The own profile, as /user/self shows it. */
export async function ownAccount(services: AppServices, { subject }: Caller): Promise<OwnAccount> {
  const { id, name, personid, co_code } = subject;
  if (subject.kind === 'partner')
    return { id, name, personid, mobile: personid, co_code, dept_code: subject.dept_code, kind: 'partner' };
  const [row] = await services.db.query(
    `select p.personid, p.name, p.mobile, p.email, p.position, p.entry_date, d.code as dept_code, d.name as dept_name
     from person p left join department d on d.id = p.dept_id where p.id = $1 and p.co_code = $2`,
    [id, co_code],
  );
  if (row === undefined) throw new AppError('NOT_FOUND');
  return {
    id,
    co_code,
    kind: 'staff',
    personid: rowText(row, 'personid'),
    name: rowText(row, 'name'),
    mobile: rowTextOrNull(row, 'mobile'),
    email: rowTextOrNull(row, 'email'),
    position: rowTextOrNull(row, 'position'),
    entry_date: rowTextOrNull(row, 'entry_date'),
    dept_code: rowTextOrNull(row, 'dept_code'),
    dept_name: rowTextOrNull(row, 'dept_name'),
  };
}

/** Changes the own password; every other session of the person ends. @throws VALIDATION, PASSWORD_WRONG, PASSWORD_WEAK, LOGIN_LOCKED */
export async function changeOwnPassword(
  services: AppServices,
  caller: Caller,
  form: { readonly password: string; readonly newPassword: string },
): Promise<void> {
  const { subject, sessionId } = caller;
  const { aesKey } = services.config;
  const current = openEnvelope(form.password, aesKey);
  const next = openEnvelope(form.newPassword, aesKey);
  await requirePasswordForm(form, { current, next });
  await requirePassword(services, caller, current);
  const hash = await hashPassword(next ?? '');
  await services.db.transaction(async (tx) => {
    await saveOwnRecord({ tx, services, caller }, { password: hash });
    await noteNewPassword(tx, subject.id);
    await services.sessions.refreshPeople(tx, [subject.id]);
    await services.sessions.revokePeople(tx, [subject.id], sessionId);
  });
}

/** Sends a code to the number that shall become the own one. @throws RATE_LIMITED, SMS_FAILED */
export async function sendMobileCode(services: AppServices, caller: Caller, mobile: string): Promise<void> {
  if (caller.subject.kind === 'partner') throw new AppError('FORBIDDEN');
  requireMobileNumber(mobile);
  const label = regionOfCompany(services, caller.subject.co_code)?.label ?? '';
  await sendSmsCode(services, {
    mobile,
    purpose: 'mobile',
    address: caller.address,
    wording: (code) =>
      `【${label}】您正在修改登录手机号，验证码 ${code}，${SMS_CODE.minutes}分钟内有效，请勿告诉他人。`,
  });
}

/**
 * Changes the own mobile number after the password was given again and the new number has shown its code.
 * @throws PASSWORD_WRONG, LOGIN_LOCKED, SMS_CODE_WRONG, DUPLICATE
 */
export async function changeOwnMobile(
  services: AppServices,
  caller: Caller,
  form: { readonly password: string; readonly mobile: string; readonly sms: string },
): Promise<void> {
  const { subject } = caller;
  if (subject.kind === 'partner') throw new AppError('FORBIDDEN');
  requireMobileForm(form);
  await requirePassword(services, caller, openEnvelope(form.password, services.config.aesKey));
  const at = services.clock();
  const code = await requireSmsCode(services.db, {
    mobile: form.mobile,
    purpose: 'mobile',
    code: form.sms,
    at,
  });
  await services.db.transaction(async (tx) => {
    // Two people of a department who take the same number at once go one after the other.
    await tx.query(
      'select d.id from department d join person me on me.dept_id = d.id where me.id = $1 for update of d',
      [subject.id],
    );
    const taken = await tx.query(
      `select 1 from person p join person me on me.id = $1 and me.dept_id = p.dept_id
       where p.mobile = $2 and p.id <> $1 and not p.is_deleted`,
      [subject.id, form.mobile],
    );
    if (taken.length > 0)
      throw new AppError('DUPLICATE', {
        params: { field: '手机号码' },
        problems: [fieldProblem('mobile', 'unique', '本部门已有人使用该手机号码')],
      });
    await spendSmsCode(tx, code, at);
    await saveOwnRecord({ tx, services, caller }, { mobile: form.mobile });
  });
}

/** A wrong password counts like one at the login page: whoever holds a session of another may not guess on here. */
async function requirePassword(
  services: AppServices,
  { subject, address }: Caller,
  password: string | null,
): Promise<void> {
  const attempt: LoginAttempt = {
    method: 'own',
    account: subject.personid.toLowerCase(),
    origin: { address, userAgent: '' },
    at: services.clock(),
  };
  await refuseLocked(services.db, attempt);
  const table = subject.kind === 'partner' ? 'partner__accounts' : 'person';
  const rows = await services.db.query(`select password from ${table} where id = $1`, [subject.id]);
  const stored = rows[0]?.['password'];
  const isRight = await verifyPassword(typeof stored === 'string' ? stored : null, password ?? '');
  if (isRight) return logSuccess(services.db, attempt, { id: subject.id, coCode: subject.co_code });
  await failLogin(services.db, attempt, 'wrong');
  throw new AppError('PASSWORD_WRONG', { problems: [fieldProblem('password', 'wrong', '原密码错误')] });
}
