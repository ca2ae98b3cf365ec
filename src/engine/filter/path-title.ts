import type { Field } from '../schema/resource.ts';
import type { FilterPlace } from './check-filter.ts';
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
  'user.service_id': '本委托方的客服',
  'company.co_code': '本公司编码',
  'company.name': '本公司名称',
  'company.name_en': '本公司英文名称',
  'company.tax_no': '本公司税号',
  'company.hotline': '本公司电话',
  'company.address': '本公司地址',
  'company.address_en': '本公司英文地址',
  'company.place_en': '本公司所在地(英文)',
};

const RECORD_TITLES: Readonly<Record<string, string>> = {
  source: '来源单据的',
  above: '上一行的',
  before: '变更前的',
  record: '',
};

/** The titles along a path: 国外客户的国别地区的禁运国家, 上一行的结余, 本部门. Names without a title stand as they are. */
export function pathTitle(path: string, place: FilterPlace): string {
  const known = named(SOURCE_TITLES, path);
  if (known !== undefined) return known;
  const [first = '', ...rest] = path.split('.');
  if (first === 'user') return '登录人的设置';
  if (first === 'param')
    return `系统参数「${named(place.catalog.parameters, rest.join('.')) ?? rest.join('.')}」`;
  if (first === 'input') return rest.join('.');
  const lead = rest.length === 0 ? undefined : named(RECORD_TITLES, first);
  const own = lead === undefined ? path : rest.join('.');
  const parts = own.split('.').filter((part) => part !== 'parent');
  const prefix = own.startsWith('parent.') ? 'parent.' : '';
  const titles = parts.map(
    (_, index) => fieldAt(place, prefix + parts.slice(0, index + 1).join('.'))?.title ?? parts[index],
  );
  return `${lead ?? ''}${titles.join('的')}`;
}

/** The label of a value of a field: of a state, an option or a dictionary; null when it has none. */
export function labelOf(value: string, field: Field | undefined, place: FilterPlace): string | null {
  if (field?.name === 'status') {
    const states = place.resource.fields['status'] === field ? place.resource.lifecycle?.states : undefined;
    const state = named(states, value);
    if (state !== undefined) return state.title;
  }
  const option = named(field?.options, value);
  if (option !== undefined) return option;
  const dictionary =
    field?.dictionary === undefined ? undefined : named(place.catalog.dictionaries, field.dictionary);
  return dictionary?.items.find((item) => item.value === value)?.label ?? null;
}

/** A member by a name that callers may choose: `constructor` is none. */
function named<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
