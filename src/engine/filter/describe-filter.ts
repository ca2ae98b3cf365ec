import type { Filter } from '../schema/definition.ts';
import { parsedFormula } from '../schema/formula-reads.ts';
import type { Field } from '../schema/resource.ts';
import { formatDecimal, formatPercent } from '../values/display.ts';
import type { FilterPlace } from './check-filter.ts';
import { describeFormula } from './describe-formula.ts';
import { namedValues } from './compare-value.ts';
import { filterParts, type FilterPart } from './filter-paths.ts';
import { labelOf, pathTitle } from './path-title.ts';
import { formulaOf, sourceOf } from './resolve-operand.ts';
import { fieldAt } from './scope.ts';

/**
 * A filter as a Chinese sentence with titles and labels: the answer to 为什么. Never throws.
 * @example describeFilter({ incoterm: { in: ['FOB', 'EXW'] } }, place) // 成交方式为「离岸价」或「工厂交货」
 */
export function describeFilter(filter: Filter | undefined | null, place: FilterPlace): string {
  if (filter === undefined || filter === null) return '总是';
  const known = described.get(filter);
  if (known !== undefined && isSamePlace(known.place, place)) return known.text;
  const text = describeParts(filterParts(filter), place);
  const { resource, catalog, lines, inputs } = place;
  // What callers send may be no filter at all.
  if (typeof filter === 'object')
    described.set(filter, {
      place: { resource, catalog, ...(lines === undefined ? {} : { lines }), inputs },
      text,
    });
  return text;
}

function describeParts(parts: readonly FilterPart[], place: FilterPlace): string {
  return parts.length === 0 ? '总是' : parts.map((part) => describePart(part, place)).join('，且');
}

/** The sentence says nothing of the record at hand, and is asked for with every record: the last one of a filter is kept. */
const described = new WeakMap<Filter, { readonly place: FilterPlace; readonly text: string }>();

function isSamePlace(a: FilterPlace, b: FilterPlace): boolean {
  return a.resource === b.resource && a.catalog === b.catalog && a.lines === b.lines && a.inputs === b.inputs;
}

function describePart(part: FilterPart, place: FilterPlace): string {
  if (part.kind === 'condition') return describeCondition(part.path, part.operator, part.value, place);
  const inner = part.filters.map((filter) => describeFilter(filter, place));
  return inner.length === 1 ? (inner[0] ?? '') : `（${inner.join(part.kind === 'or' ? '，或' : '，且')}）`;
}

function describeCondition(path: string, operator: string, given: unknown, place: FilterPlace): string {
  const field = fieldAt(place, path);
  const value = operator === 'in' || operator === 'nin' ? namedValues(given, field) : given;
  const title = pathTitle(path, place);
  const text = (item: unknown) => valueText(item, field, place);
  const list = (join: string) => {
    if (!Array.isArray(value)) return text(value);
    // Records without their names are only counted.
    if (value.length > 1 && value.every(isRecordId)) return `指定的${value.length}条记录`;
    return value.map(text).join(join) || '（无）';
  };
  switch (operator) {
    case 'eq':
      return field?.type === 'boolean'
        ? `${title}${value === false ? '为否' : '为是'}`
        : value === null
          ? `${title}为空`
          : `${title}为${text(value)}`;
    case 'ne':
      return value === null ? `${title}不为空` : `${title}不为${text(value)}`;
    case 'lt':
      return `${title}${isDateField(field) ? '早于' : '小于'}${text(value)}`;
    case 'lte':
      return `${title}${isDateField(field) ? '不晚于' : '不大于'}${text(value)}`;
    case 'gt':
      return `${title}${isDateField(field) ? '晚于' : '大于'}${text(value)}`;
    case 'gte':
      return `${title}${isDateField(field) ? '不早于' : '不小于'}${text(value)}`;
    case 'in':
      return `${title}为${list('或')}`;
    case 'nin':
      return `${title}不为${list('、')}`;
    case 'contains':
      return `${title}包含${text(value)}`;
    case 'startswith':
      return `${title}以${text(value)}开头`;
    case 'between':
      return `${title}介于${list('和')}之间`;
    case 'null':
      return `${title}${value === false ? '不为空' : '为空'}`;
    case 'has':
      return `${title}含有${text(value)}`;
    case 'under':
      return `${title}在${list('、')}之内（含下级）`;
    case 'hasAny':
      return `${title}含有${list('或')}`;
    default:
      return title;
  }
}

function valueText(value: unknown, field: Field | undefined, place: FilterPlace): string {
  const source = sourceOf(value);
  if (source !== null) return pathTitle(source, place);
  const formula = formulaOf(value);
  if (formula !== null) return formulaTitle(formula, place);
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (value === null || value === undefined) return '空';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const label = labelOf(text, field, place);
  if (label !== null) return `「${label}」`;
  if (isRecordId(text)) return '指定的记录';
  if (field?.type === 'percent') return formatPercent(text);
  return field === undefined || ['integer', 'decimal', 'money'].includes(field.type)
    ? formatDecimal(text)
    : `「${text}」`;
}

/** The id of a record says nothing to people. */
function isRecordId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** A formula that does not parse stands as it is written. */
function formulaTitle(formula: string, place: FilterPlace): string {
  const expression = parsedFormula(formula);
  return expression === null ? formula : describeFormula(expression, place);
}

function isDateField(field: Field | undefined): boolean {
  return field?.type === 'date' || field?.type === 'datetime';
}
