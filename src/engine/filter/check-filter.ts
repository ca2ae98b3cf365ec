import { parseExpression, ExpressionFault } from '../expression/parse-expression.ts';
import { operatorsOf } from '../fields/field-types.ts';
import { FILTER_OPERATORS } from '../schema/definition.ts';
import type { Catalog, Field, Resource } from '../schema/resource.ts';
import { isGroup } from '../schema/state-groups.ts';
import { suggestName } from '../schema/suggest-name.ts';
import { formulaOf, sourceOf } from './resolve-operand.ts';
import { fieldAt, fieldsOf } from './scope.ts';
import { exampleOf, SUBJECT_KEYS } from './subject-values.ts';
import { treeOf } from './tree-of.ts';
import { isIdentity, textFault, valueFault } from './value-fault.ts';

/** Where a filter stands: the resource that its keys speak of, or the lines of it. */
export interface FilterPlace {
  readonly resource: Resource;
  readonly catalog: Catalog;
  readonly lines?: string;
  readonly inputs?: readonly string[] | undefined;
  /** Whether whoever asks does not know of a field: it is answered as one that is not there, and never suggested. */
  readonly isHidden?: (path: string) => boolean;
  /** What else forbids whoever asks to compare a known field in these ways. */
  readonly refusalOf?: (
    path: string,
    operators: readonly string[],
  ) => { readonly code: string; readonly message: string } | null;
}

/** What is wrong with a filter: `path` leads to the place inside it (`and.0.amount`). */
export interface FilterFault {
  readonly path: string;
  readonly message: string;
  /** Of what `refusalOf` refused. */
  readonly code?: string;
}

const MAXIMUM_DEPTH = 8;
const MAXIMUM_CONDITIONS = 100;
const MAXIMUM_LIST = 200;
const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);
const LIST_OPERATORS: ReadonlySet<string> = new Set(['in', 'nin', 'hasAny']);
/** They take one value or a list. */
const EITHER_OPERATORS: ReadonlySet<string> = new Set(['under']);
const TEXT_OPERATORS: ReadonlySet<string> = new Set(['contains', 'startswith']);
const SOURCE = /^(today|now|(user|record|parent|input|param|source|before|above)\.[A-Za-z0-9_.]+)$/;

/**
 * Everything wrong with a filter from a file or a client: shape, unknown fields, operators that the field does not
 * have, value types, sizes. A filter without faults never fails in SQL for its literals and values of the person.
 */
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
    const field = this.place.isHidden?.(name) === true ? undefined : fieldAt(this.place, name);
    const message = field === undefined ? this.unknownField(name) : unreachable(name, this.place);
    if (message !== null) return this.fault(path, message);
    if (!isObject(comparison)) return this.fault(path, '比较应为 { 比较方式: 值 }，例如 { "eq": "draft" }');
    if (Object.keys(comparison).length === 0) return this.fault(path, '缺少比较方式');
    const refused = this.place.refusalOf?.(name, Object.keys(comparison)) ?? null;
    if (refused !== null) this.faults.push({ path, ...refused });
    for (const [operator, value] of Object.entries(comparison)) {
      const here = joined(path, operator);
      const refusal =
        operator === 'under' && field !== undefined
          ? underFault(field, name, this.place)
          : operatorFault(operator, field);
      if (refusal === null) this.operand(operator, value, field, here);
      else this.fault(here, refusal);
    }
  }

  private unknownField(name: string): string | null {
    const { inputs } = this.place;
    const input = name.startsWith('input.') ? name.slice('input.'.length) : null;
    if (input !== null && (inputs === undefined || inputs.includes(input))) return null;
    const { isHidden = () => false } = this.place;
    const known = Object.keys(fieldsOf(this.place)).filter((key) => !isHidden(key));
    const near = suggestName(name, input === null ? known : (inputs ?? []));
    return `未知字段 "${name.slice(0, 60)}"${near === null ? '' : `，是否想写 "${near}"？`}`;
  }

  private operand(operator: string, value: unknown, field: Field | undefined, path: string): void {
    if (operator === 'null') {
      if (typeof value !== 'boolean') this.fault(path, 'null 的值应为 true 或 false');
      return;
    }
    if (isFromElsewhere(value)) return this.elsewhere(operator, value, field, path);
    const isList = EITHER_OPERATORS.has(operator) && Array.isArray(value);
    if (isList || LIST_OPERATORS.has(operator) || operator === 'between')
      return this.values(operator, value, field, path);
    if (value === null && (operator === 'eq' || operator === 'ne')) return;
    this.literal(operator, value, field, path);
  }

  private values(operator: string, value: unknown, field: Field | undefined, path: string): void {
    if (isGroup(value)) return this.group(value, field, path);
    if (!Array.isArray(value)) return this.fault(path, `${operator} 的值应为列表`);
    if (operator === 'between' && value.length !== 2) return this.fault(path, 'between 的值应为 [起, 止]');
    if (value.length > MAXIMUM_LIST) return this.fault(path, `列表不能超过 ${MAXIMUM_LIST} 个值`);
    for (const [index, item] of value.entries()) {
      const here = joined(path, String(index));
      if (isGroup(item)) this.group(item, field, here);
      else if (isFromElsewhere(item)) this.elsewhere(operator, item, field, here);
      else if (item !== null || operator !== 'between') this.literal(operator, item, field, here);
    }
  }

  private group(name: string, field: Field | undefined, path: string): void {
    const groups = field === undefined ? [] : Object.keys(field.groups ?? {});
    const key = name.slice(1);
    if (field === undefined || groups.includes(key)) return;
    const near = suggestName(key, groups);
    this.fault(path, `${field.title}没有组 "${name}"${near === null ? '' : `，是否想写 "@${near}"？`}`);
  }

  private literal(operator: string, value: unknown, field: Field | undefined, path: string): void {
    const message = TEXT_OPERATORS.has(operator)
      ? textFault(value, field?.title ?? '值')
      : valueFault(value, field);
    if (message !== null) this.fault(path, message);
  }

  /** A value of the surroundings or a formula: whether it is one, and fits as far as is known before it is used. */
  private elsewhere(operator: string, value: unknown, field: Field | undefined, path: string): void {
    const source = sourceOf(value);
    const message = source === null ? formulaFault(formulaOf(value)) : sourceFault(source, operator);
    if (message !== null) return this.fault(path, message);
    const example = source === null ? undefined : exampleOf(source);
    if (example !== undefined)
      this.literal(operator, Array.isArray(example) ? example[0] : example, field, path);
  }

  private fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }
}

