import type { Filter } from '../schema/definition.ts';
import type { Field } from '../schema/resource.ts';
import { formatDecimal, formatPercent } from '../values/display.ts';
import type { FilterPlace } from './check-filter.ts';
import { filterParts, type FilterPart } from './filter-paths.ts';
import { formulaOf, sourceOf } from './resolve-operand.ts';
import { fieldAt } from './scope.ts';

const SOURCE_TITLES: Readonly<Record<string, string>> = {
  today: '今天',
  now: '现在',
  'user.id': '本人',
  'user.sales_ids': '本人及服务对象',
  'user.sales_id': '本人',
  'user.dept_code': '本部门',
  'user.dept_codes': '本部门及下级',
  'user.co_code': '本公司',
  'user.partner_id': '本委托方',
};

/**
 * A filter as a Chinese sentence with titles and labels: the answer to 为什么. Never throws.
 * @example describeFilter({ incoterm: { in: ['FOB', 'EXW'] } }, place) // 成交方式为「离岸价」或「工厂交货」
 */
export function describeFilter(filter: Filter | undefined | null, place: FilterPlace): string {
  if (filter === undefined || filter === null) return '总是';
  const parts = filterParts(filter);
  return parts.length === 0 ? '总是' : parts.map((part) => describePart(part, place)).join('，且');
}

function describePart(part: FilterPart, place: FilterPlace): string {
  if (part.kind === 'condition') return describeCondition(part.path, part.operator, part.value, place);
  const inner = part.filters.map((filter) => describeFilter(filter, place));
  return inner.length === 1 ? (inner[0] ?? '') : `（${inner.join(part.kind === 'or' ? '，或' : '，且')}）`;
}

function describeCondition(path: string, operator: string, value: unknown, place: FilterPlace): string {
  const field = fieldAt(place, path);
  const title = pathTitle(path, place);
  const text = (item: unknown) => valueText(item, field, place);
  const list = (join: string) =>
    Array.isArray(value) ? value.map(text).join(join) || '（无）' : text(value);
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
    case 'hasAny':
      return `${title}含有${list('或')}`;
    default:
      return title;
  }
}

/** The titles along a path: 国外客户的国别地区的禁运国家. */
function pathTitle(path: string, place: FilterPlace): string {
  const own = path.startsWith('record.') ? path.slice('record.'.length) : path;
  if (own.startsWith('input.')) return own.slice('input.'.length);
  const parts = own.split('.').filter((part) => part !== 'parent');
  const prefix = own.startsWith('parent.') ? 'parent.' : '';
  return parts
    .map((_, index) => fieldAt(place, prefix + parts.slice(0, index + 1).join('.'))?.title ?? parts[index])
    .join('的');
}

function valueText(value: unknown, field: Field | undefined, place: FilterPlace): string {
  const source = sourceOf(value);
  if (source !== null) return named(SOURCE_TITLES, source) ?? sourceTitle(source, place);
  const formula = formulaOf(value);
  if (formula !== null) return formulaTitle(formula, place);
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (value === null || value === undefined) return '空';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const label = labelOf(text, field, place);
  if (label !== null) return `「${label}」`;
  if (field?.type === 'percent') return formatPercent(text);
  return field === undefined || ['integer', 'decimal', 'money'].includes(field.type)
    ? formatDecimal(text)
    : `「${text}」`;
}

function sourceTitle(source: string, place: FilterPlace): string {
  if (source.startsWith('user.')) return '登录人的设置';
  if (source.startsWith('param.')) return `参数 ${source.slice('param.'.length)}`;
  return pathTitle(source, place);
}

/** A formula with field names replaced by titles. */
function formulaTitle(formula: string, place: FilterPlace): string {
  return formula
    .replace(/[a-z_][a-z0-9_.]*/gi, (name) => fieldAt(place, name)?.title ?? name)
    .replaceAll('*', '×')
    .replaceAll('/', '÷');
}

function labelOf(value: string, field: Field | undefined, place: FilterPlace): string | null {
  if (field?.name === 'status') {
    const states = place.resource.fields['status'] === field ? place.resource.lifecycle?.states : undefined;
    const state = named(states, value);
    if (state !== undefined) return state.title;
  }
  const option = named(field?.options, value);
  if (option !== undefined) return option;
  const dictionary =
    field?.dictionary === undefined ? undefined : place.catalog.dictionaries[field.dictionary];
  return dictionary?.items.find((item) => item.value === value)?.label ?? null;
}

/** A member by a name that callers may choose: `constructor` is none. */
function named<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

function isDateField(field: Field | undefined): boolean {
  return field?.type === 'date' || field?.type === 'datetime';
}
