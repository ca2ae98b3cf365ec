/** A number in SQL that is added, or taken away. */
export interface SumTerm {
  readonly sql: string;
  readonly isNegative: boolean;
}

/**
 * What is empty counts as nothing in a sum, unless all is: a sum of rows says just that, without saying a part twice.
 * Where a term is never empty it is an addition, which costs a fraction of that.
 */
export function sumOfTerms(terms: readonly SumTerm[]): string {
  if (terms.some(({ sql }) => isGiven(sql))) return `(${terms.map(added).join(' ')})`;
  const rows = terms.map(({ sql, isNegative }) => `(${isNegative ? `(- ${sql})` : `(${sql})`})`);
  return `(select sum(p.v) from (values ${rows.join(', ')}) p(v))`;
}

function added({ sql, isNegative }: SumTerm, at: number): string {
  const sign = isNegative ? '- ' : at === 0 ? '' : '+ ';
  return `${sign}${isGiven(sql) ? sql : `coalesce(${sql}, 0)`}`;
}

/** A bound value, or what has one or nought in place of nothing. */
function isGiven(sql: string): boolean {
  return BOUND.test(sql) || (sql.startsWith('coalesce(') && INSTEAD.test(sql) && isOneCall(sql));
}

const BOUND = /^\$\d+::numeric$/;
const INSTEAD = /, (?:0|\$\d+::numeric)\)$/;

/** Whether the bracket that is opened first is the one that closes last. */
function isOneCall(sql: string): boolean {
  let depth = 0;
  for (let at = 0; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1;
    else if (sql[at] === ')') depth -= 1;
    else continue;
    if (depth === 0) return at === sql.length - 1;
  }
  return false;
}
