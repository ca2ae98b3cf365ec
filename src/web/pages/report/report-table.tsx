import { CaretDownOutlined, CaretRightOutlined } from '@ant-design/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { type CellText, cellText, isNumber } from './report-text.ts';
import { keyOf, type MainCurrencies, mainCurrencies, shownRows } from './table-rows.ts';
import { useIsPrinting } from './use-is-printing.ts';
import { wideColumns } from './wide-columns.ts';

/** A cell that was clicked. */
export interface ClickedCell {
  readonly row: ReportResultRow;
  readonly column: ReportResultColumn;
  readonly currency: string | null;
}

export interface ReportTableProps {
  readonly result: ReportResult;
  readonly onOpen: (cell: ClickedCell) => void;
  readonly onOpenRecord: (resource: string, id: string) => void;
}

const ROW_HEIGHT = 34;
const ALWAYS_WHOLE = 200;

/**
 * Rows with their groups, which fold; head, first column and total stay in sight. Only rows in sight are drawn, on paper
 * all of them.
 */
export function ReportTable({ result, onOpen, onOpenRecord }: ReportTableProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => shownRows(result.rows, folded), [result.rows, folded]);
  const isPrinting = useIsPrinting();
  const isDrawnWhole = isPrinting || rows.length <= ALWAYS_WHOLE;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    enabled: !isDrawnWhole,
  });
  const items = virtual.getVirtualItems();
  const drawn = isDrawnWhole
    ? rows
    : items.map(({ index }) => rows[index]).filter((row) => row !== undefined);
  const above = isDrawnWhole ? 0 : (items[0]?.start ?? 0);
  const below = isDrawnWhole ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const toggle = (row: ReportResultRow) =>
    setFolded((before) => {
      const key = keyOf(row);
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const named = useMemo(() => namingKey(result), [result]);
  const main = useMemo(() => mainCurrencies(result), [result]);
  const { isWide, empty } = useMemo(() => wideColumns(result), [result]);
  const [isAllShown, setAllShown] = useState(false);
  const columns = isAllShown ? result.columns : result.columns.filter(({ key }) => !empty.has(key));
  const cells = { columns, named, onOpen, onOpenRecord };
  return (
    <div className="report-table-box" ref={box}>
      {empty.size > 0 && (
        <button
          type="button"
          className="cell-link report-empty-columns"
          aria-expanded={isAllShown}
          onClick={() => setAllShown(!isAllShown)}
        >
          {isAllShown ? '收起空列' : `显示 ${empty.size} 个空列`}
        </button>
      )}
      <table className={isWide ? 'report-table is-wide' : 'report-table'}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={isNumber(column) ? 'number' : ''}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {drawn.map((row) => (
            <TableRow
              key={`${keyOf(row)} ${row.isRest === true ? 'rest' : ''}`}
              row={row}
              isFolded={folded.has(keyOf(row))}
              onToggle={row.isLine ? null : () => toggle(row)}
              {...cells}
            />
          ))}
          {below > 0 && <Gap height={below} />}
        </tbody>
        {result.total !== null && (
          <tfoot>
            <TableRow row={result.total} main={main} isFolded={false} onToggle={null} {...cells} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

function Gap({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  );
}

interface TableRowProps extends Pick<ReportTableProps, 'onOpen' | 'onOpenRecord'> {
  readonly row: ReportResultRow;
  readonly columns: readonly ReportResultColumn[];
  readonly named: string | null;
  /** Of a total in many currencies those that most lines have: the others are behind a press. */
  readonly main?: MainCurrencies | null;
  readonly isFolded: boolean;
  readonly onToggle: (() => void) | null;
}

function TableRow({ row, columns, main = null, isFolded, onToggle, ...cell }: TableRowProps) {
  const [isWhole, setWhole] = useState(false);
  const kind = row.isLine ? '' : row.level === 0 ? 'report-total' : `report-group level-${row.level}`;
  return (
    <tr className={main !== null && !isWhole ? `${kind} is-short` : kind}>
      {columns.map((column, index) => (
        <td key={column.key} className={isNumber(column) ? 'number' : ''}>
          {onToggle !== null && column.group === row.level - 1 && (
            <button
              type="button"
              className="report-fold"
              aria-expanded={!isFolded}
              aria-label="展开或收起"
              onClick={onToggle}
            >
              {isFolded ? <CaretRightOutlined /> : <CaretDownOutlined />}
            </button>
          )}
          <Cell row={row} column={column} isFirst={index === 0} main={main?.known ?? null} {...cell} />
          {index === 0 && main !== null && (
            <button
              type="button"
              className="cell-link report-currencies"
              aria-expanded={isWhole}
              onClick={() => setWhole(!isWhole)}
            >
              {isWhole ? '收起' : `全部 ${main.count} 种货币`}
            </button>
          )}
        </td>
      ))}
    </tr>
  );
}

interface CellProps extends Pick<ReportTableProps, 'onOpen' | 'onOpenRecord'> {
  readonly row: ReportResultRow;
  /** The column that opens a line's record. */
  readonly named: string | null;
  readonly column: ReportResultColumn;
  readonly isFirst: boolean;
  readonly main: ReadonlySet<string> | null;
}

function Cell({ row, named, column, isFirst, main, onOpen, onOpenRecord }: CellProps): ReactNode {
  // A line shows its group in the group's own row, and so does a group its outer one.
  const inner = row.isLine ? row.keys.length - (row.id === null ? 1 : 0) : row.level - 1;
  if (column.group !== undefined && column.group < inner) return null;
  const text = cellText(row, column);
  if (text.kind === 'empty') return isFirst ? nameOf(row) : null;
  if (text.kind === 'text')
    return <Words {...{ row, named, column, text: text.text, onOpen, onOpenRecord }} />;
  // A group of one currency says which it is.
  const told = new Set(row.keys);
  if (row.isRest === true) return <Figure text={text} main={main} told={told} onClick={null} />;
  const open =
    column.opens && column.isFigure ? (currency: string | null) => onOpen({ row, column, currency }) : null;
  return <Figure text={text} main={main} told={told} onClick={open} />;
}

function nameOf(row: ReportResultRow): string | null {
  if (row.isRest === true) return '其余';
  return row.level === 0 ? '合计' : null;
}

/** What a row says: its own record opens, and what it refers to. */
function Words({
  row,
  named,
  column,
  text,
  onOpenRecord,
}: Omit<CellProps, 'isFirst' | 'main'> & { readonly text: string }) {
  const value = row.cells[column.key];
  const isOwn =
    row.isLine && row.id !== null && row.source !== null && !row.source.includes('.') && column.key === named;
  const target = column.to ?? (isOwn ? row.source : null);
  const id = column.to === undefined ? row.id : typeof value === 'string' ? value : null;
  if (target === null || target === undefined || target.includes('.') || id === null || text === '—')
    return <span title={text}>{text}</span>;
  return (
    <button type="button" className="cell-link" title={text} onClick={() => onOpenRecord(target, id)}>
      {text}
    </button>
  );
}

/** The own text that names the records of lines: the first that no two of them share. */
function namingKey({ rows, columns }: ReportResult): string | null {
  const lines = rows.filter(({ isLine, id }) => isLine && id !== null);
  const own = columns.filter(
    ({ isFigure, as, to, group }) => !isFigure && as === 'text' && to === undefined && group === undefined,
  );
  const isApart = ({ key }: ReportResultColumn): boolean =>
    new Set(lines.map(({ cells }) => cells[key])).size === lines.length;
  return (own.find(isApart) ?? own[0])?.key ?? null;
}

function Figure({
  text,
  main,
  told,
  onClick,
}: {
  readonly main: ReadonlySet<string> | null;
  readonly told: ReadonlySet<unknown>;
  readonly text: Extract<CellText, { kind: 'figure' | 'amounts' }>;
  readonly onClick: ((currency: string | null) => void) | null;
}) {
  if (text.kind === 'amounts')
    return text.amounts.map(({ currency, text: amount, isNegative }) => (
      <span
        key={currency}
        className={main === null || main.has(currency) ? 'report-amount' : 'report-amount is-other'}
      >
        <Pressed
          className={isNegative ? 'negative' : ''}
          onClick={onClick === null ? null : () => onClick(currency)}
        >
          {amount}
        </Pressed>
        {!told.has(currency) && <small>{currency}</small>}
      </span>
    ));
  return (
    <Pressed
      className={text.sign}
      onClick={onClick === null || text.sign === 'zero' ? null : () => onClick(null)}
    >
      {text.text}
    </Pressed>
  );
}

function Pressed({
  className,
  onClick,
  children,
}: {
  readonly className: string;
  readonly onClick: (() => void) | null;
  readonly children: ReactNode;
}) {
  if (onClick === null) return <span className={className}>{children}</span>;
  return (
    <button type="button" className={`report-figure ${className}`} onClick={onClick}>
      {children}
    </button>
  );
}
