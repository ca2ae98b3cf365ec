import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  isPlainDecimal,
  sumDecimals,
} from '../values/decimal.ts';
import { namingColumn, type ReportPlan } from './plan-report.ts';
import type { Cells, OpenRow, ReportCellValue } from './report-rows.ts';

/** Groups by the words of their keys, lines as the report sorts them. */
export function inOrder(
  plan: ReportPlan,
  rows: readonly OpenRow[],
  {
    lineLevel,
    labelOf,
  }: { readonly lineLevel: number; readonly labelOf: (index: number, value: unknown) => string },
): readonly OpenRow[] {
  const children = new Map<string, OpenRow[]>();
  for (const row of rows) {
    const { level, keys } = row.raw;
    if (level === 0) continue;
    const depth = level === lineLevel && plan.isEach ? keys.length : keys.length - 1;
    const key = JSON.stringify(keys.slice(0, depth));
    const known = children.get(key);
    if (known === undefined) children.set(key, [row]);
    else known.push(row);
  }
  const compare = comparing(plan, labelOf);
  const walk = (key: readonly unknown[]): readonly OpenRow[] =>
    (children.get(JSON.stringify(key)) ?? [])
      .toSorted(compare)
      .flatMap((row) => (row.raw.level === lineLevel ? [row] : [row, ...walk(row.raw.keys)]));
  return walk([]);
}

function comparing(plan: ReportPlan, labelOf: (index: number, value: unknown) => string) {
  return (a: OpenRow, b: OpenRow): number => {
    for (const key of plan.report.sort ?? []) {
      const name = key.replace(/^-/, '');
      const isOfKey = plan.keys.some(({ columns }) => columns.includes(name));
      if (isOfKey) continue;
      const order = compareCells(a.cells[name], b.cells[name], key.startsWith('-'));
      if (order !== 0) return order;
    }
    const at = a.raw.keys.length - 1;
    if (at >= 0 && a.raw.keys[at] !== b.raw.keys[at]) {
      const column = plan.keys[at]?.columns ?? [];
      const isDown = (plan.report.sort ?? []).some((key) => column.some((name) => key === `-${name}`));
      const places = namePlaces(plan, at);
      const order =
        places === null
          ? labelOf(at, a.raw.keys[at]).localeCompare(labelOf(at, b.raw.keys[at]), 'zh')
          : places(a.raw.keys[at]) - places(b.raw.keys[at]);
      if (order !== 0) return isDown ? -order : order;
    }
    return (a.raw.id ?? '') < (b.raw.id ?? '') ? -1 : 1;
  };
}

/** Where a value stands among those that a report has names for; null: it has none. */
function namePlaces(plan: ReportPlan, at: number): ((value: unknown) => number) | null {
  const names = namingColumn(plan, plan.keys[at])?.names;
  if (names === undefined) return null;
  const known = Object.keys(names);
  return (value) => (typeof value === 'string' ? known.indexOf(value) : -1);
}

/** Nothing comes last, whichever way. */
function compareCells(
  a: ReportCellValue | undefined,
  b: ReportCellValue | undefined,
  isDown: boolean,
): number {
  const [x, y] = [plainOf(a), plainOf(b)];
  if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
  const isNumber = isPlainDecimal(x) && isPlainDecimal(y);
  const order = isNumber ? compareDecimals(x, y) : x < y ? -1 : x > y ? 1 : 0;
  return isDown ? -order : order;
}

function plainOf(cell: ReportCellValue | undefined): string | null {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'object') return sumDecimals(Object.values(cell));
  return String(cell);
}

/** Running sums and shares in the order of the lines, and the classes by them: A to 80 %, B to 95 %, C. */
export function accumulate(
  plan: ReportPlan,
  rows: readonly OpenRow[],
  { lineLevel, total }: { readonly lineLevel: number; readonly total: Cells },
): void {
  for (const column of plan.columns) {
    const over = column.cumulative ?? column.abc ?? column.running;
    if (over === undefined) continue;
    const whole = total[over];
    let sum = '0';
    for (const { raw, cells } of rows) {
      const cell = cells[over];
      if (raw.level !== lineLevel) continue;
      const before = isPlainDecimal(whole) ? divideDecimals(sum, whole) : null;
      sum = addDecimals(sum, isPlainDecimal(cell) ? cell : '0');
      const share = isPlainDecimal(whole) ? divideDecimals(sum, whole) : null;
      cells[column.key] =
        column.running !== undefined ? sum : column.abc === undefined ? share : abcOf(before);
    }
  }
}

/** By the share that stands before a line, so that the one that reaches 80 % still counts as A. */
function abcOf(share: string | null): string | null {
  if (share === null) return null;
  if (compareDecimals(share, '0.8') < 0) return 'A';
  return compareDecimals(share, '0.95') < 0 ? 'B' : 'C';
}
