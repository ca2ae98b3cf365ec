import { describe, expect, test } from 'vitest';
import { linesOf } from '#engine/record/record-lines.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { FormStore } from '#web/pages/form/form-store.ts';
import { givenLine } from '#web/pages/form/record-changes.ts';
import { SALES_CONTEXT } from './sales-context.ts';

const CONTRACT = expandResource(
  {
    resource: 'export_contract',
    title: '外销合同',
    kind: 'document',
    label: 'contract_no',
    fields: {
      contract_no: { type: 'text', title: '合同号', readOnly: true },
      incoterm: {
        type: 'dictionary',
        title: '成交方式',
        options: { FOB: 'FOB', CIF: 'CIF' },
        required: true,
      },
      freight: { type: 'money', title: '运费', currency: 'CNY' },
      rate: { type: 'decimal', title: '系数', scale: 2, default: '1' },
      items: {
        type: 'lines',
        title: '商品明细',
        min: 1,
        fields: {
          goods_id: { type: 'reference', title: '商品', to: 'goods', fill: { unit: 'unit' } },
          unit: { type: 'text', title: '单位' },
          quantity: { type: 'decimal', title: '数量', scale: 4, required: true },
          price: { type: 'decimal', title: '单价', scale: 6 },
          amount: { type: 'money', title: '金额', currency: 'CNY', formula: 'round(quantity * price, 2)' },
          scaled: { type: 'money', title: '折算', currency: 'CNY', formula: 'amount * parent.rate' },
        },
      },
      total: { type: 'money', title: '总额', currency: 'CNY', formula: 'sum(items.amount)' },
    },
    rules: [{ when: { incoterm: { eq: 'FOB' } }, hide: ['freight'], clear: true }],
    lifecycle: { initial: 'draft', states: { draft: { title: '草稿', edit: '*' } } },
  },
  'hash',
);

const LINE_ID = '0198c0de-0000-7000-8000-000000000001';
const SAVED: ErpRecord = {
  id: '0198c0de-0000-7000-8000-000000000000',
  version: 3,
  status: 'draft',
  contract_no: 'AAWX202600001',
  incoterm: 'CIF',
  freight: '10.00',
  rate: '1.00',
  items: [{ id: LINE_ID, quantity: '2.0000', price: '3.000000', amount: '6.00', scaled: '6.00' }],
  total: '6.00',
  _editable: [
    'incoterm',
    'freight',
    'rate',
    'items',
    'items.goods_id',
    'items.unit',
    'items.quantity',
    'items.price',
  ],
};

function formOf(record: ErpRecord | null): FormStore {
  return new FormStore({
    resource: CONTRACT,
    dictionaries: {},
    context: SALES_CONTEXT,
    record,
    defer: (work) => work(),
  });
}

function firstLine(form: FormStore) {
  const lines = form.lines('items');
  const key = lines?.keyAt(0);
  if (lines === undefined || key === undefined) throw new TypeError('no line');
  return { lines, key };
}

