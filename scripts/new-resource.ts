/**
 * Makes a starting resource: `npm run new-resource -- sales/sample_order 样品单 [document|master]`. Its file, its place in
 * the menu, for a document its approval flow, and the generated names; what is there already stays as it is.
 */
import { formatJson } from './format-json.ts';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

const MENU_GROUP = '新增业务';
const [target = '', title = '', kind = 'document'] = process.argv.slice(2);
const name = basename(target);
const path = join('resources', `${target}.json`);
const fault = refusal();
if (fault === null) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, formatDefinition(kind === 'document' ? documentDefinition() : masterDefinition()));
  addToMenu();
  if (kind === 'document') addFlow();
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], { stdio: 'inherit' });
  console.log(
    `已生成 ${path}，并已加入菜单“${MENU_GROUP}”${kind === 'document' ? '与审核流程' : ''}；修改后运行 npm run check`,
  );
} else {
  console.error(fault);
  process.exitCode = 1;
}

/** A group of its own at the end of the menu: whoever knows the place better moves the route. */
function addToMenu(): void {
  change('menu', (menu) => {
    const groups = menu as { title: string; icon?: string; items: unknown[] }[];
    const group = groups.find((one) => one.title === MENU_GROUP);
    if (group === undefined)
      groups.push({ title: MENU_GROUP, icon: 'AppstoreOutlined', items: [routeOf('list')] });
    else if (!group.items.includes(routeOf('list'))) group.items.push(routeOf('list'));
  });
}

/** One level, the department's head: without a flow a submission is refused. */
function addFlow(): void {
  const roles = JSON.parse(readFileSync(setupPath('roles'), 'utf8')) as {
    code: string;
    name: string;
    duty?: string;
  }[];
  const head = roles.find(({ duty }) => duty === 'department_head');
  change('approval-flows', (flows) => {
    const level = {
      level_no: 1,
      title: `${head?.name ?? ''}审核`,
      approver_kind: 'role',
      role: head?.code ?? '',
      mode: 'any',
    };
    (flows as object[]).push({ resource: name, name: `${title}审核`, priority: 10, levels: [level] });
  });
}

function change(setup: string, work: (value: unknown) => void): void {
  const value: unknown = JSON.parse(readFileSync(setupPath(setup), 'utf8'));
  work(value);
  writeFileSync(setupPath(setup), formatJson(value));
}

function setupPath(setup: string): string {
  return join('resources', 'setup', `${setup}.json`);
}

function refusal(): string | null {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || title === '')
    return '用法：npm run new-resource -- <文件夹>/<资源名> <名称> [document|master]（资源名用小写英文与下划线）';
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
    pages: [{ route: routeOf('list'), kind: 'list' }],
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
