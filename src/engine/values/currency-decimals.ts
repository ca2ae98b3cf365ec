/** How many decimals an amount of a currency has: those of ISO 4217 without cents, else 2. `table` knows better. */
export function decimalsOf(currency: string, table: Readonly<Record<string, number>> = NONE): number {
  const known = Object.hasOwn(table, currency) ? table[currency] : undefined;
  return known ?? (WHOLE.has(currency) ? 0 : 2);
}

/** The decimals of all currencies that have not 2. */
export function knownDecimals(
  table: Readonly<Record<string, number>> = NONE,
): Readonly<Record<string, number>> {
  return { ...Object.fromEntries([...WHOLE].map((currency) => [currency, 0])), ...table };
}

const NONE: Readonly<Record<string, number>> = {};
/** ISO 4217, minor unit 0. */
const WHOLE: ReadonlySet<string> = new Set([
  'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF',
]); // prettier-ignore
