/** How a column comes from one type to another. */
export type ColumnChange =
  | { readonly kind: 'none' }
  /** Every value fits: done by itself. `using` converts, where the types are not assignable. */
  | { readonly kind: 'widen'; readonly using?: string }
  /** Values may be lost or refused: by the explicit command only. */
  | { readonly kind: 'retype'; readonly using: string };

/** Compares two types as PostgreSQL prints them; `column` is the quoted column. */
export function columnChange(from: string, to: string, column: string): ColumnChange {
  if (from === to) return { kind: 'none' };
  if (isWider(from, to)) return { kind: 'widen' };
  if (to === 'text') return { kind: 'widen', using: `${column}::text` };
  if (from === 'date' && to === 'timestamp with time zone')
    return { kind: 'widen', using: `(${column}::timestamp at time zone 'Asia/Shanghai')` };
  if (to === `${from}[]`)
    return { kind: 'widen', using: `case when ${column} is null then null else array[${column}] end` };
  if (to === 'text[]' && from.endsWith('[]')) return { kind: 'widen', using: `${column}::text[]` };
  return { kind: 'retype', using: `${column}::text::${to}` };
}

const INTEGER_DIGITS: Readonly<Record<string, number>> = { smallint: 5, integer: 10, bigint: 19 };

function isWider(from: string, to: string): boolean {
  const [source, target] = [digitsOf(from), digitsOf(to)];
  if (source === null || target === null) return false;
  const isStillWhole = !(to in INTEGER_DIGITS) || from in INTEGER_DIGITS;
  return isStillWhole && target.whole >= source.whole && target.fraction >= source.fraction;
}

function digitsOf(type: string): { whole: number; fraction: number } | null {
  const integer = INTEGER_DIGITS[type];
  if (integer !== undefined) return { whole: integer, fraction: 0 };
  const match = /^numeric\((\d+),(\d+)\)$/.exec(type);
  if (match === null) return null;
  const [precision, scale] = [Number(match[1]), Number(match[2])];
  return { whole: precision - scale, fraction: scale };
}
