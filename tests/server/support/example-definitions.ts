import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small product of its own: organisation, partners, and one document, as definition files. */
export const EXAMPLE_FILES: Readonly<Record<string, unknown>> = {
  'setup/roles.json': [
    { code: 'SP', name: '业务员', row_scope: 'target', can_represent: true, hidden_paths: [] },
    { code: 'DM', name: '部门经理', duty: 'department_head', row_scope: 'dept', can_represent: false, hidden_paths: [] },
    { code: 'TM', name: '贸管专员', row_scope: 'company', can_represent: false, hidden_paths: ['/x/notes-two'] },
    { code: 'FN', name: '财务', row_scope: 'company', can_represent: false, hidden_paths: [] },
    ...['DC', 'RK', 'TR'].map((code) => ({ code, name: code, row_scope: 'company', can_represent: false, hidden_paths: [] })),
    { code: 'CS', name: 'CS', duty: 'service', row_scope: 'company', can_represent: true, hidden_paths: [] },
    { code: 'GM', name: 'GM', duty: 'last_approver', row_scope: 'company', can_represent: false, hidden_paths: [] },
    { code: 'AD', name: '系统管理员', duty: 'administration', row_scope: 'all', can_represent: false, hidden_paths: [] },
    { code: 'PT', name: '委托方', duty: 'partner', row_scope: 'partner', can_represent: false, hidden_paths: [] },
  ],
  'setup/regions.json': [
    { coCode: 'AA', coName: '甲公司', label: '甲', slogan: '通达天下', background: '', accent: '#1677ff', hotline: '400', copyright: '©', allowRegister: true, hosts: ['aa.example.com', 'localhost', '127.0.0.1'] },
    { coCode: 'AE', coName: '乙公司', label: '乙', slogan: '', background: '', accent: '#389e0d', hotline: '401', copyright: '©', allowRegister: false, hosts: ['ae.example.com'] },
  ],
  'setup/dictionaries.json': {
    enable_status: { label: '启用状态', builtin: true, items: [{ value: 'active', label: '启用' }, { value: 'disabled', label: '停用' }] },
    currency_code: { label: '币种', items: [{ value: 'USD', label: '美元' }, { value: 'CNY', label: '人民币' }] },
  },
  'setup/menu.json': [
    { title: '组织', items: ['/user/person', '/user/role'] },
    { title: '业务', items: ['/x/notes', { title: '更多', items: ['/x/notes-two', '/x/help'] }] },
  ],
  'setup/pages.json': [
    { route: '/x/help', kind: 'custom', title: '帮助', component: 'help', audience: 'both' },
    { route: '/login', kind: 'custom', title: '登录', component: 'login', guard: 'public' },
  ],
  'setup/message-events.json': { COMMENT_MENTION: '评论提醒', AUDIT_FAULT: { title: '操作记录异常', content: '{opinion}', level: 'urgent', to: ['AD'] }, DEFINITION_FAULT: { title: '定义错误', content: '{opinion}', level: 'urgent', to: ['AD'] } },
  'user/department.json': {
    resource: 'department', title: '部门', kind: 'master', label: 'name',
    fields: {
      code: { type: 'text', title: '部门编码', max: 20, required: true },
      name: { type: 'text', title: '部门名称', max: 60, required: true },
      parent_id: { type: 'reference', title: '上级部门', to: 'department' },
      is_company: { type: 'boolean', title: '公司节点' },
      manager_id: { type: 'reference', title: '部门经理', to: 'person' },
      allow_register: { type: 'boolean', title: '允许客户注册' },
      sort_no: { type: 'integer', title: '排序' },
    },
    access: [{ role: 'AD', do: ['*'], rows: 'all' }, { role: '*', do: ['list', 'read'], rows: 'company' }],
  },
  'user/role.json': {
    resource: 'role', title: '角色', kind: 'master', scope: 'global', label: 'name',
    fields: {
      code: { type: 'text', title: '角色编码', max: 30, required: true },
      name: { type: 'text', title: '角色名称', max: 30, required: true },
      row_scope: { type: 'text', title: '数据范围', max: 20 },
      is_mg: { type: 'boolean', title: '贸管标志' },
      can_represent: { type: 'boolean', title: '可代办服务对象' },
      hidden_paths: { type: 'text', title: '隐藏菜单', max: 200, multiple: true },
    },
    access: [{ role: 'AD', do: ['*'], rows: 'all' }],
    pages: [{ route: '/user/role', kind: 'list', title: '角色管理', guard: 'menu' }],
  },
  'user/person.json': {
    resource: 'person', title: '人员', kind: 'master', label: 'name',
    fields: {
      personid: { type: 'text', title: '工号', max: 30, required: true, fixed: true },
      name: { type: 'text', title: '姓名', max: 30, required: true },
      mobile: { type: 'text', title: '手机号码', max: 11, required: true },
      email: { type: 'text', title: '邮箱', max: 80 },
      position: { type: 'text', title: '职务', max: 30 },
      entry_date: { type: 'date', title: '入职日期' },
      leave_date: { type: 'date', title: '离职日期' },
      dept_id: { type: 'reference', title: '部门', to: 'department', required: true },
      password: { type: 'secret', title: '登录密码', max: 30 },
      role_ids: { type: 'reference', title: '角色', to: 'role', multiple: true, required: true },
      default_role_id: { type: 'reference', title: '默认角色', to: 'role' },
      super_permission: { type: 'boolean', title: '超级权限' },
      scope_override: { type: 'text', title: '数据范围覆盖', max: 20 },
      service_targets: { type: 'lines', title: '服务对象', fields: {
        sales_id: { type: 'reference', title: '业务员', to: 'person', required: true },
        valid_from: { type: 'date', title: '生效日期' },
        valid_to: { type: 'date', title: '失效日期' },
      } },
    },
    unique: [{ fields: ['personid'], scope: 'global', ignoreCase: true }],
    then: { update: [{ changed: ['password', 'role_ids', 'default_role_id', 'super_permission', 'scope_override', 'service_targets'], effect: 'end_sessions' }] },
    access: [{ role: 'AD', do: ['*'], rows: 'all' }, { role: '*', do: ['list', 'read'], rows: 'company' }],
    pages: [{ route: '/user/person', kind: 'list', title: '人员管理' }],
  },
  'customer/partner.json': {
    resource: 'partner', title: '委托方', kind: 'master', mixins: ['scope'], label: 'name',
    fields: {
      name: { type: 'text', title: '委托方名称', max: 120, required: true },
      sales_id: { type: 'reference', title: '业务员', to: 'person' },
      accounts: { type: 'lines', title: '登录账号', fields: {
        mobile: { type: 'text', title: '手机号码', max: 11, required: true },
        name: { type: 'text', title: '使用人', max: 30, required: true },
        password: { type: 'secret', title: '密码', max: 30 },
        status: { type: 'dictionary', title: '状态', dictionary: 'enable_status' },
        last_login_at: { type: 'datetime', title: '最近登录', system: true },
      } },
    },
    access: [{ role: ['SP', 'AD'], do: ['*'], rows: 'company' }, { role: 'PT', do: ['read'] }],
  },
  'sales/note.json': {
    resource: 'note', title: '便笺', kind: 'master', mixins: ['scope', 'note'], label: 'title',
    fields: {
      title: { type: 'text', title: '标题', max: 60, required: true },
      amount: { type: 'money', title: '金额', currency: 'CNY' },
      secret_cost: { type: 'money', title: '成本', currency: 'CNY' },
      currency: { type: 'dictionary', title: '币种', dictionary: 'currency_code' },
      scan: { type: 'attachment', title: '扫描件' },
      body: { type: 'richtext', title: '正文' },
    },
    access: [
      { role: 'SP', do: ['list', 'read', 'create', 'update', 'delete'], hide: ['secret_cost'] },
      { role: ['TM', 'FN', 'AD'], do: ['*'], rows: 'company' },
    ],
    pages: [
      { route: '/x/notes', kind: 'list', title: '便笺' },
      { route: '/x/notes-two', kind: 'list', title: '便笺（二）' },
    ],
  },
}; // prettier-ignore

/** Writes definition files into a folder of their own; changes are made by `write`. */
export async function writeExample(): Promise<{
  readonly folder: string;
  readonly write: (path: string, content: unknown) => Promise<void>;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'erp-definitions-'));
  const write = async (path: string, content: unknown): Promise<void> => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  for (const [path, content] of Object.entries(EXAMPLE_FILES)) await write(path, content);
  await write('setup/organisation.json', await readFile('resources/setup/organisation.json', 'utf8'));
  return { folder, write, remove: () => rm(folder, { recursive: true, force: true }) };
}
