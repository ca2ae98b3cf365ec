/** A place in a definition file, the mistake that is put there, and what is said about it. */
export interface Mistake {
  readonly what: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly says: RegExp;
  /** Where it is told when not there: a path of the changed file. */
  readonly at?: readonly (string | number)[];
}

/** A document with every construct that a mistake can be made in; `key` names it. */
export function aMemo(key = 'memo'): Record<string, unknown> {
  return {
    resource: key,
    title: '备忘',
    kind: 'document',
    label: 'title',
    number: { field: 'memo_no', pattern: '{co}BW{yyyy}{seq:5}' },
    fields: {
      memo_no: { type: 'text', title: '编号', max: 30, readOnly: true },
      title: { type: 'text', title: '标题', max: 40, required: true },
      code: { type: 'text', title: '代码', max: 10, pattern: '^[A-Z]+$' },
      level: { type: 'text', title: '级别', options: { a: '高', b: '低' }, default: 'a' },
      count: { type: 'integer', title: '件数', default: 1 },
      due: { type: 'date', title: '到期日', default: { $: 'today' } },
      price: { type: 'money', title: '金额', currency: 'CNY' },
      owner: { type: 'reference', title: '负责人', to: 'person' },
      follows: { type: 'reference', title: '前一备忘', to: key },
      total: { type: 'money', title: '合计', currency: 'CNY', formula: 'sum(items.amount)' },
      items: {
        type: 'lines',
        title: '明细',
        fields: {
          text: { type: 'text', title: '内容', max: 40 },
          amount: { type: 'money', title: '金额', currency: 'CNY' },
        },
        unique: [{ fields: ['text'] }],
      },
    },
    unique: [{ fields: ['code'] }],
    rules: [{ when: { level: { eq: 'a' } }, require: ['code'] }],
    lifecycle: {
      initial: 'draft',
      states: { draft: { title: '草稿', edit: '*' }, pending: { title: '待审' }, done: { title: '完成' } },
      actions: {
        submit: {
          title: '提交',
          from: ['draft'],
          to: 'pending',
          approval: { approved: 'done', rejected: 'draft', withdrawn: 'draft' },
        },
        reopen: { title: '重开', from: ['done'], to: 'draft', when: { count: { gt: 0 } } },
      },
    },
    access: [
      { role: 'SP', do: ['list', 'read', 'create', 'update', 'submit'], rows: 'company' },
      { role: 'DM', do: ['list', 'read', 'approve', 'reopen'], rows: 'company' },
    ],
    indexes: [['status', '-due']],
    list: { columns: ['memo_no', 'title', 'status'], filters: ['title'], sort: ['-due'] },
    edit: [
      { title: '基本', fields: ['title', 'code', 'level', 'count', 'due', 'price', 'owner'] },
      { title: '明细', lines: 'items' },
    ],
    details: { related: [{ resource: key, by: 'follows' }] },
    print: [{ id: 'memo', title: '备忘', template: 'memo' }],
    pages: [
      { route: `/x/${key}`, kind: 'list', title: '备忘', edit: `/x/${key}bj`, details: `/x/${key}xq` },
      { route: `/x/${key}bj`, kind: 'edit' },
      { route: `/x/${key}xq`, kind: 'details' },
    ],
  };
}

