import { Spin } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import type { ReportResult } from '#contract/reports.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { loadChunk } from '#web/faults/load-chunk.ts';
import { chartPoints, type ChartPoints } from './chart-points.ts';
import './report.css';
import { ReportFigures } from './report-figures.tsx';
import { ReportGantt } from './report-gantt.tsx';
import { ReportMap } from './report-map.tsx';
import type { ClickedCell } from './report-table.tsx';
import { useReportRun } from './use-report-run.ts';

const ReportPlot = lazy(async () => {
  const { ReportPlot: Plot } = await loadChunk(() => import('./report-plot.tsx'));
  return { default: Plot };
});

type Chart = NonNullable<ReportResult['chart']>;

interface ReportChartProps {
  readonly result: ReportResult;
  readonly chart: Chart;
  /** Opens what a figure is made of, where it is drawn as a figure. */
  readonly onOpen?: ((cell: ClickedCell) => void) | undefined;
}

/** All that is drawn of a report. */
export function ReportCharts({ result, chart, onOpen }: ReportChartProps) {
  const { beside, trend } = chart;
  return (
    <>
      <div className={beside === undefined ? undefined : 'report-charts'}>
        <ReportChart result={result} chart={chart} onOpen={onOpen} />
        {beside !== undefined && <ReportChart result={result} chart={beside} onOpen={onOpen} />}
      </div>
      {trend !== undefined && <ReportTrend {...trend} />}
    </>
  );
}

/** The chart of another report, with the days that it is of. */
function ReportTrend({ report, params }: NonNullable<Chart['trend']>) {
  const { result } = useReportRun(String(report), params, true);
  if (result === null || result.chart === null) return null;
  return (
    <section className="report-trend" aria-label={result.title}>
      <h2>
        {result.title} <small>{result.params.map(({ title, text }) => `${title} ${text}`).join('，')}</small>
      </h2>
      <ReportChart result={result} chart={result.chart} />
    </section>
  );
}

/** The chart of a report; the library comes after the table. */
export function ReportChart({ result, chart, onOpen }: ReportChartProps) {
  const points = useMemo(() => chartPoints(result, chart), [result, chart]);
  if (chart.kind === 'cards') return <ReportFigures result={result} chart={chart} onOpen={onOpen} />;
  if (chart.kind === 'gantt') return <ReportGantt result={result} chart={chart} />;
  if (chart.kind === 'map') return <ReportMap result={result} chart={chart} />;
  return points.names.length < 2 ? null : (
    <PointsChart title={result.title} points={points} kind={chart.kind} />
  );
}

interface PointsChartProps {
  readonly title: string;
  readonly points: ChartPoints;
  readonly kind: string;
}

/** Points that somebody has worked out already. */
export function PointsChart({ title, points, kind }: PointsChartProps) {
  return (
    <figure
      className="report-chart"
      role="img"
      aria-label={`${title}图表：${points.series.map((series) => series.title).join('、')}`}
    >
      <FaultBoundary what="图表" isSmall>
        <Suspense fallback={<Spin />}>
          <ReportPlot points={points} kind={kind} />
        </Suspense>
      </FaultBoundary>
    </figure>
  );
}
