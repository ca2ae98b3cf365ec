/** Check digits of Chinese and international business numbers. Each check returns null, or what is wrong in Chinese. */

const CREDIT_CODE_ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const CREDIT_CODE_WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
const ORGANISATION_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ORGANISATION_WEIGHTS = [3, 7, 9, 10, 5, 8, 4, 2];
const RESIDENT_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const RESIDENT_CHECKS = '10X98765432';
const CONTAINER_ALPHABET = '0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ';

/** Unified social credit code, GB 32100-2015 (18 characters, mod 31), or the legacy organisation code, GB 11714-1997 (9 characters, mod 11). */
export function checkCreditCode(text: string): string | null {
  if (text.length === 9) return isOrganisationCode(text) ? null : '组织机构代码校验位不正确';
  if (text.length !== 18) return '应为18位统一社会信用代码或9位组织机构代码';
  const foreign = [...text].find((char) => !CREDIT_CODE_ALPHABET.includes(char));
  if (foreign !== undefined) return foreignInCreditCode(foreign);
  const sum = weightedSum(text, CREDIT_CODE_ALPHABET, CREDIT_CODE_WEIGHTS);
  const check = CREDIT_CODE_ALPHABET[(31 - (sum % 31)) % 31];
  return check === text[17] ? null : '统一社会信用代码校验位不正确';
}

/** Unified social credit code only: suppliers and forwarders have no legacy codes any more. */
export function checkUnifiedCreditCode(text: string): string | null {
  return text.length === 18 ? checkCreditCode(text) : '应为18位统一社会信用代码';
}

/** Resident identity number, GB 11643-1999: 18 characters, a real birth date, ISO 7064 mod 11-2. */
export function checkResidentId(text: string): string | null {
  if (!/^\d{17}[\dX]$/.test(text)) return '应为18位身份证号';
  if (!isCalendarDate(text.slice(6, 10), text.slice(10, 12), text.slice(12, 14)))
    return '身份证号中的出生日期不正确';
  const sum = weightedSum(text, '0123456789', RESIDENT_WEIGHTS);
  return RESIDENT_CHECKS[sum % 11] === text[17] ? null : '身份证号校验位不正确';
}

/** CNAPS bank number: 12 digits, ISO 7064 mod 11,10. */
export function checkCnaps(text: string): string | null {
  if (!/^\d{12}$/.test(text)) return '联行号应为12位数字';
  let product = 10;
  for (const digit of text.slice(0, 11)) {
    const sum = (product + Number(digit)) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(text[11]) ? null : '联行号校验位不正确';
}

/** Container number, ISO 6346: owner, category, serial and check digit (CSQU3054383). */
export function checkContainerNumber(text: string): string | null {
  if (!/^[A-Z]{3}[UJZ]\d{7}$/.test(text)) return '柜号应为4位字母加7位数字';
  const sum = [...text.slice(0, 10)].reduce(
    (total, char, place) => total + CONTAINER_ALPHABET.indexOf(char) * 2 ** place,
    0,
  );
  return (sum % 11) % 10 === Number(text[10]) ? null : '柜号校验位不正确';
}

/** Business identifier code (SWIFT), ISO 9362: 8 or 11 characters. */
export function checkSwift(text: string): string | null {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text) ? null : 'SWIFT代码应为8位或11位大写字母数字';
}

/** The checks by the names that a field's `check` uses. */
export const TRADE_CHECKS = {
  credit_code: checkCreditCode,
  unified_credit_code: checkUnifiedCreditCode,
  id_no: checkResidentId,
  cnaps: checkCnaps,
  container_no: checkContainerNumber,
  swift: checkSwift,
} as const satisfies Record<string, (text: string) => string | null>;

/** GB 32100-2015 leaves out the letters that are taken for digits. */
function foreignInCreditCode(char: string): string {
  if (/[IOSVZ]/.test(char)) return `统一社会信用代码中没有字母${char}（不用I、O、S、V、Z），请核对`;
  return /[a-z]/.test(char)
    ? '统一社会信用代码中的字母应为大写'
    : `统一社会信用代码只含数字和大写字母，不能有“${char}”`;
}

function isOrganisationCode(text: string): boolean {
  if (!/^[0-9A-Z]{8}[0-9X]$/.test(text)) return false;
  const check = 11 - (weightedSum(text, ORGANISATION_ALPHABET, ORGANISATION_WEIGHTS) % 11);
  const expected = check === 10 ? 'X' : check === 11 ? '0' : String(check);
  return expected === text[8];
}

function weightedSum(text: string, alphabet: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + alphabet.indexOf(text.charAt(place)) * weight, 0);
}

function isCalendarDate(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
