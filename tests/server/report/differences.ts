import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { isPlainDecimal, sumDecimals } from '#engine/values/decimal.ts';

/** Every line that only one side has, and every figure that differs by more than its last shown digit. */
export function differences(
  result: ReportResult,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const lines = new Map<string, ReportResultRow>();
  const found: string[] = [];
  for (const row of result.rows.filter(({ isLine }) => isLine)) {
    if (lines.has(keyOf(row))) found.push(`${keyOf(row)}: twice`);
    lines.set(keyOf(row), row);
  }
  for (const { key, ...expected } of rows) {
    const name = typeof key === 'string' ? key : JSON.stringify(key);
    const line = lines.get(name) ?? lines.get(JSON.stringify(key));
    lines.delete(name);
    if (line === undefined) {
      if (Object.values(expected).some((value) => Number(value ?? 0) !== 0))
        found.push(`${name}: no such line`);
      continue;
    }
    for (const [column, value] of Object.entries(expected)) {
      const shown = textOf(line.cells[column]);
      if (!isSame(shown, textOf(value)))
        found.push(`${name} ${column}: ${shown} instead of ${textOf(value)}`);
    }
  }
  return [...found, ...[...lines.keys()].map((key) => `${key}: a line too many`)];
}

function keyOf(row: ReportResultRow): string {
  return row.id ?? JSON.stringify(row.keys);
}

/** Amounts by currency as their sum: a line has one, or the statement adds them too. */
function textOf(cell: unknown): string {
  if (typeof cell === 'object' && cell !== null) return sumDecimals(Object.values(cell).map(String));
  return cell === null || cell === undefined ? '' : String(cell);
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one === '' ? '0' : one, other === '' ? '0' : other];
  return isPlainDecimal(a) && isPlainDecimal(b) && Math.abs(Number(a) - Number(b)) < 0.00005;
}
