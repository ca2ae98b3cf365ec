import { lintReport } from '#engine/report/lint-report.ts';
import type { ReportDefinition, ReportParam } from '#engine/report/report-definition.ts';
import { REPORT_SCHEMA } from '#engine/report/report-schema.ts';
import { schemaFaults } from '#engine/schema/schema-faults.ts';
import { faultAt, type LintFault, readSource, type SourceFile } from '#engine/schema/source-file.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { chosenOf, FIRST_OWN_REPORT } from '#server/records/report/served-reports.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { namesKnownToRows } from '#server/workflow/printing/own-templates.ts';
import { linesIn, textOf } from './rule-values.ts';

/** A configuration speaks of a report that there is, or defines one of its own that passes the lint of report files. */
async function checkReportConfig({ services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const { reports } = services.definitions.setup();
  const id = Number(record['report']);
  const text = textOf(record, 'definition');
  const shipped = reports[String(id)];
  if (text === null)
    return shipped === undefined
      ? [{ path: 'report', code: 'unknown', message: '没有这个报表；自定义报表请填写“自定义报表”' }]
      : [...strangeNames(shipped, record)];
  if (shipped !== undefined || id < FIRST_OWN_REPORT)
    return [{ path: 'report', code: 'taken', message: `自定义报表的编号应为 ${FIRST_OWN_REPORT} 以上` }];
  const { file, faults } = readSource('', text);
  const found = faults.length > 0 ? faults : schemaFaults(file, REPORT_SCHEMA);
  if (found.length > 0) return found.map(problemOf);
  // The meta-schema has just said so.
  const definition = file.value as ReportDefinition;
  if (definition.report !== id)
    return [{ path: 'definition', code: 'report', message: `"report" 应为 ${id}` }];
  const lint = [
    ...lintReport({ file, definition }, currentCatalog(services), namesKnownToRows(services)),
    ...wholeSums(file, definition),
  ];
  return lint.length > 0 ? lint.map(problemOf) : [...strangeNames(definition, record)];
}

/** What people make sums what its reader may see: no report of theirs opens the records of others. */
function wholeSums(file: SourceFile, { rows }: ReportDefinition): readonly LintFault[] {
  return (rows.union ?? [rows]).flatMap((source, index) =>
    Object.entries(source.with ?? {})
      .filter(([, { whole }]) => whole === true)
      .map(([name]) => {
        const at = rows.union === undefined ? ['rows'] : ['rows', 'union', index];
        return faultAt(
          file,
          [...at, 'with', name, 'whole'],
          '自建报表只汇总查看人可见的单据，不能用 "whole"',
        );
      }),
  );
}

function* strangeNames(report: ReportDefinition, record: RuleCall['record']): Generator<FieldProblem> {
  const keys = report.columns.map(({ key }) => key);
  const hidden = Array.isArray(record['hidden_columns']) ? record['hidden_columns'].map(String) : [];
  for (const name of hidden)
    if (!keys.includes(name))
      yield {
        path: 'hidden_columns',
        code: 'unknown',
        message: `报表没有列“${name}”，可填：${keys.join('、')}`,
      };
  for (const [index, line] of linesIn(record, 'defaults').entries()) {
    const param = report.params?.[String(line['param'])];
    if (param === undefined)
      yield {
        path: `defaults.${index}.param`,
        code: 'unknown',
        message: `报表没有参数“${String(line['param'])}”`,
      };
    else yield* strangeChoice(param, String(line['value']), `defaults.${index}.value`);
  }
}

function* strangeChoice(param: ReportParam, value: string, path: string): Generator<FieldProblem> {
  const { options } = param;
  if (options === undefined || Object.hasOwn(options, chosenOf(param, value))) return;
  const message = `“${param.title}”可填：${Object.values(options).join('、')}`;
  yield { path, code: 'unknown', message };
}

function problemOf({ line, column, message }: LintFault): FieldProblem {
  return { path: 'definition', code: 'definition', message: `第 ${line} 行第 ${column} 列：${message}` };
}

export const REPORT_RULES: RuleSet = {
  checks: {
    check_report_config: {
      run: checkReportConfig,
      reads: [
        'report_config.report',
        'report_config.definition',
        'report_config.hidden_columns',
        'report_config.defaults.param',
      ],
      why: 'definitions as data: the lint of report files is asked',
    },
  },
};
