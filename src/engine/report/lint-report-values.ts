import { functionNamed } from '../expression/function-registry.ts';
import { callsIn, expressionReads, parseExpression } from '../expression/parse-expression.ts';
import { typeOfField } from '../expression/type-scope.ts';
import { comparisonFault, isNumeric, type ValueType } from '../expression/value-type.ts';
import { hasSqlFunction } from '../filter/formula-sql-functions.ts';
import { valueFault } from '../filter/value-fault.ts';
import { expandField } from '../schema/expand-resource.ts';
import type { PathPlace } from '../schema/field-path.ts';
import type { LintContext } from '../schema/lint-context.ts';
import { idFault } from '../schema/lint-others.ts';
import type { Catalog } from '../schema/resource.ts';
import type { JsonPath } from '../schema/source-file.ts';
import { suggestion } from '../schema/suggest-name.ts';
import type { ReportParam, ReportWith } from './report-definition.ts';

/** Why a parameter cannot begin with its default; null when it can. What comes from the surroundings is not known here. */
export function defaultFault(
  name: string,
  { default: value, options, ...param }: ReportParam,
): string | null {
  if (value === undefined || value === null || typeof value === 'object') return null;
  if (options !== undefined) {
    const known = Object.keys(options);
    return known.includes(String(value))
      ? null
      : `"${String(value)}" 不是选项${suggestion(String(value), known)}`;
  }
  const { type, title } = param;
  return valueFault(value, expandField(name, { type, title }));
}

/** Why values of a type cannot be put into classes: days into months, numbers into steps. Null when they can. */
export function classesFault(
  { calendar, steps }: { readonly calendar?: string; readonly steps?: readonly string[] },
  type: ValueType,
): string | null {
  const isDay = type.kind === 'date' || type.kind === 'datetime' || type.kind === 'unknown';
  if (calendar !== undefined && !isDay) return '应为日期';
  return steps !== undefined && !isNumeric(type) ? '应为数字' : null;
}

/** The first function of a formula without faults that a report cannot ask the database; null when there is none. */
export function unaskedFunction(formula: string): string | null {
  const found = callsIn(parseExpression(formula)).find((call) => {
    const definition = functionNamed(call.name);
    const isKnown = definition === undefined || 'aggregate' in definition || hasSqlFunction(call.name);
    // What reads no column is worked out before.
    return !isKnown && expressionReads(call).some((path) => !path.startsWith('param.'));
  });
  return found?.name ?? null;
}

/**
 * Checks what ties the records of a sum to those of the report: they refer to them, or the two can be equal. Whole is only
 * what refers to the row: of a value that many rows have in common it would tell of others' records.
 */
export function lintTies(
  context: LintContext,
  path: JsonPath,
  {
    sum: { by, whole },
    place,
    own,
    catalog,
  }: {
    readonly sum: Pick<ReportWith, 'by' | 'whole'>;
    readonly place: PathPlace;
    readonly own: PathPlace;
    readonly catalog: Catalog;
  },
): void {
  const tie = [...path, 'by'];
  if (typeof by === 'string') {
    const field = context.field(tie, by, place);
    const fault = field === null ? null : idFault(field, own);
    if (fault !== null) context.report(tie, fault);
    return;
  }
  if (whole === true) context.report([...path, 'whole'], '全部汇总时 "by" 应为保存本行编号的字段');
  for (const [theirs, mine] of Object.entries(by)) {
    const here = [...tie, theirs];
    const one = context.field(here, theirs, place, 'key');
    const other = context.field(here, mine, own);
    if (one === null || other === null) continue;
    const fault = comparisonFault(typeOfField(one, catalog), typeOfField(other, catalog));
    if (fault !== null) context.report(here, fault);
  }
}
