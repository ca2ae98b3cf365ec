import { expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { gatheredTexts, placedText } from '#web/pages/form/problem-text.ts';

const RESOURCE = {
  fields: {
    vessel: expandField('vessel', { type: 'text', title: '船名' }),
    items: expandField('items', {
      type: 'lines',
      title: '商品明细',
      fields: { price: { type: 'decimal', title: '单价' } },
    }),
  },
};

it.each([
  ['vessel', '不能为空', '船名：不能为空'],
  ['vessel', '请填写船名', '请填写船名'],
  ['items.2.price', '应为数字', '商品明细第3行：单价：应为数字'],
  ['items', '请添加商品明细', '请添加商品明细'],
  ['items.1', '重复', '商品明细第2行：重复'],
  ['elsewhere', '单据已锁定', '单据已锁定'],
])('a problem at %s says where it is when no form stands around it', (path, message, said) => {
  expect(placedText(RESOURCE, { path, code: 'rule', message })).toBe(said);
});

it('what many lines have in common is said once, with their numbers, and leads to the first', () => {
  const low = (line: number) => ({ path: `items.${line}.price`, code: 'rule', message: '单价低于成本' });
  const late = { path: 'vessel', code: 'rule', message: '船名与订舱不同' };
  expect(gatheredTexts(RESOURCE, [low(0), late, low(2)])).toEqual([
    { path: 'items.0.price', text: '商品明细第1、3行：单价低于成本' },
    { path: 'vessel', text: '船名与订舱不同' },
  ]);
  const spoken = (line: number) => ({ path: 'items', code: 'rule', message: `第${line}行：没有关联关系` });
  expect(gatheredTexts(RESOURCE, [spoken(1), spoken(2)])).toEqual([
    { path: 'items.0', text: '商品明细第1、2行：没有关联关系' },
  ]);
  const [many] = gatheredTexts(
    RESOURCE,
    Array.from({ length: 40 }, (_, line) => low(line)),
  );
  expect(many?.text).toBe('商品明细第1、2、3、4、5等40行：单价低于成本');
});
