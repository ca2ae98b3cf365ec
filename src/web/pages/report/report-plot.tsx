import { Base } from '@ant-design/charts';
import { theme } from 'antd';
import { useMemo } from 'react';
import { restPlot } from '#web/fields/charts/rest-plot.ts';
import type { ChartPoints } from './chart-points.ts';
import { plotOptions } from './plot-options.ts';

const HEIGHT = 260;

/** The drawing itself; only `ReportChart` loads it. */
export function ReportPlot({ points, kind }: { readonly points: ChartPoints; readonly kind: string }) {
  const { colorTextSecondary: text, colorBgContainer: ground } = theme.useToken().token;
  const options = useMemo(() => plotOptions(points, kind, { text, ground }), [points, kind, text, ground]);
  return <Base key={`${kind} ${ground}`} {...options} autoFit height={HEIGHT} onReady={restPlot} />;
}
