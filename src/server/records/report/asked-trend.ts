import type { ReportDefinition } from '#engine/report/report-definition.ts';
import { defaultOf, type ParamValues, readParams } from '#engine/report/report-params.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { servedReport } from './report-params.ts';
import { mayOpen } from './report-sources.ts';

/** A report with the values of its parameters. */
interface Asked {
  readonly report: ReportDefinition;
  readonly values: ParamValues;
}

/**
 * The report whose chart stands below this one, with its days counted from a day that this one is asked for and what
 * else both are asked for. Null where there is none, or to whom the other one is closed.
 */
export function askedTrend(services: Services, caller: Caller, { report, values }: Asked): Asked | null {
  const { trend } = report.chart ?? {};
  if (trend === undefined) return null;
  const other = servedReport(services, caller, String(trend.report));
  const today = values[trend.on];
  if (typeof today !== 'string' || !mayOpen(services, caller, other)) return null;
  const context = { ...caller.context, today };
  const given = Object.entries(other.params ?? {}).map(([name, param]) => [
    name,
    param.type === 'date' ? defaultOf(param, context) : (values[name] ?? defaultOf(param, context)),
  ]);
  return { report: other, values: readParams(other, Object.fromEntries(given), context).values };
}
