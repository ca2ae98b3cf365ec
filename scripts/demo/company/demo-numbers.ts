import { checkContainerNumber, checkResidentId, checkUnifiedCreditCode } from '#trade/check-digits.ts';
import type { Dice } from './random.ts';

const CREDIT_DIGITS = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const RESIDENT_DIGITS = '0123456789X';

/** An invented unified social credit code of a company in that area, with its check digit. */
export function creditCode(roll: Dice, area: string): string {
  const body = Array.from({ length: 9 }, () => CREDIT_DIGITS.charAt(roll.between(0, 30))).join('');
  return withCheck(`91${area}${body}`, CREDIT_DIGITS, checkUnifiedCreditCode);
}

/** An invented resident identity number. */
export function residentId(roll: Dice, area: string): string {
  const day = `${roll.between(1968, 1996)}${two(roll.between(1, 12))}${two(roll.between(1, 28))}`;
  return withCheck(`${area}${day}${roll.between(100, 999)}`, RESIDENT_DIGITS, checkResidentId);
}

/** An invented account number of so many digits. */
export function accountNo(roll: Dice, start: string, length: number): string {
  return start + Array.from({ length: length - start.length }, () => String(roll.between(0, 9))).join('');
}

/** An invented mobile number outside those that the demo names. */
export function mobileNo(roll: Dice): string {
  return `15${roll.between(0, 9)}${roll.between(10_000_000, 99_999_999)}`;
}

/** An invented container number. */
export function containerNo(roll: Dice): string {
  return withCheck(
    `${roll.pick(['DMOU', 'ERPU', 'TSTU'])}${roll.between(100_000, 999_999)}`,
    '0123456789',
    checkContainerNumber,
  );
}

function withCheck(body: string, digits: string, check: (text: string) => string | null): string {
  const found = [...digits].map((digit) => body + digit).find((text) => check(text) === null);
  if (found === undefined) throw new RangeError(`no check digit for ${body}`);
  return found;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
