import { absoluteDecimal, isPlainDecimal, roundDecimal } from '#engine/values/decimal.ts';

const DIGITS = '零壹贰叁肆伍陆柒捌玖';
const UNITS = ['', '拾', '佰', '仟'] as const;
const GROUPS = ['', '万', '亿', '万亿'] as const;

/**
 * A yuan amount as invoices word it: `1234.50` is 壹仟贰佰叁拾肆圆伍角整 (票据和结算凭证 usage of the People's Bank).
 * Null for what is no decimal or has more than 16 digits before the point.
 */
export function amountInChinese(amount: string): string | null {
  if (!isPlainDecimal(amount)) return null;
  const [whole = '0', cents = '00'] = roundDecimal(absoluteDecimal(amount), 2).split('.');
  if (whole.length > 16) return null;
  const sign = amount.startsWith('-') && /[1-9]/.test(`${whole}${cents}`) ? '负' : '';
  const yuan = wordsOf(whole);
  const fraction = fractionOf(cents, yuan !== '');
  if (yuan === '') return `${sign}${fraction === '' ? '零圆整' : fraction}`;
  return `${sign}${yuan}圆${fraction === '' ? '整' : fraction}`;
}

function wordsOf(whole: string): string {
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 4) groups.unshift(whole.slice(Math.max(0, end - 4), end));
  let words = '';
  let isGap = false;
  for (const [place, group] of groups.entries()) {
    const said = groupWords(group);
    if (said === '') {
      isGap = words !== '';
      continue;
    }
    const needsZero = words !== '' && (isGap || group.startsWith('0'));
    words += `${needsZero ? '零' : ''}${said}${GROUPS[groups.length - 1 - place] ?? ''}`;
    isGap = false;
  }
  // 万亿 stands alone only when nothing between it and 亿 says 亿.
  return /万亿.*[^万]亿/.test(words) ? words.replace('万亿', '万') : words;
}

/** Four digits without the zeros at either end. */
function groupWords(group: string): string {
  let words = '';
  let isGap = false;
  for (const [place, digit] of [...group].entries()) {
    if (digit === '0') {
      isGap = words !== '';
      continue;
    }
    words += `${isGap ? '零' : ''}${DIGITS[Number(digit)] ?? ''}${UNITS[group.length - 1 - place] ?? ''}`;
    isGap = false;
  }
  return words;
}

function fractionOf(cents: string, hasYuan: boolean): string {
  const [jiao = '0', fen = '0'] = cents;
  if (jiao === '0' && fen === '0') return '';
  const first = jiao === '0' ? (hasYuan ? '零' : '') : `${DIGITS[Number(jiao)] ?? ''}角`;
  return `${first}${fen === '0' ? '整' : `${DIGITS[Number(fen)] ?? ''}分`}`;
}
