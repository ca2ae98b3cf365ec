import type { ChartSettings, ChartType } from '#engine/fields/chart-settings.ts';
import type { ChartData } from './chart-data.ts';

interface Datum {
  readonly point: string;
  readonly series: string;
  readonly value: number | null;
}

const COLOURS = {
  range: [
    ...[
      '#1677ff',
      '#f5850b',
      '#0e9f6e',
      '#7c4dff',
      '#d4380d',
      '#0aa5b8',
      '#c41d7f',
      '#8c6d1f',
      '#3f51b5',
      '#7cb305',
    ],
    ...[
      '#69b1ff',
      '#ffc069',
      '#5cdbb0',
      '#b39ddb',
      '#ff9c8a',
      '#7fd8e3',
      '#f59ac9',
      '#c9b37e',
      '#9fa8da',
      '#bae637',
    ],
  ],
};
/** The library cuts names at 216 px and lets long figures push them together: names and figures stand whole. */
export const WHOLE_NAMES = {
  '.g2-tooltip': { 'max-width': '480px' },
  '.g2-tooltip-list-item-name': { 'max-width': '320px', 'flex-shrink': '0' },
  '.g2-tooltip-list-item-value': { flex: 'none', 'margin-left': '16px' },
};

const TEXT = { fontSize: 12, fill: '#404550', fillOpacity: 1 } as const;

/** The drawing in the words of the chart library. Texts go to its canvas, never to HTML of ours. */
export function chartOptions(data: ChartData, settings: ChartSettings): object {
  const { chartType } = settings;
  const isPie = chartType === 'pie';
  const common = {
    legend: data.series.length > 1 || isPie ? { color: LEGEND } : false,
  };
  if (isPie) return { ...common, ...pie(data, settings) };
  const isBars = chartType === 'bar' || chartType === 'column';
  return {
    ...common,
    data: rowsOf(data).filter(({ value }) => !isBars || value !== null),
    scale: { color: COLOURS, x: { domain: data.points.map(plainText) }, y: { nice: true } },
    ...(chartType === 'bar' ? { coordinate: { transform: [{ type: 'transpose' }] } } : {}),
    axis: axes(data, settings),
    interaction: { tooltip: { shared: true, css: WHOLE_NAMES } },
    children: marks(chartType).map((mark) => ({
      animate: false,
      encode: { x: 'point', y: 'value', color: 'series' },
      tooltip: { items: [{ channel: 'y', valueFormatter: numberWith(data.unit) }] },
      ...mark,
      ...(mark.labels === undefined ? {} : { labels: [valueLabel(data.unit.length > 1 ? '' : data.unit)] }),
    })),
  };
}

/** Text that the library does not take for an expression of its own, as it does between braces. */
export function plainText(text: string): string {
  return /^\s*\{[\s\S]*\}\s*$/.test(text) ? `${text}\u200B` : text;
}

/** @example numberWith('万元')(1234.5) // 1,234.5万元 */
export function numberWith(unit: string): (value: number | null | undefined) => string {
  return (value) => (typeof value === 'number' ? `${NUMBERS.format(value)}${unit}` : '—');
}

const NUMBERS = new Intl.NumberFormat('zh-CN', { maximumFractionDigits: 6 });
const SHARES = new Intl.NumberFormat('zh-CN', { style: 'percent', maximumFractionDigits: 2 });
const LEGEND = {
  position: 'top',
  layout: { justifyContent: 'center' },
  itemMarker: 'square',
  itemLabelFill: TEXT.fill,
  itemLabelFillOpacity: 1,
};

interface Mark {
  readonly type: string;
  readonly labels?: true;
  readonly style?: object;
  readonly transform?: readonly object[];
  readonly tooltip?: false;
}

function marks(type: Exclude<ChartType, 'pie'>): readonly Mark[] {
  const line = { type: 'line', style: { lineWidth: 2 } };
  const dots = { type: 'point', style: { fill: '#fff', lineWidth: 1.5, r: 3 }, tooltip: false } as const;
  if (type === 'line') return [line, dots];
  if (type === 'labelled_line') return [line, { ...dots, labels: true }];
  if (type === 'area') return [{ type: 'area', style: { fillOpacity: 0.2 }, tooltip: false }, line, dots];
  return [{ type: 'interval', transform: [{ type: 'dodgeX' }], style: { maxWidth: 48 } }];
}

function axes({ unit }: ChartData, { xTitle, yTitle }: ChartSettings): object {
  const common = {
    labelFill: TEXT.fill,
    labelOpacity: 1,
    labelFillOpacity: 1,
    labelFontSize: TEXT.fontSize,
    titleFill: TEXT.fill,
    titleFillOpacity: 1,
    titleFontSize: TEXT.fontSize,
    titleFontWeight: 'normal',
  };
  const isShort = unit.length <= 1;
  const upright = isShort || yTitle === '' ? yTitle || (isShort ? '' : unit) : `${yTitle}（${unit}）`;
  return {
    x: { ...common, title: xTitle === '' ? false : xTitle, labelAutoEllipsis: true },
    y: {
      ...common,
      title: upright === '' ? false : upright,
      labelFormatter: numberWith(isShort ? unit : ''),
      grid: true,
      gridStroke: '#8a8f99',
      gridStrokeOpacity: 0.35,
    },
  };
}

function pie(data: ChartData, { tip }: ChartSettings): object {
  const rows = rowsOf(data).filter(({ value }) => value !== null);
  const total = rows.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const share = (value: number | null): string => SHARES.format((value ?? 0) / total);
  const written = numberWith(data.unit);
  return {
    data: rows,
    scale: { color: COLOURS },
    coordinate: { type: 'theta', outerRadius: 0.8 },
    children: [
      {
        type: 'interval',
        animate: false,
        encode: { y: 'value', color: 'point' },
        transform: [{ type: 'stackY' }],
        style: { stroke: '#fff', lineWidth: 1 },
        labels: [
          {
            position: 'outside',
            text: ({ point, value }: Datum) => `${point} ${share(value)}`,
            ...TEXT,
            transform: [{ type: 'overlapHide' }],
          },
        ],
        tooltip: {
          title: ({ point }: Datum) => point,
          items: [
            ({ value }: Datum) => ({
              name: tip === '' ? (data.series[0]?.name ?? '') : tip,
              value: `${written(value)}（${share(value)}）`,
            }),
          ],
        },
      },
    ],
  };
}

function valueLabel(unit: string): object {
  return {
    text: ({ value }: Datum) => (value === null ? '' : numberWith(unit)(value)),
    ...TEXT,
    textAlign: 'center',
    textBaseline: 'bottom',
    dy: -6,
    transform: [{ type: 'overlapHide' }],
  };
}

/** A row for each point of each series: where a value is missing, a line is broken. */
function rowsOf({ series, points }: ChartData): readonly Datum[] {
  return series.flatMap(({ name, values }) =>
    values.map((value, index) => ({ point: plainText(points[index] ?? ''), series: plainText(name), value })),
  );
}
