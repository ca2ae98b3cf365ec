import { numberWith, plainText, WHOLE_NAMES } from '#web/fields/charts/chart-options.ts';
import { axisNames } from './axis-names.ts';
import { COLOURS, severityColours } from './chart-colours.ts';
import type { ChartPoints } from './chart-points.ts';

/** What is written and what lies behind it, as the theme has them. */
export interface Inks {
  readonly text: string;
  readonly ground: string;
}

interface Datum {
  readonly point: string;
  readonly series: string;
  readonly value: number | null;
}

/** The drawing in the words of the chart library. */
export function plotOptions(points: ChartPoints, kind: string, inks: Inks): object {
  if (kind === 'pie') return pie(points, inks);
  if (kind === 'scatter') return scatter(points, inks);
  const shares = points.series.filter(({ isShare }) => isShare);
  const amounts = points.series.filter(({ isShare }) => !isShare);
  // Bars with a line of the same unit: the last column is the line.
  const isMixed = kind === 'barLine' && shares.length === 0 && amounts.length > 1;
  const bars = isMixed ? amounts.slice(0, -1) : amounts;
  const main = [
    ...(kind === 'line'
      ? linesOf(amounts, points, inks)
      : barsOf(bars, points, { ...inks, isStacked: kind === 'stackedBar' })),
    ...(isMixed ? linesOf(amounts.slice(-1), points, inks) : []),
  ];
  const beside = kind === 'line' ? [] : linesOf(shares, points, { ...inks, isBeside: true });
  return {
    legend:
      points.series.length > 1
        ? { color: { position: 'top', itemMarker: 'square', itemLabelFill: inks.text } }
        : false,
    scale: {
      color: { range: coloursOf(points) },
      x: { domain: points.names.map(plainText) },
      y: { nice: true },
    },
    interaction: { tooltip: { shared: true, css: WHOLE_NAMES } },
    children: [...main, ...(amounts.length === 0 ? linesOf(shares, points, inks) : beside)],
  };
}

function coloursOf({ series, isRising = false }: ChartPoints): readonly string[] {
  return isRising ? severityColours(series.length) : COLOURS;
}

type SeriesList = ChartPoints['series'];

function barsOf(
  series: SeriesList,
  points: ChartPoints,
  { isStacked, ...inks }: Inks & { readonly isStacked: boolean },
): readonly object[] {
  if (series.length === 0) return [];
  return [
    {
      type: 'interval',
      // A figure that is not there is no bar: it would be drawn down to the foot of the picture.
      data: rowsOf(series, points).filter(({ value }) => value !== null),
      animate: false,
      encode: { x: 'point', y: 'value', color: 'series' },
      transform: [{ type: isStacked ? 'stackY' : 'dodgeX' }],
      style: { maxWidth: 40 },
      axis: axes('', isStacked ? sumsOf(series) : valuesOf(series), { ...inks, points }),
      tooltip: { items: [{ channel: 'y', valueFormatter: numberWith('') }] },
    },
  ];
}

function linesOf(
  series: SeriesList,
  points: ChartPoints,
  { isBeside = false, ...inks }: Inks & { readonly isBeside?: boolean },
): readonly object[] {
  if (series.length === 0) return [];
  const unit = series.every(({ isShare }) => isShare) ? '%' : '';
  const data = rowsOf(series, points).map((row) => ({
    ...row,
    value: row.value === null || unit === '' ? row.value : row.value * 100,
  }));
  const common = {
    data,
    animate: false,
    encode: { x: 'point', y: 'value', color: 'series' },
    // A share is read from nothing upwards.
    ...(isBeside
      ? {
          scale: {
            y: { key: 'share', independent: true, domainMin: Math.min(0, ...valuesOf(series)) * 100 },
          },
        }
      : {}),
    axis: isBeside
      ? {
          y: {
            ...labels(inks),
            title: false,
            position: 'right',
            grid: null,
            labelFormatter: numberWith(unit),
          },
        }
      : axes(unit, valuesOf(series), { ...inks, points }),
  };
  return [
    {
      ...common,
      type: 'line',
      style: { lineWidth: 2 },
      tooltip: { items: [{ channel: 'y', valueFormatter: numberWith(unit) }] },
    },
    // One axis for both marks.
    {
      ...common,
      // Where there is no figure the line breaks; a point would stand at nothing.
      data: data.filter(({ value }) => value !== null),
      type: 'point',
      style: { r: 2.5, fill: inks.ground, lineWidth: 1.5 },
      tooltip: false,
      ...(isBeside ? { axis: { y: false } } : {}),
    },
  ];
}

