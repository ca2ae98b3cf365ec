import { ExpressionFault, parseExpression } from '../expression/parse-expression.ts';
import { FILTER_OPERATORS } from '../schema/definition.ts';
import type { Catalog, Field, Resource } from '../schema/resource.ts';
import { suggestName } from '../schema/suggest-name.ts';
import { isDate, isDatetime } from '../values/dates.ts';
import { isPlainDecimal } from '../values/decimal.ts';
import { formulaOf, sourceOf } from './resolve-operand.ts';
import { fieldAt, fieldsOf } from './scope.ts';

/** Where a filter stands: the resource that its keys speak of, or the lines of it. */
export interface FilterPlace {
  readonly resource: Resource;
  readonly catalog: Catalog;
  readonly lines?: string;
  readonly inputs?: readonly string[] | undefined;
}

/** What is wrong with a filter: `path` leads to the place inside it (`and.0.amount`). */
export interface FilterFault {
  readonly path: string;
  readonly message: string;
}

const MAXIMUM_DEPTH = 8;
const MAXIMUM_CONDITIONS = 100;
const MAXIMUM_LIST = 200;
const MAXIMUM_TEXT = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);
const SOURCE = /^(today|now|(user|record|parent|input|param)\.[A-Za-z0-9_.]+)$/;

/** Everything wrong with a filter from a file or a client: shape, unknown fields, operators, value types, sizes. */
export function checkFilter(filter: unknown, place: FilterPlace): readonly FilterFault[] {
  const check = new FilterCheck(place);
  check.filter(filter, '', 1);
  return check.faults;
}

class FilterCheck {
  readonly faults: FilterFault[] = [];
  private conditions = 0;
  private readonly place: FilterPlace;

  constructor(place: FilterPlace) {
    this.place = place;
  }

  filter(filter: unknown, path: string, depth: number): void {
    if (!isObject(filter)) return this.fault(path, '条件应为 { 字段: { 比较: 值 } }');
    if (depth > MAXIMUM_DEPTH) return this.fault(path, `条件嵌套不能超过 ${MAXIMUM_DEPTH} 层`);
    for (const [key, part] of Object.entries(filter)) {
      const here = joined(path, key);
      if (part === undefined) continue;
      if (key === 'and' || key === 'or') this.list(part, here, depth);
      else this.comparison(key, part, here);
    }
  }

  private list(parts: unknown, path: string, depth: number): void {
    if (!Array.isArray(parts)) return this.fault(path, 'and、or 应为条件列表');
    if (parts.length > MAXIMUM_CONDITIONS) return this.fault(path, `条件不能超过 ${MAXIMUM_CONDITIONS} 个`);
    for (const [index, part] of parts.entries()) this.filter(part, joined(path, String(index)), depth + 1);
  }

  private comparison(name: string, comparison: unknown, path: string): void {
    this.conditions += 1;
    if (this.conditions > MAXIMUM_CONDITIONS) {
      if (this.conditions === MAXIMUM_CONDITIONS + 1)
        this.fault(path, `条件不能超过 ${MAXIMUM_CONDITIONS} 个`);
      return;
    }
    const isInput = name.startsWith('input.');
    const field = isInput ? undefined : fieldAt(this.place, name);
    if (field === undefined && !isInput) return this.fault(path, unknownField(name, this.place));
    if (!isObject(comparison)) return this.fault(path, '比较应为 { 比较方式: 值 }，例如 { "eq": "draft" }');
    if (Object.keys(comparison).length === 0) return this.fault(path, '缺少比较方式');
    for (const [operator, value] of Object.entries(comparison)) {
      if (!OPERATORS.has(operator))
        this.fault(
          joined(path, operator),
          `未知比较方式 "${operator.slice(0, 30)}"，可用：${FILTER_OPERATORS.join('、')}`,
        );
      else this.operand(operator, value, field, joined(path, operator));
    }
  }

