import type { G2 } from '@ant-design/charts';
import { restWhenStill } from './rest-when-still.ts';

/** What the library gives of a chart that it has begun to draw. */
export interface PlottedChart {
  readonly chart?: G2.Chart;
}

/** Lets a chart rest while nothing of it moves; for `onReady` of a plot. */
export function restPlot({ chart }: PlottedChart): void {
  const canvas = chart?.getContext().canvas;
  if (chart === undefined || canvas === undefined) return;
  restWhenStill(canvas, {
    element: chart.getContainer(),
    onRender: (hear) => {
      chart.on('beforerender', hear);
    },
  });
}
