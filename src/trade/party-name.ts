/** Legal forms and filler words that say nothing about who a company is. */
const LEGAL_FORMS =
  /\b(limited|ltd|company|co|corporation|corp|incorporated|inc|llc|llp|plc|gmbh|ag|sa|srl|spa|bv|oy|ab|kk|pte|pty|the)\b/g;

/**
 * A company's name reduced to what identifies it: width, case, punctuation, blanks and legal forms do not count.
 * @example normalisePartyName('ACME Trading Co., Ltd.') === normalisePartyName('acme trading')
 */
export function normalisePartyName(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase();
  const words = folded.replace(/[^\p{L}\p{N}]+/gu, ' ').replace(LEGAL_FORMS, ' ');
  return words.replace(/\s+/g, '').replace(/(股份有限公司|有限责任公司|有限公司|公司)$/u, '');
}
