/** The validation texts of spec section 5, in the order in which they are checked. */

export type LoginTab = 'management' | 'mobile' | 'customer';

export interface LoginForm {
  readonly account: string;
  readonly password: string;
}

export interface LoginFaults {
  readonly account?: string;
  readonly password?: string;
}

/** What is wrong with the form, as both sides see it; an empty object when nothing is. Lengths count characters, not halves of them. */
export function loginFaults(tab: LoginTab, form: LoginForm): LoginFaults {
  const account = accountFault(tab, form.account);
  const password = passwordFault(form.password);
  return { ...(account === null ? {} : { account }), ...(password === null ? {} : { password }) };
}

/** What is wrong with the account alone: 用户名 for 管理登录, else the mobile number. Null when nothing is. */
export function accountFault(tab: LoginTab, account: string): string | null {
  return tab === 'management' ? usernameFault(account) : mobileFault(account);
}

function usernameFault(text: string): string | null {
  if (text === '') return '请输入用户名';
  return isOutside(text, 2, 30) ? '长度在2-30个字符' : null;
}

function mobileFault(text: string): string | null {
  if (text === '') return '请输入手机号';
  if (text.length !== 11) return '请输入11位手机号';
  return /^1[3-9]\d{9}$/.test(text) ? null : '手机号格式不正确';
}

function passwordFault(text: string): string | null {
  if (text === '') return '请输入密码';
  return isOutside(text, 6, 30) ? '长度在 6 到 30 个字符' : null;
}

function isOutside(text: string, min: number, max: number): boolean {
  const length = Array.from(text).length;
  return length < min || length > max;
}
