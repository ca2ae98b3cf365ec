import { expect, it } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import type { FieldServices } from '#web/fields/field-services.ts';
import type { PickedRecord } from '#web/fields/field-view.ts';
import { makeGridModel } from '#web/fields/grid/grid-model.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import { pasteBlock } from '#web/fields/grid/paste-block.ts';
import { nameByText, recordByText } from '#web/fields/grid/pasted-names.ts';

const named = (id: string, label: string): PickedRecord => ({
  id,
  label,
  caption: [],
  fill: {},
  fillLabels: {},
  paths: {},
});
const NAMES = [
  named('freight', '运费'),
  named('items.quantity', '商品明细：数量'),
  named('items.gross_weight', '商品明细：毛重(KG)'),
  named('packs.gross_weight', '装箱明细：毛重(KG)'),
];

it.each([
  ['运费', 'freight'],
  [' 运 费* ', 'freight'],
  ['items.quantity', 'items.quantity'],
  ['商品明细:数量', 'items.quantity'],
  ['数量', 'items.quantity'],
  ['装箱明细：毛重', 'packs.gross_weight'],
])('%s names the field', (text, id) => {
  expect(nameByText(NAMES, text)).toMatchObject({ picked: { id } });
});

it('a title of two fields, and one of none, are told', () => {
  expect(nameByText(NAMES, '毛重')).toEqual({
    problem: '「毛重」可以是商品明细：毛重(KG)、装箱明细：毛重(KG)，请写全名称',
  });
  expect(nameByText(NAMES, '色号')).toEqual({ problem: '找不到「色号」，请从列表中选择' });
});

it('a pasted block takes titles over as names, and keeps the rest where one title says nothing', async () => {
  const column = (name: string, title: string, names?: Field['names']): Field => ({
    name,
    title,
    type: 'text',
    required: false,
    standard: false,
    computed: false,
    ...(names === undefined ? {} : { names }),
  });
  const columns = [column('field', '字段', 'amended'), column('new_value', '变更后')];
  const store = new LineStore({ columns });
  const model = makeGridModel({
    store,
    columns,
    dictionaries: {},
    services: {
      lookup: async () => ({ records: NAMES, total: NAMES.length }),
    } as Partial<FieldServices> as FieldServices,
    isDisabled: false,
    resource: 'change',
    lines: 'changes',
    readParent: () => ({}),
  });
  const block = [
    ['数量', '500'],
    ['色号', '红'],
    ['', '空'],
  ];
  expect(await pasteBlock(model, block, ['field', 'new_value'], 0)).toEqual({
    rows: 3,
    problems: 1,
    locked: 0,
  });
  expect(store.lines()).toMatchObject([
    { field: 'items.quantity', new_value: '500', _labels: { field: '商品明细：数量' } },
    { field: null, new_value: '红' },
    { field: null, new_value: '空' },
  ]);
  expect(store.unread()).toMatchObject([
    { index: 1, column: 'field', message: '找不到「色号」，请从列表中选择' },
  ]);
});

it('of several records of one name a pasted text names none, and says by what they are told apart', () => {
  const goods = (no: string, spec: string) => ({ ...named(no, '提花浴巾'), caption: [no, spec] });
  const records = [goods('AASP31', '70X140CM'), goods('AASP66', '80X150CM'), named('x', '茶杯')];
  expect(recordByText(records, '提花浴巾')).toEqual({
    problem: '「提花浴巾」有多个：AASP31 70X140CM、AASP66 80X150CM，请写编号或从列表中选择',
  });
  expect(recordByText(records, 'aasp66')).toMatchObject({ picked: { id: 'AASP66' } });
  expect(recordByText(records, '茶杯')).toMatchObject({ picked: { id: 'x' } });
  expect(recordByText(records, '花瓶')).toEqual({ problem: '找不到「花瓶」，请从列表中选择' });
});

/** Bolts of five sizes and a valve of eight: an answer holds two records a text, in the order of their names. */
const GOODS = [
  ...Array.from({ length: 5 }, () => '螺栓'),
  ...Array.from({ length: 8 }, () => '阀门'),
  '垫片',
].map((label, index) => named(`g${index}`, label));

it('a name whose records another name crowded out is told to be several, not taken', async () => {
  const goods: Field = {
    ...{ name: 'goods_id', title: '商品', type: 'reference', reference: 'goods' },
    ...{ required: false, standard: false, computed: false },
  };
  const store = new LineStore({ columns: [goods] });
  const lookup: FieldServices['lookup'] = (_place, { texts = [] }) => {
    const found = GOODS.filter(({ label }) => texts.includes(label));
    return Promise.resolve({ records: found.slice(0, texts.length * 2), total: found.length });
  };
  const model = makeGridModel({
    ...{ store, columns: [goods], dictionaries: {}, isDisabled: false },
    ...{
      resource: 'r',
      lines: 'l',
      readParent: () => ({}),
      services: { lookup } as Partial<FieldServices> as FieldServices,
    },
  });
  await pasteBlock(model, [['螺栓'], ['阀门'], ['垫片']], ['goods_id'], 0);
  expect(store.lines().map((line) => line['goods_id'])).toEqual([null, null, 'g13']);
  expect(store.unread()).toMatchObject([
    { index: 0, message: expect.stringContaining('「螺栓」有多个') },
    { index: 1, message: expect.stringContaining('「阀门」有多个') },
  ]);
});
