import { useEffect, useMemo, useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { columnTotal } from '../column-total.ts';
import { currencyOf, isNumberField } from '../field-text.ts';
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
  const parent = readParent();
  const currencies = columns.map((column) => currencyOf(column, {}, parent) ?? '').join();
  const sums = useMemo(() => {
    const lines = store.lines();
    return new Map(
      columns
        .filter(({ name }) => totals.has(name))
        .map((column) => [column.name, columnTotal(column, lines, parent)]),
    );
    // The revision stands for all lines, the currencies for what the columns read of the head.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [store, columns, totals, revision, currencies]);
  return (
    <div role="row" className="grid-row grid-foot">
      <div className="grid-cell grid-number">合计</div>
      {columns.map((column) => {
        const { text = '', whole = '' } = sums.get(column.name) ?? {};
        return (
          <div
            key={column.name}
            role="gridcell"
            className={isNumberField(column) ? 'grid-cell is-number' : 'grid-cell'}
            {...(whole === text ? {} : { title: whole })}
          >
            {text}
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
