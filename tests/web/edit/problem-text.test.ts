import { expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { placedText } from '#web/pages/form/problem-text.ts';

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
  ['elsewhere', '单据已锁定', '单据已锁定'],
])('a problem at %s says where it is when no form stands around it', (path, message, said) => {
  expect(placedText(RESOURCE, { path, code: 'rule', message })).toBe(said);
});
