import {
  CHART_KINDS,
  type ReportChart,
  type ReportDefinition,
  type ReportParam,
} from '#engine/report/report-definition.ts';
import type { ReportOverride } from '#server/records/call/override-rows.ts';
import { overridesOf } from '#server/records/call/overrides.ts';
import type { Services } from '#server/records/services.ts';

/** Reports that people make have numbers from here on. */
export const FIRST_OWN_REPORT = 1_000;

type Reports = Readonly<Record<string, ReportDefinition>>;

/** The reports of a company: those of the files as its rows override them, and its own. */
export function reportsOf(services: Pick<Services, 'db' | 'definitions'>, company: string): Reports {
  const { reports: files } = services.definitions.setup();
  const rows = overridesOf(services).reports.filter(({ co_code: of }) => of === company);
  if (rows.length === 0) return files;
  const reports: Record<string, ReportDefinition> = { ...files };
  for (const row of rows) {
    const base = row.definition === null ? files[String(row.report)] : ownReport(row);
    if (base !== undefined) reports[String(row.report)] = withOverride(base, row);
  }
  return reports;
}

/** A choice may be given by what people call it. */
export function chosenOf({ options = {} }: ReportParam, text: string): string {
  return Object.entries(options).find(([, label]) => label === text)?.[0] ?? text;
}

/** What a row defines; it passed the lint when it was saved. */
function ownReport({ definition, report }: ReportOverride): ReportDefinition | undefined {
  try {
    const value: unknown = JSON.parse(definition ?? '');
    if (typeof value !== 'object' || value === null) return undefined;
    return { ...(value as ReportDefinition), report };
  } catch {
    return undefined;
  }
}

/** A chart as another kind stands alone: what was beside it completed the one that it replaces. */
function drawnAs(chart: ReportChart, kind: ReportChart['kind']): ReportChart {
  if (kind === chart.kind) return chart;
  const { beside: _beside, ...alone } = chart;
  return { ...alone, kind };
}

function withOverride(report: ReportDefinition, row: ReportOverride): ReportDefinition {
  const hidden = new Set(row.hidden_columns);
  const { chart: own, ...rest } = report;
  const kind = CHART_KINDS.find((known) => known === row.chart);
  const chart = row.chart === 'none' || own === undefined ? undefined : drawnAs(own, kind ?? own.kind);
  const params = Object.entries(report.params ?? {}).map(([name, param]): [string, ReportParam] => {
    const value = row.defaults[name];
    return [name, value === undefined ? param : { ...param, default: chosenOf(param, value) }];
  });
  return {
    ...rest,
    title: row.title,
    roles: row.roles.length === 0 ? report.roles : row.roles,
    params: Object.fromEntries(params),
    columns: report.columns.map((column) => (hidden.has(column.key) ? { ...column, hidden: true } : column)),
    ...(chart === undefined ? {} : { chart }),
  };
}
