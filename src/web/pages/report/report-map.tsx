import { Spin } from 'antd';
import { useQuery } from '@tanstack/react-query';
import type { ReportResult } from '#contract/reports.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import { loadChunk } from '#web/faults/load-chunk.ts';
import { COLOURS } from './chart-colours.ts';
import { cellText } from './report-text.ts';
import { fitView, namedOf, type Spot } from './map-view.ts';

interface Places {
  readonly shore: string;
  /** Latitude and longitude by country (ISO) and by port (UN/LOCODE). */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

const CELL = 1.5;
const [WIDTH, NORTH, SOUTH] = [360, 76, -56];

/** Bubbles where the goods go, over the shores that the ports of the world draw: no borders. */
export function ReportMap({
  result,
  chart,
}: {
  readonly result: ReportResult;
  readonly chart: NonNullable<ReportResult['chart']>;
}) {
  const { data } = useQuery({ queryKey: ['map-places'], queryFn: loadPlaces, staleTime: Infinity });
  if (data === undefined) return <Spin />;
  const bubbles = bubblesOf(result, chart, data);
  if (bubbles.length === 0) return null;
  const view = fitView(bubbles, { width: WIDTH, height: NORTH - SOUTH });
  const named = namedOf(bubbles, view);
  return (
    <figure className="report-chart report-map" role="img" aria-label={`${result.title}地图`}>
      <svg viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}>
        <path
          d={graticule()}
          stroke="#8a8f99"
          strokeOpacity="0.18"
          strokeWidth={0.3 * view.scale}
          fill="none"
        />
        <path d={shorePath(data.shore)} fill="#b9c2cc" />
        {bubbles.map(({ key, name, text, x, y, radius }) => (
          <g key={key}>
            <circle
              cx={x}
              cy={y}
              r={radius * view.scale}
              fill={COLOURS[0]}
              fillOpacity="0.5"
              stroke={COLOURS[0]}
              strokeWidth={0.4 * view.scale}
            >
              <title>{`${name} ${text}`}</title>
            </circle>
          </g>
        ))}
        {named.map(({ key, name, x, y, size }) => (
          <text key={key} x={x} y={y} style={{ fontSize: size }}>
            {name}
          </text>
        ))}
      </svg>
    </figure>
  );
}

async function loadPlaces(): Promise<Places> {
  const [{ SHORE }, { PLACES }] = await loadChunk(() =>
    Promise.all([import('./map-shore.ts'), import('./map-ports.ts')]),
  );
  const places = PLACES.split(' ').map((place): readonly [string, readonly number[]] => {
    const [code = '', position = ''] = place.split(':');
    return [code, position.split(',').map(Number)];
  });
  return { shore: SHORE, places: new Map(places) };
}

interface Bubble extends Spot {
  readonly text: string;
}

const LARGEST = 9;

/** The rows that have a place, the largest first; the area of a bubble is its figure. */
function bubblesOf(
  { rows, columns }: ReportResult,
  chart: NonNullable<ReportResult['chart']>,
  { places }: Places,
): readonly Bubble[] {
  const figure = columns.find(({ key }) => key === chart.y[0]);
  const name = columns.findLast(({ isFigure, key }) => !isFigure && key !== chart.x);
  if (figure === undefined || name === undefined) return [];
  const found = rows.flatMap((row) => {
    const code = row.cells[chart.x];
    const value = row.cells[figure.key];
    if (!row.isLine || typeof code !== 'string' || !isPlainDecimal(value)) return [];
    const [latitude, longitude] = places.get(code) ?? places.get(code.slice(0, 2)) ?? [];
    if (latitude === undefined || longitude === undefined || Number(value) <= 0) return [];
    const [words, amount] = [cellText(row, name), cellText(row, figure)];
    return [
      {
        key: JSON.stringify(row.keys),
        name: words.kind === 'text' ? words.text : code,
        text: amount.kind === 'figure' ? amount.text : '',
        x: longitude + WIDTH / 2,
        y: NORTH - latitude,
        value: Number(value),
      },
    ];
  });
  const largest = Math.max(...found.map(({ value }) => value));
  return found
    .toSorted((a, b) => b.value - a.value)
    .map(({ value, ...bubble }) => ({
      ...bubble,
      radius: Math.max(0.8, LARGEST * Math.sqrt(value / largest)),
    }));
}

function shorePath(shore: string): string {
  return shore
    .split(' ')
    .map((cell) => {
      const [row = 0, column = 0] = cell.split(',').map(Number);
      const [x, y] = [column * CELL + WIDTH / 2, NORTH - row * CELL];
      return `M${x - 0.5} ${y - 0.5}h1v1h-1z`;
    })
    .join('');
}

function graticule(): string {
  const meridians = Array.from({ length: 13 }, (_, index) => `M${index * 30} 0V${NORTH - SOUTH}`);
  const parallels = [60, 30, 0, -30].map((latitude) => `M0 ${NORTH - latitude}H${WIDTH}`);
  return [...meridians, ...parallels].join('');
}
