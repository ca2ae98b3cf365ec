import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { headKeyOf, moveOfKey, steppedName, stepOfKey } from '#web/app/step-of-key.ts';
import { isNumberField } from '#web/fields/field-text.ts';
import type { ListColumn } from './list-column.ts';
import type { FrozenOffsets, PlainTableProps } from './plain-table.tsx';

/** Types that have no order of their own. */
const UNSORTABLE: ReadonlySet<string> = new Set(['textarea', 'json', 'attachment']);

/**
 * The header row: sort by click, resize at the right edge, move by dragging; all by keys too. For Tab it is one place, so
 * that the rows are a step away: arrows go from head to head.
 */
export function TableHead(props: PlainTableProps & { readonly offsets: FrozenOffsets }) {
  const { columns, rows, selected, onSelectAll, rowActions } = props;
  const isAll =
    rows.length > 0 && selected !== undefined && rows.every((row) => selected.has(String(row['id'])));
  const [last, setLast] = useState<string | null>(null);
  const stop = columns.some(({ name }) => name === last) ? last : columns[0]?.name;
  return (
    <thead>
      <tr>
        {selected !== undefined && (
          <th className="frozen" style={{ left: 0 }}>
            <input
              type="checkbox"
              aria-label="全选本页"
              checked={isAll}
              onChange={() => onSelectAll?.(!isAll)}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell
            key={column.name}
            column={column}
            isStop={column.name === stop}
            onStop={() => setLast(column.name)}
            {...props}
          />
        ))}
        {rowActions !== undefined && <th className="row-actions">操作</th>}
      </tr>
    </thead>
  );
}

interface HeadCellProps extends PlainTableProps {
  readonly column: ListColumn;
  readonly offsets: FrozenOffsets;
  /** Where Tab comes to the heads. */
  readonly isStop: boolean;
  readonly onStop: () => void;
}

function HeadCell(props: HeadCellProps) {
  const { column, columns, sorters, onSort, onMove, onResize } = props;
  const direction = sortDirection(sorters, column.name);
  // Only what the rows are sorted by first shows its arrow.
  const isFirst = direction !== null && sorters[0]?.replace(/^-/, '') === column.name;
  const isSortable = !UNSORTABLE.has(column.field.type) && column.field.multiple !== true;
  const classes = [isNumberField(column.field) ? 'number' : '', column.isFrozen ? 'frozen' : ''].join(' ');
  return (
    <th
      className={classes}
      style={column.isFrozen ? { left: props.offsets[column.name] } : undefined}
      aria-sort={!isFirst ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
      draggable={onMove !== undefined}
      onDragStart={(event) => event.dataTransfer.setData('text/column', column.name)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => onMove?.(event.dataTransfer.getData('text/column'), column.name)}
      onKeyDown={(event) => {
        const step = moveOfKey(event);
        if (step !== null && onMove !== undefined) {
          event.preventDefault();
          const names = columns.map(({ name }) => name);
          const stepped = steppedName(names, column.name, step);
          if (stepped !== null) onMove(stepped.moved, stepped.before);
        } else if (event.target instanceof Element && event.target.closest('.head-sort') !== null)
          answerKey(event, (size) => onResize?.(column.name, sizeOf(column.width + size * STEP_PX)));
      }}
    >
      <button
        type="button"
        className={isSortable ? 'head-sort' : 'head-sort is-plain'}
        tabIndex={props.isStop ? 0 : -1}
        aria-disabled={!isSortable}
        onFocus={props.onStop}
        onClick={() => isSortable && onSort(nextSorters(sorters, column.name))}
      >
        <span>{column.title}</span>
        {isFirst && <span aria-hidden="true">{direction === 'asc' ? ' ↑' : ' ↓'}</span>}
      </button>
      {props.headExtra?.(column)}
      {onResize !== undefined && (
        <ResizeHandle
          title={column.title}
          width={column.width}
          onResize={(width) => onResize(column.name, width)}
        />
      )}
    </th>
  );
}

const SMALLEST_PX = 60;
const STEP_PX = 20;

function sizeOf(px: number): number {
  return Math.max(SMALLEST_PX, Math.round(px));
}

function answerKey(event: KeyboardEvent<HTMLElement>, onSize: (step: -1 | 1) => void): void {
  const asked = headKeyOf(event);
  if (asked === null) return;
  event.preventDefault();
  const head = event.currentTarget;
  if (asked.does === 'filter') head.querySelector<HTMLElement>('.head-filter')?.click();
  // Every size is kept: a key that is held down would write for as long.
  else if (asked.does === 'size') return event.repeat ? undefined : onSize(asked.step);
  else {
    const next = asked.step < 0 ? head.previousElementSibling : head.nextElementSibling;
    next?.querySelector<HTMLElement>('.head-sort')?.focus();
  }
}

function ResizeHandle({
  title,
  width,
  onResize,
}: {
  readonly title: string;
  readonly width: number;
  readonly onResize: (width: number) => void;
}) {
  const resize = (px: number) => onResize(sizeOf(px));
  const start = useRef<number | null>(null);
  const move = (event: PointerEvent<HTMLSpanElement>) => {
    if (start.current !== null) resize(width + event.clientX - start.current);
    start.current = null;
  };
  return (
    <span
      className="head-resize"
      role="separator"
      aria-orientation="vertical"
      aria-label={`${title}列宽`}
      aria-valuenow={width}
      aria-valuemin={SMALLEST_PX}
      tabIndex={-1}
      onKeyDown={(event) => {
        const step = stepOfKey(event);
        // Every step is kept: a key that is held down would write for as long.
        if (step === null || event.repeat) return;
        event.preventDefault();
        resize(width + step * STEP_PX);
      }}
      draggable
      onDragStart={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = event.clientX;
      }}
      onPointerUp={move}
    />
  );
}

function sortDirection(sorters: readonly string[], name: string): 'asc' | 'desc' | null {
  if (sorters.includes(name)) return 'asc';
  return sorters.includes(`-${name}`) ? 'desc' : null;
}

/** One click sorts ascending, the next descending, the third as the definition says. */
function nextSorters(sorters: readonly string[], name: string): readonly string[] {
  const direction = sortDirection(sorters, name);
  if (direction === null) return [name];
  return direction === 'asc' ? [`-${name}`] : [];
}
