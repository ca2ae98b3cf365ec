import { Spin } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import type { ReportResult } from '#contract/reports.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { loadChunk } from '#web/faults/load-chunk.ts';
import { chartPoints } from './chart-points.ts';

const ReportPlot = lazy(async () => {
  const { ReportPlot: Plot } = await loadChunk(() => import('./report-plot.tsx'));
  return { default: Plot };
});

type Chart = NonNullable<ReportResult['chart']>;

/** The chart of a report; the library comes after the table. */
export function ReportChart({ result, chart }: { readonly result: ReportResult; readonly chart: Chart }) {
  const points = useMemo(() => chartPoints(result, chart), [result, chart]);
  if (points.names.length < 2) return null;
  return (
    <figure
      className="report-chart"
      role="img"
      aria-label={`${result.title}图表：${points.series.map(({ title }) => title).join('、')}`}
    >
      <FaultBoundary what="图表" isSmall>
        <Suspense fallback={<Spin />}>
          <ReportPlot points={points} kind={chart.kind} />
        </Suspense>
      </FaultBoundary>
    </figure>
  );
}
