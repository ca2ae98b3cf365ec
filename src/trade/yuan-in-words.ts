/** An amount of yuan in the capital numerals that receipts, payment slips and settlement statements print: 人民币壹仟零伍元伍角整. */

const DIGITS = ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'] as const;
const PLACES = ['', '拾', '佰', '仟'] as const;
const GROUPS = ['', '万', '亿', '万亿'] as const;

/**
 * @param amount plain decimal text with at most two decimals and 16 whole digits
 * @returns null for anything else
 * @example yuanInWords('1005.50') // 人民币壹仟零伍元伍角整
 * @see 支付结算办法, 附件一: 正确填写票据和结算凭证的基本规定
 */
export function yuanInWords(amount: string): string | null {
  const match = /^(-?)0*(\d{1,16}?)(?:\.(\d{1,2}))?$/.exec(amount);
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const [jiao = 0, fen = 0] = [...fraction.padEnd(2, '0')].map(Number);
  const yuan = wholeInWords(whole);
  const parts = [yuan === '' ? '' : `${yuan}元`];
  if (jiao > 0) parts.push(`${DIGITS[jiao] ?? ''}角`);
  else if (fen > 0 && yuan !== '') parts.push('零');
  if (fen > 0) parts.push(`${DIGITS[fen] ?? ''}分`);
  const words = parts.join('');
  if (words === '') return '人民币零元整';
  return `人民币${sign === '' ? '' : '负'}${words}${fen > 0 ? '' : '整'}`;
}

/** Groups of four digits; zeros between digits are read once, at the end of a group not at all. */
function wholeInWords(digits: string): string {
  const groups = digits.padStart(Math.ceil(digits.length / 4) * 4, '0').match(/\d{4}/g) ?? [];
  let words = '';
  let isZeroOwed = false;
  for (const [place, group] of groups.entries()) {
    const value = Number(group);
    if (value === 0) {
      isZeroOwed = words !== '';
      continue;
    }
    if (words !== '' && (isZeroOwed || value < 1000)) words += '零';
    words += groupInWords(group) + (GROUPS[groups.length - 1 - place] ?? '');
    isZeroOwed = false;
  }
  return words;
}

function groupInWords(group: string): string {
  let words = '';
  let isZeroOwed = false;
  for (const [place, text] of [...group].entries()) {
    const digit = Number(text);
    if (digit === 0) isZeroOwed = words !== '';
    else {
      words += `${isZeroOwed ? '零' : ''}${DIGITS[digit] ?? ''}${PLACES[3 - place] ?? ''}`;
      isZeroOwed = false;
    }
  }
  return words;
}
