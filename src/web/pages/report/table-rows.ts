import type { ReportResult, ReportResultRow } from '#contract/reports.ts';

/** Of a total in many currencies those that most lines have, and how many there are. */
export interface MainCurrencies {
  readonly known: ReadonlySet<string>;
  readonly count: number;
}

/** More than these would take the place of the lines. */
const MOST_CURRENCIES = 3;

/** The currencies that most lines have, where the total has more than fit in its row; else null. */
export function mainCurrencies({ rows, total }: ReportResult): MainCurrencies | null {
  const all = new Set(currenciesOf(total));
  if (all.size <= MOST_CURRENCIES) return null;
  const lines = new Map<string, number>();
  for (const row of rows)
    if (row.isLine)
      for (const currency of new Set(currenciesOf(row))) lines.set(currency, (lines.get(currency) ?? 0) + 1);
  const known = [...lines].toSorted(([, a], [, b]) => b - a).slice(0, MOST_CURRENCIES - 1);
  return { known: new Set(known.map(([currency]) => currency)), count: all.size };
}

function currenciesOf(row: ReportResultRow | null): readonly string[] {
  return Object.values(row?.cells ?? {}).flatMap((cell) =>
    typeof cell === 'object' && cell !== null ? Object.keys(cell) : [],
  );
}

/** Rows below a folded group are not there. */
export function shownRows(
  rows: readonly ReportResultRow[],
  folded: ReadonlySet<string>,
): readonly ReportResultRow[] {
  if (folded.size === 0) return rows;
  return rows.filter((row) => !aboveOf(row).some((key) => folded.has(key)));
}

function aboveOf(row: ReportResultRow): readonly string[] {
  const depth = row.isLine ? row.keys.length : row.keys.length - 1;
  return Array.from({ length: depth }, (_, index) => JSON.stringify(row.keys.slice(0, index + 1)));
}

/** What tells a row from the others of its table. */
export function keyOf(row: ReportResultRow): string {
  return row.isLine ? JSON.stringify([row.keys, row.id, row.cells]) : JSON.stringify(row.keys);
}