  private operand(operator: string, value: unknown, field: Field | undefined, path: string): void {
    if (field?.type === 'secret') return this.fault(path, '该字段不能用于查询');
    if (operator === 'null') {
      if (typeof value !== 'boolean') this.fault(path, 'null 的值应为 true 或 false');
      return;
    }
    if (isFromElsewhere(value)) return this.source(value, path);
    if (operator === 'in' || operator === 'nin' || operator === 'hasAny' || operator === 'between')
      return this.values(operator, value, field, path);
    if ((operator === 'contains' || operator === 'startswith') && typeof value !== 'string')
      return this.fault(path, `${operator} 的值应为文本`);
    const type = operator === 'contains' || operator === 'startswith' ? undefined : field;
    this.single(value, type, path, operator === 'eq' || operator === 'ne');
  }

  private values(operator: string, value: unknown, field: Field | undefined, path: string): void {
    if (!Array.isArray(value)) return this.fault(path, `${operator} 的值应为列表`);
    if (operator === 'between' && value.length !== 2) return this.fault(path, 'between 的值应为 [起, 止]');
    if (value.length > MAXIMUM_LIST) return this.fault(path, `列表不能超过 ${MAXIMUM_LIST} 个值`);
    for (const [index, item] of value.entries())
      if (isFromElsewhere(item)) this.source(item, joined(path, String(index)));
      else this.single(item, field, joined(path, String(index)), operator === 'between');
  }

  private single(value: unknown, field: Field | undefined, path: string, mayBeNull: boolean): void {
    if (value === null && mayBeNull) return;
    const message = field === undefined ? looseFault(value) : valueFault(value, field);
    if (message !== null) this.fault(path, message);
  }

  private source(value: unknown, path: string): void {
    const source = sourceOf(value);
    if (source !== null && !SOURCE.test(source)) return this.fault(path, `未知取值 "${source.slice(0, 40)}"`);
    const formula = formulaOf(value);
    if (formula === null) return;
    try {
      parseExpression(formula);
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      this.fault(path, `公式错误：${error.message}`);
    }
  }

  private fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }
}

function valueFault(value: unknown, field: Field): string | null {
  switch (field.type) {
    case 'integer':
      return isWhole(value) ? null : `${field.title}应为整数`;
    case 'decimal':
    case 'money':
    case 'percent':
      return isDecimalInRange(value) ? null : `${field.title}应为普通小数文本，例如 "12.50"`;
    case 'date':
      return isDate(value) ? null : `${field.title}应为日期，例如 2026-11-20`;
    case 'datetime':
      return isDatetime(value) || isDate(value)
        ? null
        : `${field.title}应为时间，例如 2026-11-20T14:05:00+08:00`;
    case 'boolean':
      return typeof value === 'boolean' ? null : `${field.title}应为 true 或 false`;
    case 'reference':
    case 'attachment':
      return typeof value === 'string' && UUID.test(value) ? null : `${field.title}应为记录编号（id）`;
    case 'lines':
    case 'json':
      return `${field.title}不能这样比较`;
    default:
      return textFault(value, field.title, field.name === 'id');
  }
}

function textFault(value: unknown, title: string, isId: boolean): string | null {
  if (typeof value !== 'string') return `${title}应为文本`;
  if (value.length > MAXIMUM_TEXT) return `${title}的查询内容过长`;
  if (hasForbiddenCharacter(value)) return `${title}含有不能使用的字符`;
  return !isId || UUID.test(value) ? null : `${title}应为记录编号（id）`;
}

function looseFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value, '值', false);
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    ? null
    : '值的类型不正确';
}

/** NUL and lone surrogates cannot be stored as text. */
function hasForbiddenCharacter(text: string): boolean {
  return (
    text.includes('\u0000') ||
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
  );
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value);
}

function isDecimalInRange(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return isPlainDecimal(value) && value.replace(/\D/g, '').length <= 38;
}

function unknownField(name: string, place: FilterPlace): string {
  const near = suggestName(name, Object.keys(fieldsOf(place)));
  return `未知字段 "${name.slice(0, 60)}"${near === null ? '' : `，是否想写 "${near}"？`}`;
}

function isFromElsewhere(value: unknown): boolean {
  return sourceOf(value) !== null || formulaOf(value) !== null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
