import { expect, it } from 'vitest';
import { newTitle } from '#web/pages/edit/new-title.ts';

it.each([
  ['外销合同编辑', '新增外销合同'],
  ['预录入订单维护', '新增预录入订单'],
  ['货款发票登记', '新增货款发票'],
  ['额度申请', '新增额度申请'],
])('a new record of the page %s is %s', (page, title) => {
  expect(newTitle(page)).toBe(title);
});
