/** Makes a starting resource file: `npx tsx scripts/new-resource.ts sales/sample_order 样品单 [document|master]`. */
import { formatJson } from './format-json.ts';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

const [target = '', title = '', kind = 'document'] = process.argv.slice(2);
const name = basename(target);
const path = join('resources', `${target}.json`);
const fault = refusal();
if (fault === null) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, formatDefinition(kind === 'document' ? documentDefinition() : masterDefinition()));
  console.log(`已生成 ${path}；把路由 /${name}/list 加入 resources/setup/menu.json 后即出现在菜单中`);
} else {
  console.error(fault);
  process.exitCode = 1;
}

function refusal(): string | null {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || title === '')
    return '用法：npx tsx scripts/new-resource.ts <文件夹>/<资源名> <名称> [document|master]（资源名用小写英文与下划线）';
  if (kind !== 'document' && kind !== 'master') return `未知的种类 "${kind}"，可用：document、master`;
  return existsSync(path) ? `${path} 已存在` : null;
}

function documentDefinition(): object {
  return {
    ...heading('document', `${name}_no`),
    number: { field: `${name}_no`, pattern: `{co}${initials()}{yyyy}{seq:5}`, at: 'create' },
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
    pages: pages(),
  };
}

function masterDefinition(): object {
  return {
    ...heading('master', 'name'),
    fields: {
      code: { type: 'text', title: '编码', max: 20, required: true, fixed: true },
      name: { type: 'text', title: '名称', max: 60, required: true },
    },
    unique: [{ fields: ['code'] }],
    access: [
      { role: 'AD', do: ['*'] },
      { role: '*', do: ['list', 'read'], rows: 'company' },
    ],
    pages: [{ route: `/${name}/list`, kind: 'list' }],
  };
}

function heading(kind: string, label: string): object {
  const schema = posix.join(...target.split('/').map(() => '..'), 'schemas/resource.schema.json');
  return { $schema: schema, resource: name, title, kind, label };
}

function pages(): object[] {
  return [
    { route: routeOf('list'), kind: 'list', edit: routeOf('edit'), details: routeOf('details') },
    { route: routeOf('edit'), kind: 'edit' },
    { route: routeOf('details'), kind: 'details' },
  ];
}

function routeOf(page: string): string {
  return `/${name}/${page}`;
}

function initials(): string {
  return name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
    .slice(0, 3);
}

function formatDefinition(definition: object): string {
  return formatJson(definition);
}
