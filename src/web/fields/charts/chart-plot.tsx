import { Base } from '@ant-design/charts';
import { useMemo } from 'react';
import type { ChartSettings } from '#engine/fields/chart-settings.ts';
import type { ChartData } from './chart-data.ts';
import { chartOptions } from './chart-options.ts';
import { type PlottedChart, restPlot } from './rest-plot.ts';

export interface ChartPlotProps {
  readonly data: ChartData;
  readonly settings: ChartSettings;
  readonly width: number;
  readonly height: number;
}

/** Dots for a pixel at the least, so that a chart is sharp on paper too. */
const SHARPNESS = 2;

/** The drawing itself. It weighs more than the whole shell: only `ChartFrame` loads it, when it is shown. */
export function ChartPlot({ data, settings, width, height }: ChartPlotProps) {
  const options = useMemo(() => chartOptions(data, settings), [data, settings]);
  return (
    <Base
      key={settings.chartType}
      {...options}
      autoFit={false}
      width={width}
      height={height}
      onReady={ready}
    />
  );
}

function ready(plotted: PlottedChart): void {
  sharpen(plotted);
  restPlot(plotted);
}

/** The library draws with the dots of the screen and has no option for more. */
function sharpen({ chart }: PlottedChart): void {
  const canvas = chart?.getContext().canvas;
  const config = canvas?.getConfig();
  if (canvas === undefined || config === undefined || (config.devicePixelRatio ?? 1) >= SHARPNESS) return;
  config.devicePixelRatio = SHARPNESS;
  canvas.resize(config.width ?? 0, config.height ?? 0);
}
