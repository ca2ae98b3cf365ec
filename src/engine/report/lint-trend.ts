import { faultAt, type LintFault } from '../schema/source-file.ts';
import type { ReportFile } from './lint-report.ts';

/** Checks the charts that reports take from others: there is one, asked as on a day of this one's, and whoever opens the report may open the other. */
export function lintTrends(reports: readonly ReportFile[]): readonly LintFault[] {
  const known = new Map(reports.map(({ definition }) => [definition.report, definition]));
  return reports.flatMap(({ file, definition: { chart, roles, report, params = {} } }) => {
    const path = ['chart', 'trend'];
    if (chart?.trend === undefined) return [];
    const { report: wanted, on } = chart.trend;
    const other = known.get(wanted);
    if (other?.chart === undefined || wanted === report)
      return [faultAt(file, path, `没有编号为 ${wanted} 的其他有图的报表`)];
    if (params[on]?.type !== 'date') return [faultAt(file, [...path, 'on'], `"${on}" 不是日期参数`)];
    const left = roles.filter((role) => !other.roles.includes(role));
    return left.length === 0 ? [] : [faultAt(file, path, `角色 ${left.join('、')} 不能看报表 ${wanted}`)];
  });
}
