import './line-grid.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { App } from 'antd';
import {
  type CSSProperties,
  type ReactNode,
  useContext,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { DictionaryContext } from '../dictionary-context.ts';
import { useFieldServices } from '../field-services.ts';
import { GridFooter } from './grid-footer.tsx';
import { GridHead } from './grid-head.tsx';
import { makeGridModel } from './grid-model.ts';
import { GridRow } from './grid-row.tsx';
import { GridToolbar } from './grid-toolbar.tsx';
import type { LineStore } from './line-store.ts';
import { pasteWords } from './paste-block.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { gridTemplate } from './column-width.ts';
import { useFocusActive, useFocusRequests, useKeptFocus } from './use-grid-focus.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridPaste } from './use-grid-paste.ts';
import { useGridSelection } from './use-grid-selection.ts';

export interface LineGridProps {
  readonly store: LineStore;
  readonly title: string;
  readonly columns: readonly Field[];
  /** Resource and name of the lines, for lookups. */
  readonly resource: string;
  readonly lines: string;
  readonly isDisabled?: boolean;
  /** Cells may change, lines neither come nor go. */
  readonly isFixedLength?: boolean;
  readonly isColumnOpen?: (column: Field) => boolean;
  /** Columns with a total in the footer. */
  readonly totals: ReadonlySet<string>;
  readonly readParent: () => ErpRecord;
  readonly awaitedInHead?: (names: readonly string[]) => string | null;
  /** The column that numbers the lines: it is shown before each line. */
  readonly numbered?: string | null;
  readonly max?: number;
  /** Stands among the buttons while lines may come. */
  readonly toolbarExtra?: ReactNode;
}

export const ROW_HEIGHT_PX = 32;
const OVERSCAN = 4;
/** Below a line that is scrolled to there is room for its sentence, and for the totals that lie over the end. */
const ROOM_BELOW_PX = 26;
const DEFAULT_MAX = 500;

/**
 * Lines as a spreadsheet: a real input in every mounted text cell, so that Chinese input starts on the selected
 * one, and a store per cell, so that 500 lines stay as quick as five.
 */
export function LineGrid(props: LineGridProps) {
  const { store, columns, totals } = props;
  const isFixed = props.isFixedLength === true;
  // Where the system writes every line and column nobody pastes or takes anything back.
  const isSystems = isFixed && columns.every(({ computed, readOnly }) => computed || readOnly === true);
  const isDisabled = props.isDisabled === true || isSystems;
  const dictionaries = useContext(DictionaryContext);
  const services = useFieldServices();
  const latest = useRef(props);
  latest.current = props;
  const model = useMemo(
    () =>
      makeGridModel({
        store,
        columns,
        dictionaries,
        services,
        isDisabled,
        resource: props.resource,
        lines: props.lines,
        readParent: () => latest.current.readParent(),
        numbered: props.numbered ?? null,
        awaitedInHead: (names) => latest.current.awaitedInHead?.(names) ?? null,
        isColumnOpen: (column) => latest.current.isColumnOpen?.(column) ?? true,
      }),
    [store, columns, dictionaries, services, isDisabled, props.resource, props.lines, props.numbered],
  );
  const order = useSyncExternalStore(store.subscribeOrder, store.order);
  const scroller = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const [isFull, setFull] = useState(false);
  const { message: messages } = App.useApp();
  const max = isFixed ? order.length : (props.max ?? DEFAULT_MAX);
  const size = { rows: order.length, columns: columns.length };
  const selection = useGridSelection(size);
  const { active } = selection;
  const hasTotals = totals.size > 0 && order.length > 0;
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN,
    // The head stands above the lines in the same scrolled box.
    scrollMargin: ROW_HEIGHT_PX,
    scrollPaddingStart: ROW_HEIGHT_PX,
    scrollPaddingEnd: ROOM_BELOW_PX + (hasTotals ? ROW_HEIGHT_PX : 0),
    // The active row stays mounted: what is being typed there must outlive a scroll.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const rows = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      if (active !== null && active.row < count && (active.row < from || active.row > to))
        rows.push(active.row);
      return rows.sort((a, b) => a - b);
    },
  });
  const paste = useGridPaste({
    model,
    selection,
    max,
    isDisabled,
    say: (result) => {
      const { text, isWhole } = pasteWords(result);
      void (isWhole ? messages.success(text, 3) : messages.warning(text, 4));
    },
    fail: (text) => void messages.error(text, 4),
  });
  const keys = useGridKeys({ model, selection, root, max, isDisabled });
  useFocusRequests(store, columns, selection.moveTo);
  useFocusActive(root, selection, (row) => virtualizer.scrollToIndex(row));
  const inGrid = useKeptFocus(order, selection);
  const template = gridTemplate(columns, widths);
  const tracks: CSSProperties & Record<`--${string}`, string> = {
    '--grid-columns': template.columns,
    '--grid-width': `${template.widthPx}px`,
  };
  return (
    <div
      ref={root}
      className={isFull ? 'line-grid is-full' : 'line-grid'}
      style={tracks}
      onKeyDownCapture={(event) => {
        if (event.key === 'Escape' && isFull && !selection.isRange) setFull(false);
        keys.onKeyDown(event);
      }}
      onKeyDown={(event) => {
        // In a cell it gives up what was typed, or nothing: the drawer around the grid stays.
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onCopy={paste.onCopy}
      onPaste={paste.onPaste}
      onFocus={(event) => {
        inGrid.onFocus(event);
        keys.onFocus(event);
      }}
      onBlur={inGrid.onBlur}
      onMouseDown={keys.onMouseDown}
    >
      <GridToolbar
        model={model}
        selection={selection}
        isDisabled={isDisabled}
        isFull={isFull}
        onFull={() => setFull(!isFull)}
        max={max}
        extra={props.toolbarExtra}
        isFixedLength={isFixed}
        isPasting={paste.isPasting}
      />
      <div ref={scroller} className="grid-scroll">
        <div
          role="grid"
          aria-label={props.title}
          aria-rowcount={order.length + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable
          className="grid-body"
        >
          <GridHead
            columns={columns}
            widths={widths}
            onWidth={(name, width) => setWidths((all) => ({ ...all, [name]: width }))}
          />
          <div className="grid-rows" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const key = order[index];
              if (key === undefined) return null;
              return (
                <GridRow
                  key={key}
                  model={model}
                  lineKey={key}
                  index={index}
                  isLast={index === order.length - 1}
                  top={start - ROW_HEIGHT_PX}
                  activeColumn={active?.row === index ? active.column : null}
                  isClicked={selection.isClicked}
                  selectedFrom={selection.columnsOf(index)?.left ?? null}
                  selectedTo={selection.columnsOf(index)?.right ?? null}
                />
              );
            })}
          </div>
          {hasTotals && <GridFooter model={model} totals={totals} readParent={props.readParent} />}
        </div>
        {order.length === 0 && (
          <div className="grid-empty" tabIndex={isDisabled ? -1 : 0}>
            {isDisabled || isFixed ? '没有明细' : emptyHint(props.toolbarExtra !== undefined)}
          </div>
        )}
      </div>
      {paste.asked !== null && (
        <PasteDialog
          block={paste.asked.block}
          plan={paste.asked.plan}
          columns={paste.openColumns}
          onClose={paste.cancel}
          onPaste={paste.confirm}
        />
      )}
    </div>
  );
}

/** Lines that stand in other documents already are taken from there, not written anew. */
function emptyHint(isPicked: boolean): string {
  const ways = isPicked
    ? ['按“选取”从已有单据带入', '按“添加行”', '从Excel复制后在此粘贴']
    : ['按“添加行”', '从Excel复制后在此粘贴'];
  return `还没有明细：${ways.slice(0, -1).join('，')}，或${ways.at(-1) ?? ''}`;
}