/** Mistakes, more than forty, that people make in a definition file. */
export const MISTAKES: readonly Mistake[] = [
  { what: 'an unknown key', path: ['fields', 'code', 'readonly'], value: true, says: /未知的键 "readonly"，是否想写 "readOnly"？/ },
  { what: 'an unknown type', path: ['fields', 'due', 'type'], value: 'dat', says: /"dat" 不是允许的值，是否想写 "date"？/ },
  { what: 'a title that is no text', path: ['title'], value: 5, says: /应为文本/ },
  { what: 'an unknown kind', path: ['kind'], value: 'documents', says: /"documents" 不是允许的值/ },
  { what: 'an unknown label', path: ['label'], value: 'titel', says: /未知字段 "titel"，是否想写 "title"？/ },
  { what: 'a second person nowhere', path: ['secondPerson'], value: { in: 'nothing', fields: ['code'] }, says: /未知资源 "nothing"/, at: ['secondPerson', 'in'] },
  { what: 'a last day that is no date', path: ['secondPerson'], value: { in: 'nothing', fields: [], until: ['code'] }, says: /"code" 须为日期/, at: ['secondPerson', 'until', 0] },
  { what: 'a reserved field name', path: ['fields', 'and'], value: { type: 'text', title: '甲' }, says: /字段名 "and" 是保留名/ },
  { what: 'a name with two underscores', path: ['fields', 'a__b'], value: { type: 'text', title: '甲' }, says: /不能含有两个连续的下划线/ },
  { what: 'a name of the engine', path: ['resource'], value: 'sys_memo', says: /系统保留的名称/ },
  { what: 'a pattern that is none', path: ['fields', 'code', 'pattern'], value: '[A-', says: /正则表达式不正确/ },
  { what: 'a pattern with a look-ahead', path: ['fields', 'code', 'pattern'], value: '^(?=A).+$', says: /不能含前后查找/ },
  { what: 'a key of another type', path: ['fields', 'count', 'scale'], value: 2, says: /"scale" 不适用于类型 integer/ },
  { what: 'a default of the wrong kind', path: ['fields', 'count', 'default'], value: 'many', says: /默认值不合字段/ },
  { what: 'a default that is no option', path: ['fields', 'level', 'default'], value: 'c', says: /默认值不合字段/ },
  { what: 'a default from nowhere', path: ['fields', 'due', 'default'], value: { $: 'tomorrow' }, says: /未知的取值 "tomorrow"/, at: ['fields', 'due', 'default', '$'] },
  { what: 'an option without a text', path: ['fields', 'level', 'options', 'a'], value: 1, says: /应为文本/ },
  { what: 'bounds the wrong way round', path: ['fields', 'code', 'min'], value: 20, says: /下限大于上限/ },
  { what: 'a cell that opens what nothing names', path: ['fields', 'items', 'fields', 'text', 'opens'], value: { resource: 'text', where: 'amount' }, says: /"amount" 应为同一明细中的条件列/, at: ['fields', 'items', 'fields', 'text', 'opens', 'where'] },
  { what: 'money without a currency', path: ['fields', 'price', 'currency'], value: 'curency', says: /未知字段 "curency"/ },
  { what: 'an unknown target', path: ['fields', 'owner', 'to'], value: 'persn', says: /未知资源 "persn"，是否想写 "person"？/ },
  { what: 'a filter on an unknown field', path: ['fields', 'owner', 'where'], value: { nam: { eq: 'x' } }, says: /未知字段 "nam"，是否想写 "name"？/, at: ['fields', 'owner', 'where', 'nam'] },
  { what: 'an unknown operator', path: ['rules', 0, 'when', 'level'], value: { equals: 'a' }, says: /未知运算 "equals"/, at: ['rules', 0, 'when', 'level', 'equals'] },
  { what: 'a comparison of the wrong kind', path: ['lifecycle', 'actions', 'reopen', 'when', 'count'], value: { gt: 'many' }, says: /件数应为整数/, at: ['lifecycle', 'actions', 'reopen', 'when', 'count', 'gt'] },
  { what: 'a formula with a slip', path: ['fields', 'total', 'formula'], value: 'sum(items.amount', says: /公式错误/ },
  { what: 'a formula over an unknown field', path: ['fields', 'total', 'formula'], value: 'sum(items.amout)', says: /未知字段 "items.amout"，是否想写 "items.amount"？/ },
  { what: 'a formula of the wrong kind', path: ['fields', 'total', 'formula'], value: 'title', says: /公式的结果不合字段：应为金额，不是文本/ },
  { what: 'an unknown function', path: ['fields', 'total', 'formula'], value: 'summ(items.amount)', says: /summ/ },
  { what: 'a unique over an unknown field', path: ['unique', 0, 'fields', 0], value: 'cod', says: /未知字段 "cod"，是否想写 "code"？/ },
  { what: 'a unique of lines by a condition of the head', path: ['fields', 'items', 'unique', 0], value: { fields: ['text'], where: { 'parent.code': { ne: 'x' } } }, says: /不能以表头字段/, at: ['fields', 'items', 'unique', 0, 'where', 'parent.code'] },
  { what: 'a rule that does nothing', path: ['rules', 0], value: { when: { level: { eq: 'a' } } }, says: /规则须有/ },
  { what: 'records tied over a reference', path: ['blockers'], value: [{ actions: ['reopen'], of: 'note', by: { 'sales_id.name': 'title' }, message: '甲' }], says: /"by" 只认本单据与明细的字段/, at: ['blockers', 0, 'by', 'sales_id.name'] },
  { what: 'a picture of what has no sum', path: ['pages', 0, 'chart'], value: { kind: 'bar', by: 'due', amounts: ['title'] }, says: /"title" 不能合计/, at: ['pages', 0, 'chart', 'amounts', 0] },
  { what: 'an unknown state', path: ['lifecycle', 'actions', 'reopen', 'to'], value: 'draf', says: /未知状态 "draf"，是否想写 "draft"？/ },
  { what: 'an unknown initial state', path: ['lifecycle', 'initial'], value: 'new', says: /未知状态 "new"/ },
  { what: 'an approval into nowhere', path: ['lifecycle', 'actions', 'submit', 'approval', 'approved'], value: 'approved', says: /未知状态 "approved"/ },
  { what: 'an approval that the system starts', path: ['lifecycle', 'actions', 'submit', 'daily'], value: true, says: /由时钟执行的动作/ },
  { what: 'a refusal of what no clock runs', path: ['lifecycle', 'actions', 'submit', 'refused'], value: 'NEWS', says: /只有由时钟执行的动作才有 "refused"/ },
  { what: 'an approval that ends in a slip', path: ['lifecycle', 'actions', 'submit', 'approval', 'rejected'], value: 'draf', says: /未知状态 "draf"，是否想写 "draft"？/ },
  { what: 'an approval that stays where it waits', path: ['lifecycle', 'actions', 'submit', 'approval', 'rejected'], value: 'pending', says: /须离开待审状态 "pending"/ },
  { what: 'an approval that runs by itself', path: ['lifecycle', 'actions', 'submit', 'auto'], value: true, says: /自动执行的动作须有 "when"/ },
  { what: 'a state that an action writes', path: ['lifecycle', 'actions', 'reopen', 'set'], value: { status: "'draft'" }, says: /状态由动作的 "to" 改变/, at: ['lifecycle', 'actions', 'reopen', 'set', 'status'] },
  { what: 'a default that nobody may type', path: ['fields', 'code', 'default'], value: 'abc', says: /默认值不合字段/ },
  { what: 'options of a number', path: ['fields', 'count', 'options'], value: { a: '甲' }, says: /"options" 不适用于类型 integer/ },
  { what: 'a label that is no text', path: ['label'], value: 'items', says: /"items" 不能作名称/ },
  { what: 'a number in a field of another kind', path: ['number', 'field'], value: 'count', says: /编号字段 "count" 应为文本/ },
  { what: 'an index over lines', path: ['indexes', 0, 0], value: 'items', says: /"items" 不是本表的列/ },
  { what: 'a total over texts', path: ['list', 'columns', 1], value: { field: 'title', total: true }, says: /"title" 不是数字，不能合计/, at: ['list', 'columns', 1, 'total'] },
  { what: 'a total of records in an unknown state', path: ['list', 'columns', 1], value: { field: 'count', total: { where: { status: { eq: 'drafts' } } } }, says: /drafts/, at: ['list', 'columns', 1, 'total', 'where', 'status', 'eq'] },
  { what: 'lines among the fields of a section', path: ['edit', 0, 'fields', 0], value: 'items', says: /"items" 是明细/ },
  { what: 'an action of rows that is none', path: ['pages', 0, 'rowAction'], value: 'fly', says: /没有可由人执行的动作 "fly"/, at: ['pages', 0, 'rowAction'] },
  { what: 'a tab of an unknown resource', path: ['pages', 0, 'tabs'], value: ['persn'], says: /未知资源 "persn"，是否想写 "person"？/, at: ['pages', 0, 'tabs', 0] },
  { what: 'a page made by hand that nobody made', path: ['pages', 0], value: { route: '/x/other', kind: 'custom' }, says: /须有 "component"/ },
  { what: 'records that belong to another', path: ['details', 'related', 0, 'by'], value: 'owner', says: /"owner" 不引用备忘/ },
  { what: 'a tree that is none', path: ['pages', 0, 'tree'], value: 'owner', says: /"owner" 须引用树形资源/ },
  { what: 'a condition of a print on an unknown field', path: ['print', 0, 'when'], value: { titel: { eq: 'x' } }, says: /未知字段 "titel"/, at: ['print', 0, 'when', 'titel'] },
  { what: 'an action named like an operation', path: ['lifecycle', 'actions', 'update'], value: { title: '改', from: ['draft'], to: 'draft' }, says: /动作名 "update" 是保留名/ },
  { what: 'an unknown role', path: ['access', 0, 'role'], value: 'SPX', says: /未知角色 "SPX"/ },
  { what: 'an unknown operation', path: ['access', 0, 'do', 4], value: 'submitt', says: /未知操作 "submitt"/ },
  { what: 'an unknown column', path: ['list', 'columns', 1], value: 'titel', says: /未知字段 "titel"/ },
  { what: 'a section of no lines', path: ['edit', 1, 'lines'], value: 'title', says: /"title" 不是明细/ },
  { what: 'a page that leads to a page of another kind', path: ['pages', 0, 'edit'], value: '/x/memoxq', says: /是详情页，不是编辑页/ },
  { what: 'two prints of one name', path: ['print', 1], value: { id: 'memo', title: '又一', template: 'memo' }, says: /打印 "memo" 重复/, at: ['print', 1, 'id'] },
]; // prettier-ignore

/** The text of a file with a mistake in it, and the line where it should be told. */
export function withMistake(base: Record<string, unknown>, { path, value, at }: Mistake): { readonly text: string; readonly line: number } {
  const copy = structuredClone(base);
  let place: Record<string | number, unknown> = copy;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  place[path.at(-1) ?? ''] = value;
  const text = JSON.stringify(copy, null, 1);
  return { text, line: lineOf(copy, at ?? path) };
} // prettier-ignore

/** JSON.stringify with an indent puts every key and element on a line of its own: the marker's line is the place's. */
function lineOf(copy: Record<string, unknown>, path: readonly (string | number)[]): number {
  const marked = structuredClone(copy);
  let place: Record<string | number, unknown> = marked;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  place[path.at(-1) ?? ''] = '@@here@@';
  const text = JSON.stringify(marked, null, 1);
  return text.slice(0, text.indexOf('@@here@@')).split('\n').length;
}