describe('the form of a record', () => {
  test('a changed cell computes its line, then the totals of the head', () => {
    const form = formOf(SAVED);
    const { lines, key } = firstLine(form);
    lines.setCells([{ key, column: 'quantity', value: '5' }]);
    expect(lines.cell(key, 'amount').value).toBe('15.00');
    expect(lines.cell(key, 'scaled').value).toBe('15.00');
    expect(form.field('total').value).toBe('15.00');
  });

  test('a head field that lines read computes every line anew', () => {
    const form = formOf(SAVED);
    const { lines, key } = firstLine(form);
    form.set('rate', '2');
    expect(lines.cell(key, 'scaled').value).toBe('12.00');
  });

  test('a rule hides and empties a field, and says why', () => {
    const form = formOf(SAVED);
    expect(form.field('freight').isHidden).toBe(false);
    form.set('incoterm', 'FOB');
    expect(form.field('freight')).toMatchObject({ isHidden: true, value: null });
    expect(form.field('freight').reason).toContain('成交方式');
  });

  test('only what differs is sent, lines by their id, and computed fields never', () => {
    const form = formOf(SAVED);
    const { lines, key } = firstLine(form);
    form.set('freight', '12');
    lines.setCells([{ key, column: 'quantity', value: '5' }]);
    lines.append();
    const added = lines.keyAt(1) ?? '';
    lines.setCells([{ key: added, column: 'quantity', value: '1' }]);
    expect(form.changes().body).toEqual({
      freight: '12',
      items: [{ id: LINE_ID, quantity: '5' }, { quantity: '1' }],
    });
    expect(form.changes().sentKeys['items']).toEqual([key, added]);
  });

  test('a line that is put between others says in front of which it belongs', () => {
    const form = formOf(SAVED);
    const { lines } = firstLine(form);
    lines.insert(0, [{ quantity: '1' }, { quantity: '2' }]);
    lines.insert(3, [{ quantity: '3' }]);
    expect(form.changes().body).toEqual({
      items: [{ quantity: '1', _before: LINE_ID }, { quantity: '2', _before: LINE_ID }, { quantity: '3' }],
    });
  });

  test('the same number written otherwise is no change', () => {
    const form = formOf(SAVED);
    form.set('freight', '10');
    expect(form.isDirty()).toBe(false);
  });

  test('a deleted line is sent as deleted', () => {
    const form = formOf(SAVED);
    const { lines, key } = firstLine(form);
    lines.remove([key]);
    expect(form.changes().body).toEqual({ items: [{ id: LINE_ID, _delete: true }] });
    expect(form.field('total').value).not.toBe('6.00');
  });

  test('a new record starts with its defaults and is not dirty', () => {
    const form = formOf(null);
    expect(form.field('rate').value).toBe('1');
    expect(form.isDirty()).toBe(false);
    form.set('incoterm', 'CIF');
    expect(form.isDirty()).toBe(true);
    expect(form.changes().body).toMatchObject({ incoterm: 'CIF', rate: '1' });
  });

  test('an empty line is no change, is not sent and is no problem', () => {
    const form = formOf(SAVED);
    const { lines } = firstLine(form);
    lines.append(2);
    expect(form.isDirty()).toBe(false);
    const [, blank = '', typed = ''] = lines.order();
    lines.setCells([{ key: typed, column: 'quantity', value: '5' }]);
    expect(form.changes()).toMatchObject({
      body: { items: [{ quantity: '5' }] },
      sentKeys: { items: [typed] },
    });
    expect(form.check(true).filter(({ path }) => path.startsWith('items'))).toEqual([]);
    expect(lines.has(blank)).toBe(false);
    expect(lines.order()).toHaveLength(2);
  });

  test('problems stand beside their fields and cells until these change', () => {
    const form = formOf(SAVED);
    const { lines, key } = firstLine(form);
    form.set('freight', 'abc');
    lines.setCells([{ key, column: 'quantity', value: null }]);
    const problems = form.check(true);
    expect(problems.map((problem) => problem.path)).toEqual(
      expect.arrayContaining(['freight', 'items.0.quantity']),
    );
    expect(form.field('freight').problem).toContain('运费');
    expect(lines.cell(key, 'quantity').problem).not.toBeNull();
    form.set('freight', '1');
    expect(form.field('freight').problem).toBeNull();
  });

  test('picking a record fills what the schema says', () => {
    const form = formOf(SAVED);
    form.set('incoterm', 'CIF', {
      id: 'x',
      label: 'CIF',
      caption: [],
      fill: { rate: '3' },
      fillLabels: {},
      paths: { 'incoterm.x': true },
    });
    expect(form.field('rate').value).toBe('3');
    expect(form.record()['_paths']).toMatchObject({ 'incoterm.x': true });
  });

  test('what a changed reference fills is sent with it, also where it is as it was', () => {
    const form = formOf(SAVED);
    const { lines, key } = firstLine(form);
    lines.setCells([{ key, column: 'goods_id', value: 'g' }]);
    expect(form.changes().body).toEqual({ items: [{ id: LINE_ID, goods_id: 'g', unit: null }] });
  });

  test('after a save the form is clean on the new version', () => {
    const form = formOf(SAVED);
    form.set('freight', '12');
    form.saved({ ...SAVED, freight: '12.00', version: 4 });
    expect(form.isDirty()).toBe(false);
    expect(form.base()['version']).toBe(4);
  });

  test('what was typed while a save was on its way stays, over what the save made', () => {
    const form = formOf(SAVED);
    form.set('freight', '12');
    const { lines } = firstLine(form);
    const [added = ''] = lines.append();
    lines.setCells([{ key: added, column: 'quantity', value: '1' }]);
    const sent = form.sent();
    form.set('rate', '2');
    lines.setCells([{ key: added, column: 'price', value: '7' }]);
    lines.append();
    const made = '0198c0de-0000-7000-8000-000000000002';
    form.saved(
      {
        ...SAVED,
        freight: '12.00',
        version: 4,
        items: [...linesOf(SAVED, 'items'), { id: made, quantity: '1.0000' }],
      },
      sent,
    );
    expect(form.field('freight').value).toBe('12.00');
    // The line that was saved is the one that one types in, under the same key.
    expect(lines.line(added)).toMatchObject({ id: made, price: '7' });
    expect(lines.order()).toHaveLength(3);
    expect(form.changes().body).toEqual({ rate: '2', items: [{ id: made, price: '7' }, {}] });
    expect(form.base()['version']).toBe(4);
  });

  test('a merged version brings the rights of the saved one, which may have moved on', () => {
    const form = formOf(SAVED);
    const theirs = { ...SAVED, version: 4, status: 'pending', _editable: ['rate'] };
    form.restore({ ...theirs, rate: '2.00' }, theirs);
    expect(form.isOpen('freight')).toBe(false);
    expect(form.changes().body).toEqual({ rate: '2.00' });
  });

  test('a new record that is saved is changed from then on', () => {
    const form = formOf(null);
    form.set('incoterm', 'CIF');
    const sent = form.sent();
    form.set('rate', '3');
    form.saved({ ...SAVED, version: 1, items: [] }, sent);
    expect([form.isNew, form.isDirty()]).toEqual([false, true]);
    expect(form.changes().body).toEqual({ rate: '3' });
  });
});

