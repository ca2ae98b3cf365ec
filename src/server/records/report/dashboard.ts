import type { Dashboard } from '#contract/reports.ts';
import { defaultOf } from '#engine/report/report-params.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { openStarts } from '#server/records/face/open-starts.ts';
import { mayOpen } from './report-sources.ts';
import { FIRST_OWN_REPORT, reportsOf } from './served-reports.ts';

/** More would be a second menu. */
const MOST_STARTS = 8;

/** The starts, cards and charts of a page that a person may see: those over reports that are open to the role. */
export function dashboardOf(services: Services, caller: Caller, name: string): Dashboard {
  const { dashboards } = services.definitions.setup();
  const reports = reportsOf(services, caller.subject.co_code);
  const {
    starts = [],
    cards = [],
    charts = [],
  } = Object.hasOwn(dashboards, name) ? (dashboards[name] ?? {}) : {};
  const opened = <T extends { readonly report: number; readonly params?: Readonly<Record<string, unknown>> }>(
    shown: T,
  ): readonly (Omit<T, 'params'> & {
    readonly route: string;
    readonly params: Record<string, unknown>;
  })[] => {
    const report = reports[String(shown.report)];
    if (report === undefined || !mayOpen(services, caller, report)) return [];
    return [{ ...shown, route: report.route, params: valuesOf(shown.params, caller) }];
  };
  return {
    starts: openStarts(services, caller, starts).slice(0, MOST_STARTS),
    cards: cards.flatMap(opened).map(({ before, late, ...card }) => ({
      ...card,
      ...(before === undefined ? {} : { before: { ...card.params, ...valuesOf(before, caller) } }),
      ...(late === undefined ? {} : { late: { ...card.params, ...valuesOf(late, caller) } }),
    })),
    charts: charts.flatMap(opened).map(({ y, ...chart }) => ({ ...chart, y: [...y] })),
  };
}

function valuesOf(
  params: Readonly<Record<string, unknown>> | undefined,
  { context }: Pick<Caller, 'context'>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params ?? {}).map(([param, value]): [string, unknown] => [
      param,
      defaultOf({ type: 'text', title: '', default: value }, context),
    ]),
  );
}

/** The reports that people of the company made, as far as this one may open them. */
export function ownReports(
  services: Services,
  caller: Caller,
): readonly { readonly report: number; readonly title: string }[] {
  return Object.values(reportsOf(services, caller.subject.co_code))
    .filter((report) => report.report >= FIRST_OWN_REPORT && mayOpen(services, caller, report))
    .map(({ report, title }) => ({ report, title }));
}
