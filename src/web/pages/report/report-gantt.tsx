import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { daysBetween, isDate } from '#engine/values/dates.ts';
import { COLOURS } from './chart-colours.ts';
import { cellText } from './report-text.ts';

const MOST = 20;

interface Bar {
  readonly key: string;
  readonly name: string;
  readonly steps: readonly { readonly title: string; readonly day: string }[];
}

/** Bars from step to step of a record's way, each in its colour: the longest of a bar is where it waited. */
export function ReportGantt({
  result,
  chart,
}: {
  readonly result: ReportResult;
  readonly chart: NonNullable<ReportResult['chart']>;
}) {
  const columns = chart.y.flatMap((key) => result.columns.find((column) => column.key === key) ?? []);
  const bars = barsOf(result, chart, columns);
  const days = bars.flatMap(({ steps }) => steps.map(({ day }) => day)).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || bars.length === 0) return null;
  const span = Math.max(1, daysBetween(first, last));
  const at = (day: string): number => (daysBetween(first, day) / span) * 100;
  return (
    <figure className="report-chart report-gantt" role="img" aria-label={`${result.title}图表`}>
      <ul className="report-gantt-legend">
        {columns.slice(1).map(({ key, title }, index) => (
          <li key={key}>
            <i style={{ background: colourOf(index) }} />至{title}
          </li>
        ))}
      </ul>
      {bars.map(({ key, name, steps }) => (
        <div key={key} className="report-gantt-row">
          <span title={name}>{name}</span>
          <div>
            {steps.slice(1).map(({ title, day }, index) => (
              <i
                key={title}
                title={`${name}：${steps[index]?.title ?? ''} ${steps[index]?.day ?? ''} → ${title} ${day}`}
                style={{
                  left: `${at(steps[index]?.day ?? day)}%`,
                  width: `${Math.max(0.4, at(day) - at(steps[index]?.day ?? day))}%`,
                  background: colourOf(columns.findIndex((column) => column.title === title) - 1),
                }}
              />
            ))}
          </div>
        </div>
      ))}
      <p className="report-gantt-days">
        <span>{first}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
}

function barsOf(
  { rows, columns: all }: ReportResult,
  { x }: NonNullable<ReportResult['chart']>,
  columns: readonly ReportResultColumn[],
): readonly Bar[] {
  const name = all.find(({ key }) => key === x);
  const steps = (row: ReportResultRow): Bar['steps'] =>
    columns
      .flatMap(({ key, title }) => {
        const day = row.cells[key];
        return isDate(day) ? [{ title, day }] : [];
      })
      .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  return rows
    .filter(({ isLine }) => isLine)
    .map((row, index) => {
      const text = name === undefined ? null : cellText(row, name);
      const words = text !== null && text.kind === 'text' ? text.text : '';
      return { key: row.id ?? String(index), name: words, steps: steps(row) };
    })
    .filter(({ steps: own }) => own.length > 1)
    .slice(0, MOST);
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '#7a8b99';
}
