import { useEffect, useMemo, useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { sumDecimals } from '#engine/values/decimal.ts';
import { currencyOf, isNumberField } from '../field-text.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import type { GridModel } from './grid-model.ts';
import type { LineStore } from './line-store.ts';

interface GridFooterProps {
  readonly model: GridModel;
  readonly totals: ReadonlySet<string>;
  readonly readParent: () => ErpRecord;
}

/** Totals under the columns. They follow a keystroke after its cell is painted, once for a whole paste. */
export function GridFooter({ model, totals, readParent }: GridFooterProps) {
  const { store, columns } = model;
  const revision = useSettledRevision(store, totals);
  const sums = useMemo(() => {
    const lines = store.lines();
    return new Map(
      [...totals].map((name) => [name, sumDecimals(lines.map((line) => decimalOf(line[name])))]),
    );
    // The revision stands for all lines.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [store, totals, revision]);
  return (
    <div role="row" className="grid-row grid-foot">
      <div className="grid-cell grid-number">合计</div>
      {columns.map((column) => {
        const sum = sums.get(column.name);
        const currency =
          sum === undefined ? undefined : currencyOf(column, store.lines()[0] ?? {}, readParent());
        const text = sum === undefined ? '' : shownNumber(sum, column, currency);
        return (
          <div
            key={column.name}
            role="gridcell"
            className={isNumberField(column) ? 'grid-cell is-number' : 'grid-cell'}
          >
            {currency === undefined ? text : `${text} ${currency}`}
          </div>
        );
      })}
    </div>
  );
}

const PAUSE_MS = 60;

/** What the totals depend on, a moment after the last change, so that sums never stand between a key and its paint. */
function useSettledRevision(store: LineStore, totals: ReadonlySet<string>): string {
  const [revision, setRevision] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setRevision([...totals].map((column) => store.columnRevision(column)).join());
      }, PAUSE_MS);
    };
    const stop = store.subscribeAny(later);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store, totals]);
  return revision;
}

function decimalOf(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '0';
  return /^-?\d+(\.\d+)?$/.test(text) ? text : '0';
}
