import { evaluate } from '../expression/evaluate.ts';
import { expressionReads, parseExpression } from '../expression/parse-expression.ts';
import { formulaOf, sourceOf } from '../filter/resolve-operand.ts';
import type { Comparison, Filter, FilterValue } from '../schema/definition.ts';
import type { EvaluationContext, FieldProblem, Resource } from '../schema/resource.ts';
import { addDays, addMonths, isDate } from '../values/dates.ts';
import { isPlainDecimal } from '../values/decimal.ts';
import type { ReportDefinition, ReportParam } from './report-definition.ts';

/** What a parameter holds; null when it was left empty. */
export type ParamValue = string | boolean | readonly string[] | null;
export type ParamValues = Readonly<Record<string, ParamValue>>;

/** The values of a report's parameters as asked for, defaults where nothing was; with what is wrong with them. */
export function readParams(
  { params = {}, rows }: Pick<ReportDefinition, 'params'> & Partial<Pick<ReportDefinition, 'rows'>>,
  given: Readonly<Record<string, unknown>>,
  context: EvaluationContext,
): { readonly values: ParamValues; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const say = (name: string, message: string): void => {
    problems.push({ path: `params.${name}`, code: 'param', message });
  };
  for (const name of Object.keys(given))
    if (!Object.hasOwn(params, name)) say(name, `未知参数“${name.slice(0, 40)}”`);
  const values: Record<string, ParamValue> = {};
  for (const [name, param] of Object.entries(params)) {
    const asked = Object.hasOwn(given, name) ? given[name] : defaultOf(param, context);
    const value = valueOf(asked, param);
    if (value === undefined) say(name, `参数“${param.title}”的值不正确`);
    else if (param.required === true && isNothing(value)) say(name, `请填写“${param.title}”`);
    values[name] = value ?? null;
  }
  const { from, to } = rows?.period ?? { from: '', to: '' };
  const [start, end] = [values[from], values[to]];
  if (isDate(start) && isDate(end) && end < start)
    say(to, `“${params[to]?.title ?? to}”不能早于“${params[from]?.title ?? from}”`);
  return { values, problems };
}

/** A parameter's value when nobody gave one; null when there is none. */
export function defaultOf(param: ReportParam, context: EvaluationContext): unknown {
  const { default: given } = param;
  const source = sourceOf(given);
  if (source !== null) return dayNamed(source, context.today);
  const formula = formulaOf(given);
  if (formula === null) return given ?? null;
  const value = evaluate(parseExpression(formula), {
    resource: NO_RESOURCE,
    catalog: { resources: {}, dictionaries: {}, roles: {}, menu: [] },
    record: {},
    context,
  });
  return typeof value === 'string' ? value : null;
}

/** A filter with the parameters put in; conditions on a parameter that was left empty do not hold anybody up. */
export function bindParams(filter: Filter | undefined, values: ParamValues): Filter {
  const bound: Record<string, Comparison | readonly Filter[]> = {};
  for (const [key, part] of Object.entries(filter ?? {})) {
    if (part === undefined) continue;
    if (isList(part)) {
      const inner = part.map((one) => bindParams(one, values));
      const left = inner.filter((one, index) => Object.keys(one).length > 0 || isAlways(part[index]));
      if (left.length > 0) bound[key] = left;
      continue;
    }
    const comparison = Object.fromEntries(
      Object.entries(part).flatMap(([op, value]): readonly (readonly [string, FilterValue])[] => {
        const put = bindValue(value, values);
        return put === undefined ? [] : [[op, put]];
      }),
    );
    if (Object.keys(comparison).length > 0) bound[key] = comparison;
  }
  return bound;
}

/** Undefined: nothing was chosen. */
function bindValue(value: FilterValue | undefined, values: ParamValues): FilterValue | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item: FilterValue) => bindValue(item, values));
    if (items.every((item) => item === undefined)) return undefined;
    return items.flatMap((item): readonly FilterValue[] => (Array.isArray(item) ? item : [item ?? null]));
  }
  const source = sourceOf(value);
  if (source?.startsWith('param.') === true) {
    const known = source.slice('param.'.length);
    if (!Object.hasOwn(values, known)) return value;
    const put = values[known] ?? null;
    return isNothing(put) ? undefined : put;
  }
  const formula = formulaOf(value);
  if (formula === null) return value;
  const reads = expressionReads(parseExpression(formula)).filter((path) => path.startsWith('param.'));
  return reads.some((path) => isNothing(values[path.slice('param.'.length)] ?? null)) ? undefined : value;
}

function isAlways(filter: Filter | undefined): boolean {
  return filter !== undefined && Object.keys(filter).length === 0;
}

function isList(part: Comparison | readonly Filter[]): part is readonly Filter[] {
  return Array.isArray(part);
}

/** Nothing was chosen. */
export function isNothing(value: ParamValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Undefined for what does not fit. */
function valueOf(given: unknown, param: ReportParam): ParamValue | undefined {
  if (given === null || given === undefined || given === '') return null;
  if (param.multiple === true) {
    const items: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (items.length > 200) return undefined;
    const values = items.map((item) => one(item, param));
    return values.every((value): value is string => typeof value === 'string') ? values : undefined;
  }
  return one(given, param);
}

function one(given: unknown, { type, options }: ReportParam): string | boolean | undefined {
  if (type === 'boolean') {
    if (given === 'true' || given === 'false') return given === 'true';
    return typeof given === 'boolean' ? given : undefined;
  }
  if (typeof given !== 'string' || given.length > 200) return undefined;
  if (options !== undefined) return Object.hasOwn(options, given) ? given : undefined;
  return FITS[type](given) ? given : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FITS = {
  date: isDate,
  integer: (text) => /^-?\d{1,9}$/.test(text),
  decimal: (text) => isPlainDecimal(text) && text.length < 20,
  text: (text) => !text.includes('\u0000'),
  dictionary: (text) => !text.includes('\u0000'),
  reference: (text) => UUID.test(text),
} as const satisfies Record<Exclude<ReportParam['type'], 'boolean'>, (text: string) => boolean>;

/** Days that have a name: today, the first and last day of its month, the first of its year, and of so many months before. */
function dayNamed(name: string, today: string): string | null {
  const first = `${today.slice(0, 8)}01`;
  const back = /^month_start-(\d{1,3})$/.exec(name)?.[1];
  if (back !== undefined) return addMonths(first, -Number(back));
  switch (name) {
    case 'today':
      return today;
    case 'month_start':
      return first;
    case 'month_end':
      return addDays(addMonths(first, 1), -1);
    case 'year_start':
      return `${today.slice(0, 4)}-01-01`;
    default:
      return null;
  }
}

/** A formula of a default reads no record. */
const NO_RESOURCE = { resource: '', fields: {} } as unknown as Resource;
