import { describe, expect, it } from 'vitest';
import type { Scope } from '#engine/filter/scope.ts';
import { fieldStates } from '#engine/record/field-states.ts';
import { withFollowedLines } from '#engine/record/followed-lines.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { SALES_CONTEXT } from '../../web/edit/sales-context.ts';

const GOODS = expandResource(
  {
    resource: 'goods',
    title: '商品',
    kind: 'master',
    label: 'name',
    fields: {
      name: { type: 'text', title: '品名', max: 20 },
      wanted: { type: 'text', title: '要素', max: 200 },
      elements: {
        type: 'lines',
        title: '申报要素',
        follows: { element: "parts(wanted, ';')", seq: "places(parts(wanted, ';'))" },
        fields: {
          seq: { type: 'integer', title: '序号' },
          element: { type: 'text', title: '要素', max: 60, required: true },
          value: { type: 'text', title: '内容', max: 200 },
          unit: { type: 'text', title: '单位', max: 10, default: '无' },
        },
      },
    },
  },
  'hash',
);

function scopeOf(record: ErpRecord): Scope {
  const catalog = { resources: { goods: GOODS }, dictionaries: {}, roles: {}, menu: [] };
  return { resource: GOODS, catalog, context: SALES_CONTEXT, record };
}

const followed = (record: ErpRecord, isByPlace = false): ErpRecord =>
  withFollowedLines(GOODS, record, scopeOf(record), { isWanted: () => true, isByPlace });

describe('lines that follow columns of values', () => {
  it('are one for each value, with the defaults of new lines', () => {
    expect(followed({ wanted: '品名；材质', elements: [] })['elements']).toEqual([
      { element: '品名', seq: 1, unit: '无' },
      { element: '材质', seq: 2, unit: '无' },
    ]);
  });

  it('keep what stands beside a value that stays, in its new place', () => {
    const record = {
      wanted: '材质;型号',
      elements: [
        { id: 'a', seq: 1, element: '品名', value: '阀门' },
        { id: 'b', seq: 2, element: '材质', value: '铜' },
      ],
    };
    expect(followed(record)['elements']).toEqual([
      { id: 'b', seq: 1, element: '材质', value: '铜' },
      { element: '型号', seq: 2, unit: '无' },
    ]);
  });

  it('take the value of their place where they come of a former text', () => {
    const elements = [
      { id: 'a', value: '阀门' },
      { id: 'b', value: '铜' },
    ];
    expect(followed({ wanted: '品名;材质', elements }, true)['elements']).toEqual([
      { id: 'a', seq: 1, element: '品名', value: '阀门' },
      { id: 'b', seq: 2, element: '材质', value: '铜' },
    ]);
    expect(followed({ wanted: '品名', elements })['elements']).toEqual([
      { element: '品名', seq: 1, unit: '无' },
    ]);
  });

  it('pass over a value that is empty or comes again', () => {
    const lines = followed({ wanted: '品名;;品名;材质', elements: [] })['elements'];
    expect(lines).toMatchObject([{ element: '品名' }, { element: '材质' }]);
  });

  it('stay the same record where nothing differs, and as they are where there is nothing to follow', () => {
    const same = { wanted: '品名', elements: [{ id: 'a', seq: 1, element: '品名' }] };
    expect(followed(same)).toBe(same);
    const own = { wanted: null, elements: [{ element: '自填' }] };
    expect(followed(own)).toBe(own);
  });

  it('are closed to people as far as they follow', () => {
    const record = { wanted: '品名', elements: [] };
    const states = fieldStates(GOODS, record, scopeOf(record));
    expect(states['elements']).toEqual({ fixedRows: '由要素带出' });
    expect(states['elements.element']).toEqual({ required: '必填', readOnly: '由要素带出' });
    expect(states['elements.value']).toBeUndefined();
    const free = { wanted: null, elements: [] };
    expect(fieldStates(GOODS, free, scopeOf(free))['elements']).toBeUndefined();
  });
});
