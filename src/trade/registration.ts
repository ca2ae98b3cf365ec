import type { FieldProblem } from '#engine/schema/resource.ts';
import { checkCreditCode, checkResidentId } from './check-digits.ts';

/** What somebody types on the registration page (spec section 3), as it is sent. */
export interface RegistrationForm {
  readonly custname: string;
  /** 1 enterprise, 2 individual. */
  readonly corpType: string;
  readonly comNo: string;
  readonly psNo: string;
  readonly coDeptnameCode: string;
  readonly linkMan: string;
  readonly mobile: string;
  readonly sms: string;
}

/** The longest name of a customer and of a contact, in characters. */
export const REGISTRATION_LENGTH = { custname: 120, linkMan: 30 } as const;

/** Text of the send-code button's refusal; the form's own says 请输入正确手机号 (spec section 5). */
export const BAD_SMS_MOBILE = '请输入正确的手机号码';

/** The numbers that may register: 13x, 15x and 18x (spec section 5). */
export function isRegistrationMobile(text: string): boolean {
  return /^1[358]\d{9}$/.test(text);
}

/** The form without blanks around its values, codes in upper case, and without the number of the other type. */
export function normaliseRegistration(form: RegistrationForm): RegistrationForm {
  const corpType = form.corpType.trim();
  return {
    custname: form.custname.trim().replace(/\s+/g, ' '),
    corpType,
    comNo: corpType === '1' ? plainCode(form.comNo) : '',
    psNo: corpType === '2' ? plainCode(form.psNo) : '',
    coDeptnameCode: form.coDeptnameCode.trim(),
    linkMan: form.linkMan.trim().replace(/\s+/g, ' '),
    mobile: form.mobile.trim(),
    sms: form.sms.trim(),
  };
}

/** Everything that is wrong with a normalised form, in the order of its fields: one problem a field, none when it is right. */
export function registrationProblems(form: RegistrationForm): readonly FieldProblem[] {
  return CHECKS.flatMap(([path, check]) => {
    const found = check(form);
    return found === null ? [] : [{ path, ...found }];
  });
}

function plainCode(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}

type Fault = { readonly code: string; readonly message: string };

const CHECKS: readonly (readonly [
  path: keyof RegistrationForm,
  check: (form: RegistrationForm) => Fault | null,
])[] = [
  ['custname', ({ custname }) => nameFault(custname, '客户名称', REGISTRATION_LENGTH.custname)],
  ['corpType', ({ corpType }) => typeFault(corpType)],
  [
    'comNo',
    ({ corpType, comNo }) => (corpType === '1' ? codeFault(comNo, '组织机构代码', checkCreditCode) : null),
  ],
  ['psNo', ({ corpType, psNo }) => (corpType === '2' ? codeFault(psNo, '身份证号', checkResidentId) : null)],
  ['coDeptnameCode', ({ coDeptnameCode }) => requiredFault(coDeptnameCode, '服务公司')],
  ['linkMan', ({ linkMan }) => nameFault(linkMan, '联系人', REGISTRATION_LENGTH.linkMan)],
  ['mobile', ({ mobile }) => mobileFault(mobile)],
  ['sms', ({ sms }) => smsFault(sms)],
];

function requiredFault(text: string, title: string): Fault | null {
  return text === '' ? { code: 'required', message: `${title}不能为空` } : null;
}

function nameFault(text: string, title: string, max: number): Fault | null {
  const missing = requiredFault(text, title);
  if (missing !== null) return missing;
  return Array.from(text).length > max ? { code: 'too_long', message: `${title}不能超过${max}个字符` } : null;
}

function typeFault(text: string): Fault | null {
  if (text === '') return { code: 'required', message: '不能为空' };
  return text === '1' || text === '2' ? null : { code: 'option', message: '请选择企业或个人' };
}

function codeFault(text: string, title: string, check: (text: string) => string | null): Fault | null {
  const missing = requiredFault(text, title);
  if (missing !== null) return missing;
  const message = check(text);
  return message === null ? null : { code: 'check', message };
}

function mobileFault(text: string): Fault | null {
  const missing = requiredFault(text, '手机号码');
  if (missing !== null) return missing;
  return isRegistrationMobile(text) ? null : { code: 'pattern', message: '请输入正确手机号' };
}

function smsFault(text: string): Fault | null {
  const missing = requiredFault(text, '验证码');
  if (missing !== null) return missing;
  return /^\d{6}$/.test(text) ? null : { code: 'pattern', message: '验证码应为6位数字' };
}
