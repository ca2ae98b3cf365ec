import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { TableChart } from './table-chart.tsx';

interface Place {
  readonly key: string;
  readonly host: HTMLElement;
  readonly table: HTMLTableElement;
}

/**
 * The charts of the tables with `data-chart` in shown HTML, each in a place made in front of its table. The HTML is
 * React's to replace, what stands in it is not: a new one gets new places.
 */
export function useTableCharts(block: RefObject<HTMLElement | null>, shown: object): ReactNode {
  const [places, setPlaces] = useState<readonly Place[]>([]);
  useLayoutEffect(() => {
    const tables = [...(block.current?.querySelectorAll<HTMLTableElement>('table[data-chart]') ?? [])];
    const made = tables.map((table, index) => {
      const host = document.createElement('div');
      host.className = 'richtext-chart-host';
      table.before(host);
      return { key: `${++count}-${index}`, host, table };
    });
    setPlaces((old) => (old.length === 0 && made.length === 0 ? old : made));
    return () => {
      for (const { host } of made) host.remove();
    };
  }, [block, shown]);
  return places.map(({ key, host, table }) => createPortal(<TableChart table={table} />, host, key));
}

let count = 0;
