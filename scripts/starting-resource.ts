import { posix } from 'node:path';

/** What a new resource starts from. */
export interface Start {
  /** The file below `resources/`, without its ending. */
  readonly target: string;
  readonly name: string;
  /** In Chinese. */
  readonly title: string;
  readonly kind: 'document' | 'master';
}

/** A resource that loads and works as it is: fields, rules, states, rights and pages, to be changed into what is needed. */
export function startingResource(start: Start): object {
  return start.kind === 'document' ? documentDefinition(start) : masterDefinition(start);
}

function documentDefinition(at: Start): object {
  const { name, title } = at;
  return {
    ...heading(at, `${name}_no`),
    number: { field: `${name}_no`, pattern: `{co}${initials(name)}{yyyy}{seq:5}`, at: 'create' },
    fields: {
      [`${name}_no`]: { type: 'text', title: `${title}号`, max: 30, readOnly: true },
      business_date: { type: 'date', title: '日期', required: true, default: { $: 'today' } },
      currency: {
        type: 'dictionary',
        title: '币种',
        dictionary: 'currency_code',
        required: true,
        default: 'USD',
      },
      items: {
        type: 'lines',
        title: '明细',
        min: 1,
        max: 500,
        fields: {
          name: { type: 'text', title: '名称', max: 120, required: true },
          quantity: { type: 'decimal', title: '数量', required: true },
          unit_price: { type: 'decimal', title: '单价', scale: 6, required: true },
          amount: {
            type: 'money',
            title: '金额',
            currency: 'parent.currency',
            formula: 'round(quantity * unit_price, 2)',
          },
        },
      },
      total_amount: { type: 'money', title: '合计', currency: 'currency', formula: 'sum(items.amount)' },
    },
    rules: [{ each: 'items', assert: { quantity: { gt: '0' } }, message: '数量必须大于0' }],
    lifecycle: {
      initial: 'draft',
      states: {
        draft: { title: '草稿', edit: '*' },
        pending: { title: '待审核' },
        rejected: { title: '已驳回', edit: '*' },
        approved: { title: '已审核' },
        void: { title: '已作废' },
      },
      groups: { final: ['approved', 'void'], dead: ['void'] },
      actions: {
        submit: {
          title: '提交',
          from: ['draft', 'rejected'],
          to: 'pending',
          approval: { approved: 'approved', rejected: 'rejected', withdrawn: 'draft' },
        },
        void: {
          title: '作废',
          from: ['draft', 'rejected'],
          to: 'void',
          reason: true,
          confirm: '作废后不可恢复',
        },
      },
    },
    access: [
      { role: 'SP', do: ['list', 'read', 'create', 'update', 'delete', 'submit', 'void', 'export'] },
      { role: ['DM', 'TM', 'GM'], do: ['list', 'read', 'approve', 'export'] },
    ],
    list: {
      columns: [`${name}_no`, 'business_date', { field: 'total_amount', total: true }, 'status'],
      filters: [`${name}_no`, 'business_date', 'status'],
      sort: ['-business_date'],
    },
    pages: pages(name),
  };
}

function masterDefinition(at: Start): object {
  return {
    ...heading(at, 'name'),
    fields: {
      code: { type: 'text', title: '编码', max: 20, required: true, fixed: true },
      name: { type: 'text', title: '名称', max: 60, required: true },
    },
    unique: [{ fields: ['code'] }],
    access: [
      { role: 'AD', do: ['*'] },
      { role: '*', do: ['list', 'read'], rows: 'company' },
    ],
    pages: [{ route: routeOf(at.name, 'list'), kind: 'list' }],
  };
}

function heading({ target, name, title, kind }: Start, label: string): object {
  const schema = posix.join(...target.split('/').map(() => '..'), 'schemas/resource.schema.json');
  return { $schema: schema, resource: name, title, kind, label };
}

function pages(name: string): object[] {
  return [
    {
      route: routeOf(name, 'list'),
      kind: 'list',
      edit: routeOf(name, 'edit'),
      details: routeOf(name, 'details'),
    },
    { route: routeOf(name, 'edit'), kind: 'edit' },
    { route: routeOf(name, 'details'), kind: 'details' },
  ];
}

/** The route of a page of a new resource. */
export function routeOf(name: string, page: string): string {
  return `/${name}/${page}`;
}

function initials(name: string): string {
  return name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
    .slice(0, 3);
}
