import type { Queryable } from '#server/kernel/db/database.ts';

export type { Tx } from '#server/kernel/db/database.ts';
/** What reads need of the pool or a transaction. */
export type Reader = Pick<Queryable, 'query'>;

export { quoteLiteral as quoteText, quoteName } from '#server/kernel/db/sql-identifiers.ts';

/** Adds a value and gives its placeholder. */
export function bind(values: unknown[], value: unknown): string {
  values.push(value);
  return `$${values.length}`;
}

/**
 * A condition that always holds and keeps PostgreSQL from keeping a plan, for prepared statements whose values decide on
 * it: what people filter by may be rare or everywhere, and a plan for the average goes through a million rows in the order
 * asked for to find none. With the value at hand (null) it falls away before anything is planned; without, the plan seems
 * endless, so the one for the values is always the cheaper one. See `among` for the other case.
 */
export function plannedAnew(values: unknown[]): string {
  return `(${bind(values, null)}::int is null or (select count(*) from generate_series(1, 1000000000)) > 0)`;
}

/**
 * Names a statement so that it is prepared; undefined once too many different texts were seen. Texts vary with what
 * people filter by, and every connection keeps a plan for every name, so the number is bounded.
 */
export function statementName(text: string): string | undefined {
  if (named.has(text)) return 'data';
  if (named.size >= MAX_NAMED || text.length > MAX_NAMED_LENGTH) return undefined;
  named.add(text);
  return 'data';
}

const MAX_NAMED = 1500;
const MAX_NAMED_LENGTH = 20_000;
const named = new Set<string>();
