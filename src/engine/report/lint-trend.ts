import { faultAt, type LintFault } from '../schema/source-file.ts';
import type { ReportFile } from './lint-report.ts';

/** Checks the charts that reports take from others: there is one, and whoever opens the report may open the other. */
export function lintTrends(reports: readonly ReportFile[]): readonly LintFault[] {
  const known = new Map(reports.map(({ definition }) => [definition.report, definition]));
  return reports.flatMap(({ file, definition: { chart, roles, report } }) => {
    const path = ['chart', 'trend'];
    if (chart?.trend === undefined) return [];
    const other = known.get(chart.trend);
    if (other?.chart === undefined || chart.trend === report)
      return [faultAt(file, path, `没有编号为 ${chart.trend} 的其他有图的报表`)];
    const left = roles.filter((role) => !other.roles.includes(role));
    return left.length === 0
      ? []
      : [faultAt(file, path, `角色 ${left.join('、')} 不能看报表 ${chart.trend}`)];
  });
}
