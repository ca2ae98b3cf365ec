import { type ReactNode, useState } from 'react';
import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import type { ClickedCell } from './report-table.tsx';
import { type CellText, cellText } from './report-text.ts';

const SHOWN = 16;

/** Rows of a report as figures: what it is, how much, and beside it what it is compared with. */
export function ReportFigures({
  result,
  chart,
  onOpen,
}: {
  readonly result: ReportResult;
  readonly chart: NonNullable<ReportResult['chart']>;
  /** Opens what a figure is made of. */
  readonly onOpen?: ((cell: ClickedCell) => void) | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const name = result.columns.find(({ key }) => key === chart.x);
  const [main, ...others] = chart.y.flatMap(
    (key) => result.columns.find((column) => column.key === key) ?? [],
  );
  const rows = result.rows.filter(({ isLine }) => isLine);
  if (name === undefined || main === undefined) return null;
  const mayOpen = main.opens && main.isFigure;
  return (
    <ul className="report-figures">
      {(isWhole ? rows : rows.slice(0, SHOWN)).map((row) => (
        <li key={JSON.stringify(row.keys)}>
          {onOpen !== undefined && mayOpen && row.isRest !== true ? (
            <button
              type="button"
              className="report-figure"
              title="查看明细"
              onClick={() => onOpen({ row, column: main, currency: null })}
            >
              <span>{wordsOf(row, name)}</span>
              <b>{wordsOf(row, main) || zeroOf(row, main)}</b>
            </button>
          ) : (
            <>
              <span>{wordsOf(row, name)}</span>
              <b>{wordsOf(row, main) || zeroOf(row, main)}</b>
            </>
          )}
          {others.map((column) => (
            <Beside key={column.key} row={row} column={column} />
          ))}
        </li>
      ))}
      {!isWhole && rows.length > SHOWN && (
        <li>
          <button type="button" className="cell-link" onClick={() => setWhole(true)}>
            全部 {rows.length} 项
          </button>
        </li>
      )}
    </ul>
  );
}

/** What a figure is compared with, without a colour: more is good news of receipts and bad news of what is overdue. */
function Beside({
  row,
  column,
}: {
  readonly row: ReportResultRow;
  readonly column: ReportResultColumn;
}): ReactNode {
  return (
    <small>
      {column.title} {wordsOf(row, column) || '—'}
    </small>
  );
}

/** A figure that is not there, with as many decimals as the others. */
function zeroOf(row: ReportResultRow, column: ReportResultColumn): string {
  return wordsOf({ ...row, cells: { ...row.cells, [column.key]: '0' } }, column);
}

function wordsOf(row: ReportResultRow, column: ReportResultColumn): string {
  const text: CellText = cellText(row, column);
  switch (text.kind) {
    case 'empty':
      return '';
    case 'amounts':
      return text.amounts.map(({ currency, text: amount }) => `${currency} ${amount}`).join('，');
    default:
      return text.text;
  }
}