test('a form filled from another document says so, and says what was emptied of it', () => {
  const from = { resource: 'order', id: 'o1', make: 'contract' };
  const line = (id: string): ErpRecord => ({ quantity: '2', price: '3', _from: { ...from, line: id } });
  const given = { incoterm: 'CIF', freight: '10', items: [line('a'), line('b')].map(givenLine) };
  const options = { resource: CONTRACT, dictionaries: {}, context: SALES_CONTEXT, record: null };
  const form = new FormStore({
    ...options,
    initial: given,
    source: { from, given },
    defer: (work) => work(),
  });
  const lines = form.lines('items');
  const [first = '', second = ''] = lines?.order() ?? [];
  expect(form.isDirty()).toBe(false);
  form.set('freight', null);
  lines?.setCells([{ key: first, column: 'price', value: null }]);
  lines?.remove([second]);
  expect(form.changes().body).toMatchObject({
    _from: from,
    incoterm: 'CIF',
    freight: null,
    items: [{ quantity: '2', price: null, _from: { ...from, line: 'a' } }],
  });
  lines?.remove([first]);
  expect(form.changes().body).toMatchObject({ _from: from, items: [] });
});

test('all that is wrong with one field is told: rows of a file, say', () => {
  const form = formOf(SAVED);
  const of = (message: string, level?: 'warning') => ({
    path: 'freight',
    code: 'x',
    message,
    ...(level && { level }),
  });
  form.showProblems([
    of('请核对', 'warning'),
    of('第3行：无法识别'),
    of('第4行：无法识别'),
    of('第4行：无法识别'),
  ]);
  expect(form.problems()).toEqual([of('请核对；第3行：无法识别；第4行：无法识别')]);
});

test('what reads a share of all lines on its own line follows it at once', () => {
  const receipt = expandResource(
    {
      resource: 'receipt_split',
      title: '收汇分割',
      kind: 'document',
      label: 'split_no',
      fields: {
        split_no: { type: 'text', title: '分割编号' },
        charge: { type: 'money', title: '扣费', currency: 'USD' },
        total: { type: 'money', title: '合计', currency: 'USD', formula: 'sum(lines.amount)' },
        lines: {
          type: 'lines',
          title: '分割明细',
          fields: {
            amount: { type: 'money', title: '分割金额', currency: 'USD' },
            share: {
              type: 'money',
              title: '分担扣费',
              currency: 'USD',
              formula: 'round(parent.charge * amount / parent.total, 2)',
            },
            counted: { type: 'money', title: '计入收汇', currency: 'USD', formula: 'amount + share' },
          },
        },
      },
      lifecycle: { initial: 'draft', states: { draft: { title: '草稿', edit: '*' } } },
    },
    'hash',
  );
  const form = new FormStore({
    ...{ resource: receipt, dictionaries: {}, context: SALES_CONTEXT, defer: (work) => work() },
    record: {
      ...{ id: SAVED['id'], version: 1, charge: '25.00', total: '100.00' },
      lines: [
        { id: LINE_ID, amount: '60.00', share: '15.00', counted: '75.00' },
        { id: '0198c0de-0000-7000-8000-000000000002', amount: '40.00', share: '10.00', counted: '50.00' },
      ],
      _editable: ['lines', 'lines.amount'],
    },
  });
  const lines = form.lines('lines');
  lines?.setCells([{ key: lines.keyAt(0) ?? '', column: 'amount', value: '10' }]);
  expect(linesOf(form.record(), 'lines').map(({ share, counted }) => [share, counted])).toEqual([
    ['5.00', '15.00'],
    ['20.00', '60.00'],
  ]);
});

