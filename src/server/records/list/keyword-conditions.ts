import { syllablePattern } from '#engine/search/full-pinyin.ts';
import { queryGrams } from '#engine/search/search-text.ts';
import { bind } from '#server/records/call/statement.ts';

/** Grams narrow by the index, LIKE rechecks: grams alone would also match the pieces in another order. */
export function keywordConditions(keyword: string, values: unknown[]): readonly string[] {
  const text = keyword.toLowerCase();
  const grams = queryGrams(text);
  const like = `t.search_text like ${bind(values, `%${text.replace(/[\\%_]/g, '\\$&')}%`)}`;
  const spelled = syllablePattern(text);
  const held = spelled === null ? like : `(${like} or t.search_text ~ ${bind(values, spelled)})`;
  return grams.length === 0 ? [held] : [`t.search_grams @> ${bind(values, grams)}::text[]`, held];
}

/**
 * How close a row is to a keyword: 0 it is one of its texts or the initials or the full pinyin of a whole one, 1 one begins
 * so, 2 one holds it.
 */
export function keywordCloseness(keyword: string, values: unknown[]): string {
  const text = `${bind(values, keyword.toLowerCase())}::text`;
  const searched = `(' ' || t.search_text || ' ')`;
  const pattern = syllablePattern(keyword);
  const spelled = pattern === null ? null : `${bind(values, pattern)}::text`;
  const isSpelled = (end: string): string =>
    spelled === null ? '' : ` or ${searched} ~ (' ' || ${spelled}${end})`;
  return `case when position(' ' || ${text} || ' ' in ${searched}) > 0${isSpelled(` || ' '`)} then 0
    when position(' ' || ${text} in ${searched}) > 0${isSpelled('')} then 1 else 2 end`;
}

/**
 * How a row is called beside a keyword: 0 one of the texts (SQL) is the keyword, 1 one begins with it, 2 neither. A text of
 * several words is one only as a whole: 'york' is not New York.
 */
export function keywordExactness(keyword: string, texts: readonly string[], values: unknown[]): string {
  const text = keyword.toLowerCase();
  const same = `${bind(values, text)}::text`;
  const begins = `${bind(values, `${text.replace(/[\\%_]/g, '\\$&')}%`)}::text`;
  const any = (test: (column: string) => string): string => texts.map(test).join(' or ');
  return `case when ${any((column) => `lower(${column}) = ${same}`)} then 0
    when ${any((column) => `lower(${column}) like ${begins}`)} then 1 else 2 end`;
}
