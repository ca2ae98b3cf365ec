import { Radio } from 'antd';
import { CHART_TITLES, CHART_TYPES, type ChartType } from '#engine/fields/chart-settings.ts';
import './charts.css';

interface ChartGalleryProps {
  readonly value: ChartType;
  readonly onChange: (type: ChartType) => void;
}

/** The chart types as pictures, one of which is chosen. */
export function ChartGallery({ value, onChange }: ChartGalleryProps) {
  return (
    <Radio.Group
      className="chart-gallery"
      aria-label="图表类型"
      optionType="button"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={CHART_TYPES.map((type) => ({
        value: type,
        label: (
          <>
            <svg viewBox="0 0 48 32" width="48" height="32" aria-hidden="true">
              {PICTURES[type]}
            </svg>
            <span>{CHART_TITLES[type]}</span>
          </>
        ),
      }))}
    />
  );
}

const LINE = <polyline points="4,24 16,14 28,19 44,6" fill="none" stroke="#1677ff" strokeWidth="2" />;
const DOTS = [
  [4, 24],
  [16, 14],
  [28, 19],
  [44, 6],
] as const;
const BARS = [
  [20, '#1677ff'],
  [30, '#f5850b'],
  [38, '#0e9f6e'],
] as const;

const PICTURES = {
  line: LINE,
  labelled_line: (
    <>
      {LINE}
      {DOTS.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="2.5" fill="#fff" stroke="#1677ff" strokeWidth="1.5" />
      ))}
      <text x="9" y="9" fontSize="9" fill="#404550">
        12
      </text>
    </>
  ),
  area: (
    <>
      <polygon points="4,30 4,24 16,14 28,19 44,6 44,30" fill="#1677ff" fillOpacity="0.25" />
      {LINE}
    </>
  ),
  bar: BARS.map(([length, colour], index) => (
    <rect key={colour} x="4" y={3 + index * 10} width={length} height="7" fill={colour} />
  )),
  column: BARS.map(([length, colour], index) => (
    <rect
      key={colour}
      x={7 + index * 13}
      y={30 - length * 0.7}
      width="9"
      height={length * 0.7}
      fill={colour}
    />
  )),
  pie: (
    <>
      <circle cx="24" cy="16" r="14" fill="#1677ff" />
      <path d="M24 16V2a14 14 0 0 1 12.1 21z" fill="#f5850b" />
      <path d="M24 16l12.1 7a14 14 0 0 1-20.4 4.3z" fill="#0e9f6e" />
    </>
  ),
} as const satisfies Record<ChartType, React.ReactNode>;
