import type { ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { companyTime } from '#engine/values/dates.ts';
import { formatMoney, groupDigits } from '#engine/values/display.ts';
import { isPlainDecimal, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';

/** What a cell says: one text, or an amount for each currency. */
export type CellText =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'figure'; readonly text: string; readonly sign: 'negative' | 'zero' | 'plain' }
  | {
      readonly kind: 'amounts';
      readonly amounts: readonly {
        readonly currency: string;
        readonly text: string;
        readonly isNegative: boolean;
      }[];
    };

/** A cell as people read it. */
export function cellText(row: ReportResultRow, column: ReportResultColumn): CellText {
  const value = row.cells[column.key];
  const label = row.labels[column.key];
  const shown = { scale: column.scale, as: column.as === 'money' ? (row.as ?? column.as) : column.as };
  if (value === null || value === undefined)
    return label === undefined ? { kind: 'empty' } : { kind: 'text', text: label };
  if (typeof value === 'object')
    return {
      kind: 'amounts',
      amounts: Object.entries(value).map(([currency, amount]) => ({
        currency,
        text: amountText(String(amount), currency, shown),
        isNegative: String(amount).startsWith('-'),
      })),
    };
  const text = String(value);
  if (isNumber(column) && isPlainDecimal(text)) {
    const written = figureText(text, shown);
    const isZero = /^-?[0.,]+%?$/.test(written);
    return {
      kind: 'figure',
      text: written,
      sign: isZero ? 'zero' : written.startsWith('-') ? 'negative' : 'plain',
    };
  }
  if (column.as === 'datetime') return { kind: 'text', text: companyTime(text) };
  return { kind: 'text', text: label ?? text };
}

/** Figures stand at the right. */
export function isNumber({ as }: Pick<ReportResultColumn, 'as'>): boolean {
  return as === 'money' || as === 'number' || as === 'integer' || as === 'percent';
}

/** An amount in the decimals of its currency: yen have none. */
function amountText(text: string, currency: string, shown: Pick<ReportResultColumn, 'as' | 'scale'>): string {
  const isMoney = shown.as === 'money' && shown.scale === MONEY_SCALE;
  return isMoney ? formatMoney(text, currency) : figureText(text, shown);
}

const MONEY_SCALE = 2;

function figureText(text: string, { as, scale }: Pick<ReportResultColumn, 'as' | 'scale'>): string {
  if (as === 'percent') return `${roundDecimal(multiplyDecimals(text, '100'), 2)}%`;
  return groupDigits(roundDecimal(text, as === 'integer' ? 0 : scale));
}
