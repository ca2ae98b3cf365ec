import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import { columnTotal, type TotalText } from './column-total.ts';
import { currencyOf, isColumnKept, isNumberField, labelsOf, lineAmount, scalarText } from './field-text.ts';
import { FIELD_VIEWS } from './field-views.ts';
import type { ShowProps } from './field-view.ts';
import { startWidth } from './grid/column-width.ts';
import { OpensCell } from './opens-cell.tsx';
import { type TableUnits, tableUnits } from './table-units.ts';

interface LinesTableProps extends ShowProps {
  /** Head of the lines, for `parent.currency`. */
  readonly parent?: ErpRecord;
  /** Columns in order; default: all. */
  readonly columns?: readonly string[];
  /** Columns with a total; default: the amounts. */
  readonly totals?: ReadonlySet<string>;
}

/** Above this many lines only those in view are in the document. */
const WINDOW_FROM = 60;
const ROW_HEIGHT_PX = 30;
const OVERSCAN = 10;
const NUMBER_WIDTH_PX = 44;

/** Lines to read: a plain table with a total under the money and quantity columns; long ones scroll in a box of their own. */
export function LinesTable({ field, value, parent, columns, totals, onOpen }: LinesTableProps) {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const records = rows.filter(isRecord);
  const numbered = runningNumber(field);
  const shown = (columns ?? Object.keys(field.fields ?? {}))
    .filter((name) => name !== numbered)
    .map((name) => field.fields?.[name])
    .filter((column) => column !== undefined)
    .filter((column) => !isColumnKept(column, records));
  const totalled = totals ?? new Set(shown.filter(isAddedUp).map((column) => column.name));
  if (records.length === 0) return <span className="field-empty">无明细</span>;
  const units = tableUnits(shown, records, parent);
  const props: BodyProps = { field, shown, records, parent, units, numbered, onOpen };
  const foot = totalled.size > 0 && (
    <tfoot>
      <tr>
        <td>合计</td>
        {shown.map((column) => (
          <td key={column.name} className={alignOf(column)}>
            {totalled.has(column.name) && <ColumnTotal total={columnTotal(column, records, parent)} />}
          </td>
        ))}
      </tr>
    </tfoot>
  );
  return records.length > WINDOW_FROM ? (
    <LongTable {...props} foot={foot} />
  ) : (
    <ShortTable {...props} foot={foot} />
  );
}

interface BodyProps {
  readonly field: Field;
  readonly shown: readonly Field[];
  readonly records: readonly ErpRecord[];
  readonly parent: ErpRecord | undefined;
  readonly units: TableUnits;
  /** The column that numbers the lines. */
  readonly numbered: string | null;
  readonly onOpen: ShowProps['onOpen'];
}

interface TableProps extends BodyProps {
  readonly foot: ReactNode;
}

function ShortTable({ foot, ...props }: TableProps) {
  return (
    <div className="lines-table-scroll" tabIndex={0} role="region" aria-label={props.field.title}>
      <table className="lines-table" aria-label={props.field.title}>
        <Head shown={props.shown} units={props.units} />
        <tbody>
          {props.records.map((line, index) => (
            <Row key={scalarText(line['id'] ?? index)} {...props} line={line} index={index} />
          ))}
        </tbody>
        {foot}
      </table>
    </div>
  );
}

/** Head and totals stay in view; columns have fixed widths, else they would jump as one scrolls. */
function LongTable({ foot, ...props }: TableProps) {
  const { field, shown, records } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const width = shown.reduce((sum, column) => sum + startWidth(column), NUMBER_WIDTH_PX);
  return (
    <div ref={box} className="lines-table-scroll is-long" tabIndex={0} role="region" aria-label={field.title}>
      <table
        className="lines-table is-fixed"
        aria-label={field.title}
        aria-rowcount={records.length + 1}
        style={{ minWidth: width }}
      >
        <colgroup>
          <col style={{ width: NUMBER_WIDTH_PX }} />
          {shown.map((column) => (
            <col key={column.name} style={{ width: startWidth(column) }} />
          ))}
        </colgroup>
        <Head shown={shown} units={props.units} />
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {items.map(({ index }) => {
            const line = records[index];
            if (line === undefined) return null;
            return <Row key={scalarText(line['id'] ?? index)} {...props} line={line} index={index} />;
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
        {foot}
      </table>
    </div>
  );
}

function Head({ shown, units }: Pick<BodyProps, 'shown' | 'units'>) {
  return (
    <thead>
      <tr>
        <th scope="col">#</th>
        {shown.map((column) => (
          <th key={column.name} scope="col" className={alignOf(column)}>
            {column.title}
            {units.heads.has(column.name) && <small> {units.heads.get(column.name)}</small>}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row({
  shown,
  line,
  index,
  parent,
  units,
  numbered,
  onOpen,
}: BodyProps & { readonly line: ErpRecord; readonly index: number }) {
  const labels = labelsOf(line);
  return (
    <tr aria-rowindex={index + 2}>
      <td>{scalarText((numbered === null ? null : line[numbered]) ?? index + 1)}</td>
      {shown.map((column) => {
        const { Cell, LineCell = Cell } = FIELD_VIEWS[column.type];
        return (
          <td key={column.name} className={alignOf(column)}>
            {column.opens !== undefined ? (
              <OpensCell column={column} line={line} />
            ) : column.type === 'money' && !units.cells.has(column.name) ? (
              lineAmount(column, line, parent)
            ) : (
              <LineCell
                field={column}
                value={line[column.name]}
                label={labels[column.name]}
                currency={units.cells.has(column.name) ? currencyOf(column, line, parent) : undefined}
                onOpen={onOpen}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden="true">
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

function ColumnTotal({ total: { text, whole } }: { readonly total: TotalText }) {
  return <span {...(whole === text ? {} : { title: whole })}>{text}</span>;
}

function isAddedUp({ type, total }: Field): boolean {
  return type === 'money' && total !== false;
}

function alignOf(column: Field): string {
  return isNumberField(column) ? 'cell-number' : '';
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
