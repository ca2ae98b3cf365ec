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