describe('rules that read what only the server was told', () => {
  const rules = [
    {
      assert: {
        rate: {
          between: [{ '=': "total * (1 - param('DEVIATION'))" }, { '=': "total * (1 + param('DEVIATION'))" }],
        },
      },
      message: '相差过大',
      level: 'warning' as const,
    },
    { assert: { rate: { lte: '9' } }, message: '系数偏高', level: 'warning' as const },
  ];
  const formWith = (rate: string, params: Readonly<Record<string, string>>) =>
    new FormStore({
      ...{ resource: { ...CONTRACT, rules }, dictionaries: {}, defer: (work: () => void) => work() },
      ...{ context: { ...SALES_CONTEXT, params }, record: { ...SAVED, rate } },
    });

  test('are left to it: a tolerance that was not sent is no tolerance of nothing', () => {
    const broken = (rate: string, params: Readonly<Record<string, string>>) =>
      formWith(rate, params)
        .check(true)
        .filter(({ code }) => code === 'rule').length;
    expect([
      broken('6.01', {}),
      broken('6.01', { DEVIATION: '0.1' }),
      broken('7.00', { DEVIATION: '0.1' }),
    ]).toEqual([0, 0, 1]);
  });

  test('a warning is shown as one, beside its field', () => {
    const form = formWith('9.50', {});
    form.check(true);
    expect(form.field('rate')).toMatchObject({ problem: '系数偏高', isWarning: true });
    form.showProblems([{ path: 'rate', code: 'rule', message: '不对' }]);
    expect(form.field('rate')).toMatchObject({ problem: '不对', isWarning: false });
  });
});

describe('lines that follow a field of the head', () => {
  const fields = {
    wanted: { type: 'text', title: '要素', max: 200 },
    elements: {
      type: 'lines',
      title: '申报要素',
      follows: { element: "parts(wanted, ';')" },
      fields: {
        element: { type: 'text', title: '要素', max: 60 },
        value: { type: 'text', title: '内容', max: 200 },
      },
    },
  } as const;
  const resource = expandResource(
    { ...{ resource: 'goods', title: '商品', kind: 'master', label: 'wanted' }, fields },
    'hash',
  );
  const formWith = (record: ErpRecord | null) =>
    new FormStore({
      ...{ resource, record, dictionaries: {}, context: SALES_CONTEXT },
      defer: (work) => work(),
    });
  const rowsOf = (form: FormStore) =>
    linesOf(form.record(), 'elements').map(({ element, value }) => [element, value]);

  test('come with its value, keep what was typed beside the same one, and are all that is sent', () => {
    const form = formWith(null);
    form.set('wanted', '品名;材质');
    const [, second = ''] = form.lines('elements')?.order() ?? [];
    form.lines('elements')?.setCells([{ key: second, column: 'value', value: '铜' }]);
    form.set('wanted', '材质;型号');
    expect(rowsOf(form)).toEqual([
      ['材质', '铜'],
      ['型号', undefined],
    ]);
    expect(form.changes().body).toMatchObject({
      elements: [{ element: '材质', value: '铜' }, { element: '型号' }],
    });
    expect(form.states()['elements']?.fixedRows).toBe('由要素带出');
    expect(form.lines('elements')?.columnState('element').isReadOnly).toBe(true);
  });

  test("are people's own where there is nothing to follow", () => {
    const elements = [{ id: LINE_ID, element: '自填', value: '甲' }];
    const form = formWith({ id: LINE_ID, version: 1, wanted: '自填', elements });
    form.set('wanted', null);
    expect(rowsOf(form)).toEqual([['自填', '甲']]);
    expect(form.states()['elements']?.fixedRows).toBeUndefined();
  });
});
