import { expect, test } from 'vitest';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { APIARIES } from './apiary.ts';
import { FERRIES } from './ferry.ts';
import { LEDGER_DEFINITIONS } from './ledger-example.ts';
import { QUARRIES } from './quarry.ts';

const EXAMPLES = [...QUARRIES, ...FERRIES, ...APIARIES, ...LEDGER_DEFINITIONS];

/** The messages over the examples with things in one of them changed. */
function faults(resource: string, changes: Readonly<Record<string, unknown>>): string[] {
  return lintDefinitions(
    EXAMPLES.map((definition) => {
      const copy: unknown = structuredClone(definition);
      if (definition.resource === resource)
        for (const [path, value] of Object.entries(changes)) put(copy, path.split('.'), value);
      return { path: `${definition.resource}.json`, text: JSON.stringify(copy) };
    }),
  ).map(({ path, message }) => `${path}: ${message}`);
}

function put(at: unknown, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof at !== 'object' || at === null) return;
  if (rest.length === 0) return void Reflect.set(at, key, value);
  if (Reflect.get(at, key) === undefined) Reflect.set(at, key, {});
  put(Reflect.get(at, key), rest, value);
}

const BEFORE = new Set(faults('', {}));
const COUNT = 'lifecycle.actions.count.then';
const DROP = 'lifecycle.actions.cancel.then.0';
const AFTER_POST = 'lifecycle.actions.post.then';
const TOP_UP = { do: 'top_up', where: { status: { eq: 'posted' } } };
const OF_ALL = { of: '*', by: 'haul_id' };
const ANY_COUNT = { of: 'crossing', by: 'harbour_id', count: true };
const REF = { type: 'reference', title: '引用' };
const ROOM = { type: 'decimal', title: '余地' };

