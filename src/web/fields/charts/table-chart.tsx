import { Button } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { parseChart } from '#engine/fields/chart-settings.ts';
import { captionOf, readChartData } from './chart-data.ts';
import { ChartFrame } from './chart-frame.tsx';

/** The chart of a table with `data-chart`, in the table's place; a button shows the table below it. */
export function TableChart({ table }: { readonly table: HTMLTableElement }) {
  const settings = useMemo(() => {
    const read = parseChart(table.getAttribute('data-chart') ?? '');
    return { ...read, title: read.title || captionOf(table) };
  }, [table]);
  const data = useMemo(() => readChartData(table, settings), [table, settings]);
  const [isTableShown, setTableShown] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const hasChart = data.series.length > 0 && !isBroken;
  useEffect(() => {
    table.hidden = hasChart && !isTableShown;
    return () => {
      table.hidden = false;
    };
  }, [table, hasChart, isTableShown]);
  return (
    <figure className="richtext-chart">
      {hasChart && <ChartFrame settings={settings} data={data} onBroken={() => setBroken(true)} />}
      <figcaption>
        {[...(isBroken ? ['图表没有加载出来，下面是它的数据'] : []), ...data.hints].map((hint) => (
          <span key={hint}>{hint}</span>
        ))}
        {hasChart && (
          <Button
            type="link"
            size="small"
            aria-expanded={isTableShown}
            onClick={() => setTableShown(!isTableShown)}
          >
            {isTableShown ? '隐藏数据' : '查看数据'}
          </Button>
        )}
      </figcaption>
    </figure>
  );
}
