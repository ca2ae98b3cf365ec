/**
 * A number's text without the commas that group its digits in threes; null when a comma stands elsewhere, as where it is
 * the decimal sign: taken out of `12,50` it would make a hundred times as much.
 * @example withoutGroups('1,234,567.8') // '1234567.8'
 * @example withoutGroups('12,50') // null
 */
export function withoutGroups(text: string): string | null {
  if (!text.includes(',')) return text;
  return /^[^\d,.]*[1-9]\d{0,2}(,\d{3})+(\.\d*)?[^\d,.]*$/.test(text) ? text.replaceAll(',', '') : null;
}
