/** SQL of the sum of a column over the lines of the record `t`. */
export const sumOf = (column: string, lines: string): string =>
  `coalesce((select sum(l.${column}) from ${lines} l where l.co_code = t.co_code and l.parent_id = t.id), 0)`;
