import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, useMemo, useRef } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { isNumberField } from '#web/fields/field-text.ts';
import { tellCutText } from './cut-text.ts';
import { fittedColumns, useBoxWidth, withArrow } from './fitted-columns.ts';
import type { ListColumn } from './list-column.ts';
import { PlainRow, type RowBehaviour } from './plain-row.tsx';
import { RowCards } from './row-cards.tsx';
import { TableHead } from './table-head.tsx';
import { CardsSkeleton, TableSkeleton } from './table-skeleton.tsx';
import { useIsPhone } from './use-is-phone.ts';

/** Above this many rows only those in view are in the document. */
const VIRTUAL_FROM = 60;
/** The first column where rows can be chosen, the last where something can be done with them. */
const CHECK_PX = 36;
export const ACTIONS_PX = 96;
const NO_NAMES: ReadonlySet<string> = new Set();

/** Rows that belong together, one after the other in the list's order. */
export interface RowGroups {
  readonly keyOf: (row: ErpRecord) => string;
  readonly titleOf: (row: ErpRecord) => string;
}

export interface PlainTableProps extends RowBehaviour {
  readonly resource: Resource;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly ErpRecord[];
  readonly sorters: readonly string[];
  readonly onSort: (sorters: readonly string[]) => void;
  /** Columns whose width the person set. */
  readonly ownWidths?: ReadonlySet<string>;
  readonly onResize?: (column: string, width: number) => void;
  readonly onMove?: (column: string, before: string) => void;
  readonly onSelectAll?: (isSelected: boolean) => void;
  readonly totals?: Readonly<Record<string, { readonly text: string; readonly whole: string }>>;
  /** What the totals count. */
  readonly totalsOf?: string;
  readonly groups?: RowGroups | undefined;
  /** Stands in the head of a column beside its title. */
  readonly headExtra?: (column: ListColumn) => ReactNode;
  /** The width of what can be done with a row. */
  readonly actionsPx?: number;
  readonly density: 'compact' | 'middle';
  readonly isLoading?: boolean;
  readonly empty?: ReactNode;
}

/** A table of plain cells: text where no control is needed, so that 25 rows of 30 columns paint at once. */
export function PlainTable(given: PlainTableProps) {
  const { rows, selected, rowActions, sorters, ownWidths = NO_NAMES, actionsPx = ACTIONS_PX } = given;
  const box = useRef<HTMLDivElement>(null);
  const boxWidth = useBoxWidth(box);
  const besides = (selected === undefined ? 0 : CHECK_PX) + (rowActions === undefined ? 0 : actionsPx);
  const columns = useMemo(() => {
    const whole = withArrow(given.columns, sorters, ownWidths);
    return boxWidth === null ? whole : fittedColumns(whole, boxWidth - besides, ownWidths);
  }, [given.columns, sorters, boxWidth, besides, ownWidths]);
  const props = { ...given, columns };
  const offsets = useMemo(() => frozenOffsets(columns, selected !== undefined), [columns, selected]);
  const height = props.density === 'compact' ? rowHeightPx() : 42;
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
  const isPhone = useIsPhone();
  const width = columns.reduce((sum, column) => sum + column.width, 0);

  if (isPhone && (rows.length > 0 || props.isLoading !== true)) return <RowCards {...props} />;
  if (isPhone) return <CardsSkeleton />;
  return (
    <div
      className={`plain-table-box density-${props.density}`}
      ref={box}
      aria-busy={props.isLoading === true}
      onMouseOver={tellCutText}
    >
      <table className="plain-table" style={{ width: width + besides }} aria-rowcount={rows.length}>
        <colgroup>
          {selected !== undefined && <col style={{ width: CHECK_PX }} />}
          {columns.map((column) => (
            <col key={column.name} style={{ width: column.width }} />
          ))}
          {rowActions !== undefined && <col style={{ width: actionsPx }} />}
        </colgroup>
        <TableHead {...props} offsets={offsets} />
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {shown.map((row, place) => (
            <Fragment key={String(row['id'])}>
              {isGroupStart(props.groups, row, rows[first + place - 1]) && (
                <tr className="group-row">
                  <th scope="rowgroup" colSpan={columns.length + 2}>
                    <span>{props.groups?.titleOf(row)}</span>
                  </th>
                </tr>
              )}
              <PlainRow {...props} row={row} offsets={offsets} place={first + place} />
            </Fragment>
          ))}
          {after > 0 && <Spacer height={after} />}
        </tbody>
        {props.totals !== undefined && rows.length > 0 && (
          <Totals {...props} totals={props.totals} offsets={offsets} />
        )}
      </table>
      {rows.length === 0 && props.isLoading === true && (
        <TableSkeleton columns={columns} fromPx={selected === undefined ? 0 : CHECK_PX} rowPx={height} />
      )}
      {rows.length === 0 && props.isLoading !== true && (
        <div className="plain-table-empty">{props.empty ?? '没有数据'}</div>
      )}
    </div>
  );
}

function isGroupStart(groups: RowGroups | undefined, row: ErpRecord, above: ErpRecord | undefined): boolean {
  if (groups === undefined) return false;
  return above === undefined || groups.keyOf(above) !== groups.keyOf(row);
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
  totalsOf = '合计',
}: PlainTableProps & {
  readonly totals: NonNullable<PlainTableProps['totals']>;
  readonly offsets: FrozenOffsets;
}) {
  // The words take the room up to the first total.
  const first = columns.findIndex((column) => totals[column.name] !== undefined);
  const words = Math.max(1, first);
  return (
    <tfoot>
      <tr>
        <td className="totals-of" colSpan={words + (selected === undefined ? 0 : 1)}>
          <span>{totalsOf}</span>
        </td>
        {columns.slice(words).map((column) => (
          <td
            key={column.name}
            className={isNumberField(column.field) ? 'number' : undefined}
            title={totals[column.name]?.whole}
          >
            {totals[column.name] !== undefined && <span>{totals[column.name]?.text}</span>}
          </td>
        ))}
        {rowActions !== undefined && <td className="row-actions" />}
      </tr>
    </tfoot>
  );
}

/** As the look has it: styles/tokens.css. */
function rowHeightPx(): number {
  return document.documentElement.dataset['density'] === 'compact' ? 28 : 34;
}

export type FrozenOffsets = Readonly<Record<string, number>>;

function frozenOffsets(columns: readonly ListColumn[], hasSelection: boolean): FrozenOffsets {
  const offsets: Record<string, number> = {};
  let left = hasSelection ? CHECK_PX : 0;
  for (const column of columns.filter((item) => item.isFrozen)) {
    offsets[column.name] = left;
    left += column.width;
  }
  return offsets;
}
