import { SQL_TYPES, type SqlKind, type SqlValue } from '#engine/filter/formula-sql.ts';
import type { PlannedMeasure, PlannedValue, ReportPlan } from '#engine/report/plan-report.ts';
import { bind } from '#server/records/call/statement.ts';
import type { OpenSource } from './report-sources.ts';
import { SourceSql } from './source-sql.ts';

/** A statement of a report with what it binds. */
export interface ReportStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A statement over grouped rows: `g` tells the level, `d0…` the values, `m0…` the figures, `h` the head of a line, `n` how many rows. */
export interface GroupedStatement extends ReportStatement {
  /** `g` of the whole report, of each group level, of the lines; with `cur` the same by currency. */
  readonly levels: readonly number[];
}

/** Where a figure was clicked: the values of its group levels from outside in, of a line its record too. */
export interface ReportCell {
  readonly keys: readonly unknown[];
  readonly id: string | null;
  readonly currency: string | null;
}

/** Everything that stands beside the figures of a plan. */
export function plannedValues(plan: ReportPlan): readonly PlannedValue[] {
  return [...plan.keys, ...plan.details];
}

/** Rows with subtotals and total in one statement, the total first, then groups, then at most `limit` lines in their order. */
export function groupedStatement(
  sources: readonly OpenSource[],
  plan: ReportPlan,
  limit: number,
): GroupedStatement {
  const values: unknown[] = [];
  const parts = partsSql(sources, plan, { values, measures: plan.measures });
  const shown = plannedValues(plan).map((_, index) => `d${index}`);
  const keys = plan.keys.map((_, index) => `d${index}`);
  const row = plan.isEach ? ['id', 's'] : [];
  const currency = plan.currency === null ? [] : ['cur'];
  const leaf = [...shown, ...row];
  const groups = keys
    .slice(0, plan.isEach ? keys.length : keys.length - 1)
    .map((_, index) => keys.slice(0, index + 1));
  const sets = [[], ...groups, leaf];
  // A line that is one record has one currency.
  const byCurrency =
    currency.length === 0 ? [] : (plan.isEach ? sets.slice(0, -1) : sets).map((set) => [...set, 'cur']);
  const written = [...sets.slice(0, -1), plan.isEach ? [...leaf, ...currency] : leaf, ...byCurrency];
  const columns = [...leaf, ...currency];
  const level = (set: readonly string[]): number =>
    columns.reduce((bits, column) => bits * 2 + (set.includes(column) ? 0 : 1), 0);
  const figures = plan.measures.flatMap((measure, index) => [
    `${aggregateSql(measure, index)} as m${index}`,
    ...(measure.per === null ? [] : [`sum(b.m${index}) filter (where b.p${index} is null) as q${index}`]),
  ]);
  const select = [
    `${columns.length === 0 ? '0' : `grouping(${columns.join(', ')})`} as g`,
    ...columns,
    ...figures,
    ...(plan.isEach ? ['min(b.h) as h'] : []),
    // What is read for comparison only does not count.
    `${isCompared(plan) ? 'count(*) filter (where b.inside)' : 'count(*)'}::int as n`,
  ];
  const grouped = `select ${select.join(', ')} from (${parts.map(({ text }) => text).join(' union all ')}) b group by grouping sets (${[...new Set(written.map((set) => `(${set.join(', ')})`))].join(', ')})`;
  const figuresAsText = plan.measures.map(
    (measure, index) => `${figureSql(measure, index)}::text as m${index}`,
  );
  // One row more tells that there are others.
  const bound = bind(values, mostRows(plan, limit) + 1);
  const heads = plan.isEach ? ['x.h'] : [];
  const text = `select ${['x.g', ...columns.map((column) => `x.${column}`), ...figuresAsText, ...heads, 'x.n'].join(', ')} from (${grouped}) x order by ${['x.g desc', ...orderOf(plan)].join(', ')} limit ${bound}::int`;
  return { text, values, levels: sets.map(level) };
}

/**
 * How many rows of a statement hold a number of lines: where lines are groups they stand once for all currencies and once
 * for each, after the total and that of each currency; a record stands once, after its groups.
 */
export function mostRows({ isEach, keys, currency }: ReportPlan, lines: number): number {
  if (!isEach) return currency === null ? lines : lines * 3 + MOST_CURRENCIES;
  return lines + (keys.length === 0 ? MOST_CURRENCIES : MOST_GROUPS);
}

/** Totals in original currency, and groups with theirs, that have a place before the lines. */
const MOST_CURRENCIES = 200;
const MOST_GROUPS = 3_000;

