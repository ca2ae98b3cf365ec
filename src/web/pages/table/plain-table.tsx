import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { isNumberField } from '#web/fields/field-text.ts';
import type { ListColumn } from './list-column.ts';
import { PlainRow, type RowBehaviour } from './plain-row.tsx';
import { TableHead } from './table-head.tsx';

/** Above this many rows only those in view are in the document. */
const VIRTUAL_FROM = 60;

export interface PlainTableProps extends RowBehaviour {
  readonly resource: Resource;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly ErpRecord[];
  readonly sorters: readonly string[];
  readonly onSort: (sorters: readonly string[]) => void;
  readonly onResize?: (column: string, width: number) => void;
  readonly onMove?: (column: string, before: string) => void;
  readonly onSelectAll?: (isSelected: boolean) => void;
  readonly totals?: Readonly<Record<string, string>>;
  readonly density: 'compact' | 'middle';
  readonly isLoading?: boolean;
  readonly empty?: ReactNode;
}

/** A table of plain cells: text where no control is needed, so that 25 rows of 30 columns paint at once. */
export function PlainTable(props: PlainTableProps) {
  const { columns, rows, selected, rowActions } = props;
  const box = useRef<HTMLDivElement>(null);
  const offsets = useMemo(() => frozenOffsets(columns, selected !== undefined), [columns, selected]);
  const height = props.density === 'compact' ? 30 : 38;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    enabled: rows.length > VIRTUAL_FROM,
  });
  const window = rows.length > VIRTUAL_FROM ? virtual.getVirtualItems() : null;
  const first = window?.[0]?.index ?? 0;
  const shown = window === null ? rows : rows.slice(first, (window.at(-1)?.index ?? -1) + 1);
  const before = window?.[0]?.start ?? 0;
  const after = window === null ? 0 : virtual.getTotalSize() - (window.at(-1)?.end ?? 0);
  const width = columns.reduce((sum, column) => sum + column.width, 0);

  return (
    <div
      className={`plain-table-box density-${props.density}`}
      ref={box}
      aria-busy={props.isLoading === true}
    >
      <table
        className="plain-table"
        style={{ width: width + 36 + (rowActions === undefined ? 0 : 96) }}
        aria-rowcount={rows.length}
      >
        <colgroup>
          {selected !== undefined && <col style={{ width: 36 }} />}
          {columns.map((column) => (
            <col key={column.name} style={{ width: column.width }} />
          ))}
          {rowActions !== undefined && <col style={{ width: 96 }} />}
        </colgroup>
        <TableHead {...props} offsets={offsets} />
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {shown.map((row, place) => (
            <PlainRow key={String(row['id'])} {...props} row={row} offsets={offsets} place={first + place} />
          ))}
          {after > 0 && <Spacer height={after} />}
        </tbody>
        {props.totals !== undefined && rows.length > 0 && (
          <Totals {...props} totals={props.totals} offsets={offsets} />
        )}
      </table>
      {rows.length === 0 && props.isLoading !== true && (
        <div className="plain-table-empty">{props.empty ?? '没有数据'}</div>
      )}
    </div>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden="true" style={{ height }}>
      <td />
    </tr>
  );
}

function Totals({
  columns,
  totals,
  selected,
  rowActions,
  offsets,
}: PlainTableProps & { readonly totals: Readonly<Record<string, string>>; readonly offsets: FrozenOffsets }) {
  return (
    <tfoot>
      <tr>
        {selected !== undefined && <td className="frozen" style={{ left: 0 }} />}
        {columns.map((column, place) => (
          <td
            key={column.name}
            className={[isNumberField(column.field) ? 'number' : '', column.isFrozen ? 'frozen' : ''].join(
              ' ',
            )}
            style={column.isFrozen ? { left: offsets[column.name] } : undefined}
          >
            {totals[column.name] ?? (place === 0 ? '合计' : '')}
          </td>
        ))}
        {rowActions !== undefined && <td />}
      </tr>
    </tfoot>
  );
}

export type FrozenOffsets = Readonly<Record<string, number>>;

function frozenOffsets(columns: readonly ListColumn[], hasSelection: boolean): FrozenOffsets {
  const offsets: Record<string, number> = {};
  let left = hasSelection ? 36 : 0;
  for (const column of columns.filter((item) => item.isFrozen)) {
    offsets[column.name] = left;
    left += column.width;
  }
  return offsets;
}
