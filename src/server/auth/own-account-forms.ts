import type { FieldProblem } from '#engine/schema/resource.ts';
import { accountFault } from '#engine/values/login-form.ts';
import { newPasswordFault } from '#engine/values/new-password.ts';
import { AppError } from '#server/kernel/errors.ts';
import { fieldProblem } from './account.ts';
import { COMMON_PASSWORD, isCommonPassword } from '#server/kernel/common-passwords.ts';

/** The opened envelopes of a password change; null for one that does not open. */
export interface PasswordChange {
  readonly current: string | null;
  readonly next: string | null;
}

/** Refuses a password change that cannot be right whatever the password is. @throws VALIDATION, PASSWORD_WEAK */
export async function requirePasswordForm(
  form: { readonly password: string; readonly newPassword: string },
  { current, next }: PasswordChange,
): Promise<void> {
  refuse([...missing('password', form.password), ...missing('newPassword', form.newPassword)]);
  const length = newPasswordFault(next ?? '');
  if (length !== null) throw weak('length', length);
  if (next === current) throw weak('same', '新密码不能与原密码相同');
  if (await isCommonPassword(next ?? '')) throw weak('common_password', COMMON_PASSWORD);
}

/** Refuses a change of the mobile number that cannot be right. @throws VALIDATION */
export function requireMobileForm(form: {
  readonly password: string;
  readonly mobile: string;
  readonly sms: string;
}): void {
  refuse([...mobileProblems(form.mobile), ...smsProblems(form.sms), ...missing('password', form.password)]);
}

/** Refuses what is no mobile number. @throws VALIDATION */
export function requireMobileNumber(mobile: string): void {
  refuse(mobileProblems(mobile));
}

function mobileProblems(mobile: string): readonly FieldProblem[] {
  const fault = accountFault('mobile', mobile);
  return fault === null ? [] : [fieldProblem('mobile', 'account', fault)];
}

function smsProblems(sms: string): readonly FieldProblem[] {
  if (sms === '') return [fieldProblem('sms', 'required', '请输入验证码')];
  return /^\d{6}$/.test(sms) ? [] : [fieldProblem('sms', 'pattern', '验证码应为6位数字')];
}

function missing(path: string, envelope: string): readonly FieldProblem[] {
  return envelope === '' ? [fieldProblem(path, 'required', '请输入密码')] : [];
}

function weak(code: string, message: string): AppError {
  return new AppError('PASSWORD_WEAK', { message, problems: [fieldProblem('newPassword', code, message)] });
}

function refuse(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first !== undefined) throw new AppError('VALIDATION', { message: first.message, problems });
}