/** The rows behind a figure, the weightiest first: their id and what each gives; `total` rows and `sum` of them all. */
export function drillStatement(
  sources: readonly OpenSource[],
  plan: ReportPlan,
  asked: {
    readonly cell: ReportCell;
    readonly measure: PlannedMeasure | null;
    readonly limit: number;
    readonly offset: number;
  },
): ReportStatement {
  const { cell, measure, limit, offset } = asked;
  const values: unknown[] = [];
  const parts = partsSql(sources, plan, { values, measures: measure === null ? [] : [measure] });
  const kinds = parts[0]?.kinds ?? [];
  const conditions = cell.keys.map(
    (key, index) =>
      `b.d${index} is not distinct from ${bind(values, key)}::${SQL_TYPES[kinds[index] ?? 'text']}`,
  );
  if (cell.id !== null) conditions.push(`b.id = ${bind(values, cell.id)}::uuid`);
  if (cell.currency !== null) conditions.push(`b.cur = ${bind(values, cell.currency)}::text`);
  if (measure !== null) conditions.push('b.m0 is not null');
  const isSummed = measure?.kind === 'sum' || measure?.kind === 'count';
  const value = measure === null ? 'null::text' : 'b.m0::text';
  const sum = isSummed ? '(sum(b.m0) over ())::text' : 'null::text';
  const where = conditions.length === 0 ? 'true' : conditions.join(' and ');
  const union = parts.map((part) => part.text).join(' union all ');
  // What counts once stands behind its figure once.
  const rows =
    measure === null || measure.per === null
      ? `(${union}) b where ${where}`
      : `(select distinct on (coalesce(b.p0, b.id::text)) b.* from (${union}) b where ${where} order by coalesce(b.p0, b.id::text), b.id) b`;
  const order =
    measure === null ? 'b.id desc' : isSummed ? 'abs(b.m0) desc, b.id desc' : 'b.m0 desc, b.id desc';
  const text = `select b.id, b.s, ${value} as value, count(*) over ()::int as total, ${sum} as sum from ${rows} order by ${order} limit ${bind(values, limit)}::int offset ${bind(values, offset)}::int`;
  return { text, values };
}

interface Part {
  readonly text: string;
  readonly kinds: readonly SqlKind[];
}

interface Written {
  readonly values: unknown[];
  readonly measures: readonly PlannedMeasure[];
}

/** The rows of all sources; what one of them does not have is empty, of the kind that the others give. */
function partsSql(sources: readonly OpenSource[], plan: ReportPlan, at: Written): readonly Part[] {
  const opened = sources.map((open) => {
    const sql = new SourceSql(open, plan, at.values);
    return { open, sql, shown: plannedValues(plan).map(({ text }) => sql.shown(text)) };
  });
  const kinds = plannedValues(plan).map(
    (_, index): SqlKind =>
      opened.map(({ shown }) => shown[index]?.kind ?? 'null').find((kind) => kind !== 'null') ?? 'text',
  );
  return opened.map((one) => partSql(one, plan, { ...at, kinds }));
}

function partSql(
  {
    open,
    sql,
    shown,
  }: { readonly open: OpenSource; readonly sql: SourceSql; readonly shown: readonly SqlValue[] },
  plan: ReportPlan,
  { values, measures, kinds }: Written & { readonly kinds: readonly SqlKind[] },
): Part {
  const columns = [
    `${bind(values, open.source.from)}::text as s`,
    't.id as id',
    `${open.lines === undefined ? 'null' : 't.parent_id'}::text as h`,
    ...shown.map(
      ({ sql: value, kind }, index) =>
        `${kind === 'null' ? `(${value})::${SQL_TYPES[kinds[index] ?? 'text']}` : value} as d${index}`,
    ),
    ...(plan.currency === null ? [] : [`(${sql.value(plan.currency).sql})::text as cur`]),
    ...(isCompared(plan) && plan.period !== null ? [`(${sql.within(plan.period)}) as inside`] : []),
    ...measures.flatMap((measure, index) => {
      const { value, weight, per } = sql.measure(measure);
      return [
        `${value} as m${index}`,
        ...(weight === null ? [] : [`${weight} as w${index}`]),
        ...(per === null ? [] : [`${per} as p${index}`]),
      ];
    }),
  ];
  const from = sql.from();
  return { text: `select ${columns.join(', ')} ${from}`, kinds };
}

function aggregateSql({ kind, weight, per }: PlannedMeasure, index: number): string {
  const column = `b.m${index}`;
  if (per !== null)
    return `jsonb_object_agg(b.p${index}, ${column}) filter (where b.p${index} is not null and ${column} is not null)`;
  if (kind === 'count') return `count(${column})`;
  if (kind === 'distinct') return `count(distinct ${column})`;
  if (kind !== 'avg' || weight === null) return `${kind}(${column})`;
  const heavy = `b.w${index}`;
  return `sum(${column} * ${heavy}) / nullif(sum(${heavy}) filter (where ${column} is not null), 0)`;
}

/** Whether rows from outside the period are read too. */
function isCompared({ period, window }: ReportPlan): boolean {
  return period !== null && window !== null && (window.from !== period.from || window.to !== period.to);
}

/** A figure as it stands after grouping. */
function figureSql({ per }: PlannedMeasure, index: number): string {
  if (per === null) return `x.m${index}`;
  return `(select sum(v.value) from (select x.q${index} as value union all select e.value::numeric from jsonb_each_text(x.m${index}) e) v)`;
}

/** The order of lines that the database can give: by values and figures; what is reckoned later sorts what came. */
function orderOf(plan: ReportPlan): readonly string[] {
  const shown = plannedValues(plan);
  const order = (plan.report.sort ?? []).flatMap((key): readonly string[] => {
    const name = key.replace(/^-/, '');
    const direction = key.startsWith('-') ? 'desc nulls last' : 'asc nulls last';
    const measure = plan.measures.findIndex(({ column, role }) => column === name && role === 'own');
    const found = plan.measures[measure];
    if (found !== undefined) return [`${figureSql(found, measure)} ${direction}`];
    const value = shown.findIndex(({ columns }) => columns.includes(name));
    return value < 0 ? [] : [`x.d${value} ${direction}`];
  });
  return [...order, ...shown.map((_, index) => `x.d${index}`), ...(plan.isEach ? ['x.id'] : [])];
}
