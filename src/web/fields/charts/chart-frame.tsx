import { Spin } from 'antd';
import { Component, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { CHART_TITLES, type ChartSettings } from '#engine/fields/chart-settings.ts';
import { loadChunk } from '#web/faults/load-chunk.ts';
import type { ChartData } from './chart-data.ts';
import './charts.css';

const ChartPlot = lazy(async () => {
  const { ChartPlot: Plot } = await loadChunk(() => import('./chart-plot.tsx'));
  return { default: Plot };
});

export interface ChartFrameProps {
  readonly settings: ChartSettings;
  readonly data: ChartData;
  /** Called when the drawing could not be loaded or made. */
  readonly onBroken: () => void;
}

/** A chart with its titles, as wide as its place and 300 px high (spec 9). */
export function ChartFrame({ settings, data, onBroken }: ChartFrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const { title, subTitle, chartType } = settings;
  return (
    <div className="richtext-chart-frame">
      {title !== '' && <strong>{title}</strong>}
      {subTitle !== '' && <small>{subTitle}</small>}
      <div
        ref={box}
        className="richtext-chart-plot"
        role="img"
        aria-label={[CHART_TITLES[chartType], title, subTitle].filter((text) => text !== '').join('：')}
      >
        <DrawingGuard onBroken={onBroken}>
          <Suspense fallback={<Spin />}>
            {size !== null && <ChartPlot data={data} settings={settings} {...size} />}
          </Suspense>
        </DrawingGuard>
      </div>
    </div>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the element, null while it is not shown. */
function useSize(box: React.RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

interface GuardProps {
  readonly onBroken: () => void;
  readonly children: ReactNode;
}

/** What cannot be drawn does not take the article with it. */
class DrawingGuard extends Component<GuardProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(): void {
    this.props.onBroken();
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children;
  }
}
