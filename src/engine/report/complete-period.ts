import { addDays, addMonths } from '../values/dates.ts';
import type { ReportPlan } from './plan-report.ts';
import type { CalendarPart, ReportDefinition } from './report-definition.ts';
import { dateClasses, type Window } from './report-period.ts';
import type { RawRow } from './report-rows.ts';

/** More parts than anybody reads, or an end that was left open: then only those with rows stand there. */
const MOST_PARTS = 500;

/** With `period.complete` the days, weeks, months … of the period that have no rows, as lines without figures. */
export function withEmptyParts(plan: ReportPlan, raw: readonly RawRow[]): readonly RawRow[] {
  const calendar = completedPart(plan.report);
  const [key] = plan.keys;
  if (calendar === null || plan.period === null || key === undefined || plan.isEach) return raw;
  const known = new Set(raw.filter(({ level }) => level === 1).map(({ keys }) => keys[0]));
  const missing = partsOf(calendar, plan.period).filter((part) => !known.has(part));
  return [...raw, ...missing.map((part) => emptyRow(plan, part))];
}

/** What a report is grouped by when it lists its whole period; null when it does not. */
export function completedPart({ rows }: Pick<ReportDefinition, 'rows'>): CalendarPart | null {
  const [by, ...more] = rows.by ?? [];
  if (rows.period?.complete !== true || by === undefined || more.length > 0) return null;
  return dateClasses(rows, by);
}

/** The parts of a stretch of days, as the groups of a report are called. */
export function partsOf(calendar: CalendarPart, { from, to }: Window): readonly string[] {
  const { first, next, name } = PARTS[calendar];
  const parts: string[] = [];
  for (let day = first(from); day <= to; day = next(day)) {
    if (parts.length >= MOST_PARTS) return [];
    parts.push(name(day));
  }
  return parts;
}

interface Part {
  /** The first day of the part that a day lies in. */
  readonly first: (day: string) => string;
  readonly next: (first: string) => string;
  readonly name: (first: string) => string;
}

const PARTS = {
  day: { first: (day) => day, next: (day) => addDays(day, 1), name: (day) => day },
  week: {
    first: (day) => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7)),
    next: (day) => addDays(day, 7),
    name: (day) => day,
  },
  month: {
    first: (day) => `${day.slice(0, 8)}01`,
    next: (day) => addMonths(day, 1),
    name: (day) => day.slice(0, 7),
  },
  quarter: {
    first: (day) => addMonths(`${day.slice(0, 8)}01`, -((Number(day.slice(5, 7)) - 1) % 3)),
    next: (day) => addMonths(day, 3),
    name: (day) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
  },
  year: {
    first: (day) => `${day.slice(0, 5)}01-01`,
    next: (day) => addMonths(day, 12),
    name: (day) => day.slice(0, 4),
  },
} as const satisfies Record<CalendarPart, Part>;

function emptyRow({ measures, details }: ReportPlan, part: string): RawRow {
  return {
    level: 1,
    keys: [part],
    shown: [part, ...details.map(() => null)],
    id: null,
    source: null,
    currency: null,
    isByCurrency: false,
    figures: measures.map(() => null),
    count: 0,
  };
}
