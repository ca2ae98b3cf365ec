/** Search by pieces of text: 1- and 2-grams of Chinese, 3-grams of Latin letters and digits. */

const CHINESE_RUN = /[\u3400-\u4dbf\u4e00-\u9fff]+/g;
const LATIN_RUN = /[a-z0-9]+/g;
const LATIN_GRAM = 3;

/** The searchable text of a record: lower case, full-width forms folded, parts joined by a space. */
export function searchText(parts: readonly (string | null | undefined)[]): string {
  return [
    ...new Set(
      parts
        .filter((part) => part !== null && part !== undefined && part !== '')
        .map((part) => foldText(String(part))),
    ),
  ].join(' ');
}

/** Lower case, full width to half width, runs of blanks to one. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The grams to store for a text; short Latin words are kept whole so that a prefix finds them. */
export function searchGrams(text: string): readonly string[] {
  const folded = foldText(text);
  const grams = new Set<string>();
  for (const [run] of folded.matchAll(CHINESE_RUN)) addGrams(grams, [...run], [1, 2]);
  for (const [run] of folded.matchAll(LATIN_RUN)) addGrams(grams, [...run], [1, 2, LATIN_GRAM]);
  return [...grams];
}

/** The grams that every match of a query must have; empty when the query has no letter, digit or Chinese character. */
export function queryGrams(query: string): readonly string[] {
  const folded = foldText(query);
  const grams = new Set<string>();
  for (const [run] of folded.matchAll(CHINESE_RUN)) addGrams(grams, [...run], [Math.min(2, run.length)]);
  for (const [run] of folded.matchAll(LATIN_RUN))
    addGrams(grams, [...run], [Math.min(LATIN_GRAM, run.length)]);
  return [...grams];
}

function addGrams(grams: Set<string>, chars: readonly string[], sizes: readonly number[]): void {
  for (const size of sizes)
    for (let start = 0; start + size <= chars.length; start += 1)
      grams.add(chars.slice(start, start + size).join(''));
}