test.each<[string, string, Readonly<Record<string, unknown>>, string]>([
  ['a number for a text', 'haul', { 'makes.bills.map': { carrier: 5 } }, '承运不能是数字 5'],
  ['a yes for a number', 'haul', { 'makes.bills.lines.rows.map': { tons: true } }, '吨数不能是 true'],
  ['a number for a day', 'haul', { [`${COUNT}.1.set`]: { seen_on: 5 } }, '最近采石不能是数字 5'],
  ['writing a formula', 'haul', { [`${COUNT}.1.set`]: { left: '5' } }, '"left" 由系统计算，不能写入'],
  ['writing a sum', 'haul', { [`${COUNT}.1.set`]: { drawn: '5' } }, '"drawn" 由系统计算，不能写入'],
  ['writing a version', 'haul', { [`${COUNT}.1.set`]: { version: '5' } }, '"version" 由系统计算，不能写入'],
  ['mapping to a formula', 'haul', { 'makes.bills.map': { total: '1' } }, '"total" 由系统计算，不能写入'],
  ['mapping to a state', 'haul', { 'makes.bills.map': { status: "'dropped'" } }, '状态由动作改变'],
  ['a document made in a ledger', 'payment', { makes: { x: { to: 'purse_entry' } } }, '流水不能由单据生成'],
  ['a change of what stands in a ledger', 'payment', { 'lifecycle.actions.pay.then': [{ of: 'purse_entry', by: 'source_id', set: { note: "'x'" } }] }, '流水不能改写'],
  ['an entry computed anew', 'purse', { then: { save: [{ of: 'purse_entry', by: 'purse_id', set: {} }] } }, '流水不能改写'],
  ['a line added to what stands in a ledger', 'purse', { then: { save: [{ of: 'purse_entry', by: 'purse_id', add: {} }] } }, '流水不能改写'],
  ['copying what fits not', 'gathering', { 'makes.jarring.same': ['total', 'keeper'], 'fields.keeper': { type: 'date', title: '日' } }, '"keeper" 在两处不同'],
  ['an unknown exception', 'haul', { 'makes.bills.same': '*', 'makes.bills.except': ['zone'] }, '未知字段 "zone"'],
  ['an exception to nothing', 'haul', { 'makes.bills.except': ['carrier'] }, '"except" 只与 "same": "*" 一起使用'],
  ['an exception to nothing in lines', 'haul', { 'makes.bills.lines.rows.except': ['tons'] }, '"except" 只与 "same": "*" 一起使用'],
  ['an unknown exception in lines', 'haul', { 'makes.notes.lines.copies.except': ['tonns'] }, '未知字段 "tonns"'],
  ['a copy of a word', 'haul', { 'makes.notes.lines.copies': { of: 'loads', same: 'tons' } }, '"same" 应为列表或 "*"'],
  ['parting what is added to a document', 'haul', { 'makes.bills.into': { carrier: { eq: '东' } }, 'makes.bills.max': 5 }, '"max" 与 "into" 不能同时使用'],
  ['parting by a field of the head', 'haul', { 'makes.bills.per': 'note' }, '"note" 不是本单据明细的一列'],
  ['an action that cannot begin', 'haul', { 'makes.bills.do': 'drop', 'makes.bills.to': 'ticket', 'makes.bills.map': {}, 'makes.bills.lines': {} }, '未知客票的动作 "drop"'],
  ['an action from a later state', 'levy', { makes: { x: { to: 'gathering', map: { keeper: 'keeper' }, do: 'finish' } } }, '生成的采蜜单在状态 draft，不能执行 finish'],
  ['a choice of states in or', 'haul', { [`${DROP}.where`]: { or: [{ status: { eq: 'dropped' } }] } }, '允许的状态 dropped 不能执行 drop'],
  ['an input of another kind', 'deposit', { [AFTER_POST]: [{ ...TOP_UP, inputs: { amount: "'x'" } }] }, '应为金额，不是文本'],
  ['an input that is missing', 'deposit', { [AFTER_POST]: [TOP_UP] }, '动作 top_up 须填写 "amount"'],
  ['a share of nothing', 'deposit', { [AFTER_POST]: [{ ...TOP_UP, take: '5', inputs: { amount: '1' } }] }, '"take" 须与 "spread" 一起使用'],
  ['a rest of nothing', 'deposit', { [AFTER_POST]: [{ ...TOP_UP, rest: '不足', inputs: { amount: '1' } }] }, '"rest" 须与 "spread" 一起使用'],
  ['a text to be shared', 'deposit', { [AFTER_POST]: [{ ...TOP_UP, spread: 'title', inputs: { amount: 'given' } }] }, '应为数字，不是文本'],
  ['a share that nobody gives', 'deposit', { [AFTER_POST]: [{ ...TOP_UP, inputs: { amount: 'given' } }] }, '未知字段 "given"'],
  ['inputs without an action', 'haul', { [DROP]: { of: 'bill', by: 'haul_id', set: {}, inputs: { a: '1' } } }, '"inputs" 只与 "do" 一起使用'],
  ['an order by nothing', 'haul', { [`${DROP}.order`]: ['-weight'] }, '未知字段 "weight"'],
  ['records tied by another reference', 'crossing', { blockers: [{ actions: ['sail'], of: 'boat', by: 'sales_id', message: '甲' }] }, '"sales_id" 不引用航次'],
  ['records that refer to others', 'quarry', { 'blockers.0.by': 'sales_id' }, '"sales_id" 不引用采石场，不能作 "by"'],
  ['keys that are never equal', 'haul', { [`${DROP}.by`]: { carrier: 'touched' } }, '文本不能与整数比较'],
  ['all documents by a reference that none has', 'haul', { [DROP]: { ...OF_ALL, by: 'hall_id', set: { remark: "'x'" } } }, '没有单据以 "hall_id" 引用采石单，是否想写 "haul_id"？'],
  ['all documents in a field that none has', 'haul', { [DROP]: { ...OF_ALL, set: { zone: "'x'" } } }, '未知字段 "zone"'],
  ['all documents in a group that none has', 'haul', { [DROP]: { ...OF_ALL, where: { status: { nin: '@fnal' } }, set: { remark: "'x'" } } }, '状态没有组 "@fnal"'],
  ['a blocker of nothing', 'quarry', { 'blockers.0': { actions: ['disable'], message: '甲' } }, '须有 "of" 或 "to"'],
  ['a blocker of two', 'quarry', { 'blockers.0.to': 'sales_id' }, '"to" 与 "of" 只能写一个'],
  ['a blocker of an approval that is none', 'quarry', { 'blockers.0.actions': ['approved'] }, '未知动作 "approved"'],
  ['a blocker that asks for no input', 'quarry', { 'blockers.0.when': { 'input.x': { null: true } } }, '未知的输入 "x"'],
  ['a blocker of what runs by itself', 'quarry', { 'blockers.0.actions': ['run_dry'] }, '"run_dry" 自动执行'],
  ['a rule at an unknown moment', 'haul', { 'rules.0.on': ['cont'] }, '未知动作 "cont"，是否想写 "count"？'],
  ['a range of texts', 'tariff', { exclude: [{ fields: ['zone'], ranges: [['name', 'zone']], message: '甲' }] }, '"name" 应为日期、时间或数字'],
  ['a range from a day to a number', 'tariff', { exclude: [{ fields: ['zone'], ranges: [['valid_from', 'surcharge']], message: '甲' }] }, '应为同类'],
  ['keys of a range that are lines', 'crossing', { exclude: [{ fields: ['cargo'], ranges: [['day', 'day']], message: '甲' }] }, '"cargo" 不是本表的列'],
  ['a range of those whose reference is such', 'crossing', { exclude: [{ fields: ['zone'], ranges: [['day', 'day']], where: { 'harbour_id.code': { eq: 'A' } }, message: '甲' }] }, '"harbour_id.code" 不是本表的列'],
  ['a path that is a number', 'meadow', { 'tree.path': 'rank' }, '"rank" 须为系统字段，类型 text'],
  ['a path that people write', 'meadow', { 'tree.path': 'name' }, '"name" 须为系统字段，类型 text'],
  ['a unique over lines', 'haul', { unique: [{ fields: ['loads'] }] }, '"loads" 不是本表的列，不能用于唯一约束'],
  ['a unique over a reference', 'crossing', { unique: [{ fields: ['harbour_id.code'] }] }, '不是本表的列，不能用于唯一约束'],
  ['a unique by what no index holds', 'haul', { unique: [{ fields: ['grade'], where: { touched: { gt: 5 } } }] }, '唯一约束的条件只能以本表字段'],
  ['a fill of another kind', 'haul', { 'fields.loads.fields.quarry_id.fill': { tons: 'name' } }, '带出的值不合字段：应为数字，不是文本'],
  ['a sum of texts', 'quarry', { 'fields.drawn.rollup.sum': 'carrier' }, '"carrier" 不是数字，不能求和'],
  ['a day kept as a number', 'harbour', { 'fields.last': { type: 'integer', title: '甲', rollup: { of: 'crossing', by: 'harbour_id', max: 'day' } } }, '应为整数，不是日期'],
  ['a count kept as a text', 'quarry', { 'fields.same_grade.type': 'text' }, '应为文本，不是数字'],
  ['a count by another reference', 'harbour', { 'fields.n': { type: 'integer', title: '甲', rollup: { ...ANY_COUNT, by: 'boat_id' } } }, '"boat_id" 不引用码头'],
  ['a count by a column of lines', 'quarry', { 'fields.n': { type: 'integer', title: '甲', rollup: { of: 'haul', by: 'loads.quarry_id', count: true } } }, '"loads.quarry_id" 不是采石单的列，不能用于汇总，请写 "of": "haul.loads" 与 "quarry_id"'],
  ['a count by a key behind a reference', 'quarry', { 'fields.n': { type: 'integer', title: '甲', rollup: { of: 'haul.loads', by: { 'quarry_id.grade': 'grade' }, count: true } } }, '"quarry_id.grade" 不是采石单的列，不能用于汇总'],
  ['a sum of what lies behind a reference', 'quarry', { 'fields.n': { ...ROOM, rollup: { of: 'haul.loads', by: 'quarry_id', sum: 'quarry_id.capacity' } } }, '"quarry_id.capacity" 不是采石单的列，不能用于汇总'],
  ['a count by keys of two kinds', 'quarry', { 'fields.same_grade.rollup.by': { grade: 'capacity' } }, '文本不能与数字比较'],
  ['something moving itself by what lies elsewhere', 'crossing', { 'lifecycle.actions.sail.auto': true, 'lifecycle.actions.sail.when': { zone: { eq: { '=': 'harbour_id.code' } } } }, '自动动作只能读本单据已保存的字段'],
  ['a change of an unknown resource', 'haul', { amendment: { of: 'quary', by: 'grade', changes: 'loads', open: 'a', close: 'b', fields: [] } }, '未知资源 "quary"，是否想写 "quarry"？'],
  ['a change by unknown actions', 'haul', { 'fields.quarry_id': { ...REF, to: 'quarry' }, amendment: { of: 'quarry', by: 'quarry_id', changes: 'loads', open: 'disabel', close: 'refill', fields: ['grad'] } }, '未知采石场的动作 "disabel"'],
  ['a change of unknown fields', 'haul', { 'fields.quarry_id': { ...REF, to: 'quarry' }, amendment: { of: 'quarry', by: 'quarry_id', changes: 'loads', open: 'disable', close: 'refill', fields: ['grad'] } }, '未知字段 "grad"'],
  ['a change that its line cannot hold', 'haul', { 'fields.quarry_id': { ...REF, to: 'quarry' }, 'fields.loads.fields.new_value': { type: 'text', title: '新', max: 5 }, amendment: { of: 'quarry', by: 'quarry_id', changes: 'loads', open: 'disable', close: 'refill', fields: ['grade'] } }, '"grade" 的内容在 "new_value" 中写不下'],
])('%s is a load error', (_name, resource, changes, message) => {
  const found = faults(resource, changes).filter((fault) => !BEFORE.has(fault));
  expect(found.join('\n')).toContain(`${resource}.json: `);
  expect(found.join('\n')).toContain(message);
}); // prettier-ignore

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['by a path back', { 'fields.loads.fields.room': { ...ROOM, formula: 'quarry_id.left' } }],
  ['by its condition', { 'fields.loads.fields.room': { ...ROOM, formula: 'parent.size + 0' }, 'fields.size': { ...ROOM, formula: 'sum(loads.quarry_id.left)' } }],
])('a sum that is over itself %s is a circle', (_name, changes) => {
  const both = EXAMPLES.map((definition) => {
    const copy: unknown = structuredClone(definition);
    if (definition.resource === 'haul') for (const [path, value] of Object.entries(changes)) put(copy, path.split('.'), value);
    if (definition.resource === 'quarry') put(copy, ['fields', 'drawn', 'rollup', 'where'], { room: { gt: '0' } });
    return { path: `${definition.resource}.json`, text: JSON.stringify(copy) };
  });
  expect(lintDefinitions(both).map(({ path, message }) => `${path}: ${message}`).join('\n')).toContain('quarry.json: 汇总循环引用：quarry.drawn → haul.loads.room');
}); // prettier-ignore