function operatorFault(operator: string, field: Field | undefined): string | null {
  if (!OPERATORS.has(operator))
    return `未知比较方式 "${operator.slice(0, 30)}"，可用：${FILTER_OPERATORS.join('、')}`;
  if (field === undefined) return null;
  const known: readonly string[] = operatorsOf(field);
  if (known.length === 0) return `${field.title}不能用于查询`;
  return known.includes(operator) ? null : `${field.title}不能用 ${operator} 比较，可用：${known.join('、')}`;
}

/** Whether a field leads into a tree, or is the id of a tree's own record. */
function underFault(field: Field, name: string, place: FilterPlace): string | null {
  const isOwn = name === 'id' && place.lines === undefined;
  if ((isOwn || !isIdentity(field)) && treeOf(field, place) !== null) return null;
  return `${field.title}不能用 under 比较：只用于引用树形资源的字段`;
}

/** Lines are read from their head, references one at a time: beyond them a path has no single value. */
function unreachable(path: string, place: FilterPlace): string | null {
  const parts = path.split('.');
  for (let count = 1; count < parts.length; count += 1) {
    const step = parts.slice(0, count).join('.');
    const field = fieldAt(place, step);
    const isBlocked = field?.type === 'lines' ? !isOwnList(step, place) : field?.multiple === true;
    if (isBlocked) return `"${step.slice(0, 60)}" 后面不能再取字段`;
  }
  return null;
}

function isOwnList(step: string, place: FilterPlace): boolean {
  return place.lines === undefined
    ? !step.replace(/^record\./, '').includes('.')
    : /^parent\.[^.]+$/.test(step);
}

function sourceFault(source: string, operator: string): string | null {
  const unknown = `未知取值 "${source.slice(0, 40)}"`;
  if (!SOURCE.test(source)) return unknown;
  if (source.startsWith('user.') && !SUBJECT_KEYS.has(source.slice('user.'.length))) return unknown;
  const takesList = LIST_OPERATORS.has(operator) || EITHER_OPERATORS.has(operator);
  return Array.isArray(exampleOf(source)) && !takesList
    ? `${source} 是列表，应与 in、nin 或 hasAny 一起使用`
    : null;
}

function formulaFault(formula: string | null): string | null {
  try {
    if (formula !== null) parseExpression(formula);
    return null;
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return `公式错误：${error.message}`;
  }
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
