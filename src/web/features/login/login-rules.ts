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

/** What is wrong with the form; an empty object when nothing is. */
export function loginFaults(tab: LoginTab, form: LoginForm): LoginFaults {
  const account = tab === 'management' ? usernameFault(form.account) : mobileFault(form.account);
  const password = passwordFault(form.password);
  return { ...(account === null ? {} : { account }), ...(password === null ? {} : { password }) };
}

function usernameFault(text: string): string | null {
  if (text === '') return '请输入用户名';
  return text.length < 2 || text.length > 30 ? '长度在2-30个字符' : null;
}

function mobileFault(text: string): string | null {
  if (text === '') return '请输入手机号';
  if (text.length !== 11) return '请输入11位手机号';
  return /^1[3-9]\d{9}$/.test(text) ? null : '手机号格式不正确';
}

function passwordFault(text: string): string | null {
  if (text === '') return '请输入密码';
  return text.length < 6 || text.length > 30 ? '长度在 6 到 30 个字符' : null;
}