/** A ring; the legend tells the shares, where no label is cut by the edge of a card. */
function pie({ names, series: [first] }: ChartPoints, inks: Inks): object {
  const values = names.map((_name, index) => Math.max(0, first?.values[index] ?? 0));
  const total = values.reduce((sum, value) => sum + value, 0);
  const share = (value: number): string => (total === 0 ? '' : `${((value / total) * 100).toFixed(1)}%`);
  const data = values.map((value, index) => {
    const name = plainText(names[index] ?? '');
    return { name, point: `${name} ${share(value)}`, value };
  });
  return {
    data,
    scale: { color: { range: COLOURS } },
    coordinate: { type: 'theta', outerRadius: 0.95, innerRadius: 0.55 },
    legend: { color: { position: 'right', maxCols: 1, rowPadding: 2, itemLabelFill: inks.text } },
    children: [
      {
        type: 'interval',
        animate: false,
        encode: { y: 'value', color: 'point' },
        transform: [{ type: 'stackY' }],
        style: { stroke: inks.ground, lineWidth: 1 },
        tooltip: {
          title: ({ name }: { readonly name: string }) => name,
          items: [
            ({ value }: { readonly value: number }) => ({
              name: first?.title ?? '',
              value: `${numberWith('')(value)}（${share(value)}）`,
            }),
          ],
        },
      },
    ],
  };
}

function asShown(value: number | null | undefined, isShare: boolean): number | null {
  return value === null || value === undefined ? null : isShare ? value * 100 : value;
}

/** Each point by two figures: the first lies, the second stands. */
function scatter({ names, series: [across, up] }: ChartPoints, inks: Inks): object {
  const data = names.map((point, index) => ({
    point: plainText(point),
    x: asShown(across?.values[index], across?.isShare === true),
    y: asShown(up?.values[index], up?.isShare === true),
  }));
  const [unitX, unitY] = [across?.isShare === true ? '%' : '', up?.isShare === true ? '%' : ''];
  // A drawing of one mark has to be a view of one child: the component puts `children` of its own beside a mark.
  return {
    children: [
      {
        type: 'point',
        data: data.filter(({ x, y }) => x !== null && y !== null),
        animate: false,
        encode: { x: 'x', y: 'y' },
        style: { fill: COLOURS[0], fillOpacity: 0.55, r: 5 },
        axis: {
          x: {
            ...labels(inks),
            title: plainText(across?.title ?? ''),
            labelFormatter: unitX === '' ? shortFor(data.map(({ x }) => x ?? 0)) : numberWith('%'),
          },
          y: {
            ...labels(inks),
            title: plainText(up?.title ?? ''),
            grid: true,
            labelFormatter: unitY === '' ? shortFor(data.map(({ y }) => y ?? 0)) : numberWith('%'),
          },
        },
        tooltip: {
          title: ({ point }: { readonly point: string }) => point,
          items: [
            { channel: 'x', name: across?.title ?? '', valueFormatter: numberWith(unitX) },
            { channel: 'y', name: up?.title ?? '', valueFormatter: numberWith(unitY) },
          ],
        },
      },
    ],
  };
}

function axes(
  unit: string,
  values: readonly number[],
  { points, ...inks }: Inks & { readonly points: ChartPoints },
): object {
  return {
    x: {
      ...labels(inks),
      title: false,
      labelAutoRotate: false,
      labelAutoHide: true,
      labelFormatter: axisNames(points.names.map(plainText)),
    },
    y: {
      ...labels(inks),
      title: false,
      grid: true,
      gridStroke: '#8a8f99',
      gridStrokeOpacity: 0.3,
      labelFormatter: unit === '' ? shortFor(values) : numberWith(unit),
    },
  };
}

function labels({ text }: Inks): object {
  return { labelFill: text, labelFillOpacity: 1, labelFontSize: 12, labelOpacity: 1, titleFill: text };
}

/** How an axis with these figures tells its own: all in 万 where the largest is so. */
function shortFor(values: readonly number[]): (value: number) => string {
  const isLarge = values.some((value) => Math.abs(value) >= 100_000);
  return (value) =>
    isLarge && value !== 0
      ? `${numberWith('')(Number((value / 10_000).toFixed(2)))}万`
      : numberWith('')(value);
}

function valuesOf(series: SeriesList): readonly number[] {
  return series.flatMap(({ values }) => values.map((value) => value ?? 0));
}

/** What stacked bars come to. */
function sumsOf(series: SeriesList): readonly number[] {
  const [first] = series;
  return (first?.values ?? []).map((_value, index) =>
    series.reduce((sum, { values }) => sum + Math.abs(values[index] ?? 0), 0),
  );
}

function rowsOf(series: SeriesList, { names }: ChartPoints): readonly Datum[] {
  return series.flatMap(({ title, values }) =>
    values.map((value, index) => ({ point: plainText(names[index] ?? ''), series: plainText(title), value })),
  );
}
