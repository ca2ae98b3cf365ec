import { expect, it } from 'vitest';
import { judgedProblems } from '#web/pages/form/judged-problems.ts';

const rule = (path: string, message: string) => ({ path, code: 'rule', message });
const AGREEMENT = rule('partner_id', '没有该出口模式的生效合作协议');

it('a rule over a record that only the server finds is judged by the server', () => {
  const unread = { path: 'items.0.price', code: 'unread', message: '无法识别' };
  expect(judgedProblems([AGREEMENT, unread], { problems: [], submitProblems: [] })).toEqual([unread]);
});

it('what the server says too stays once, and what only it knows comes with it', () => {
  const rate = { path: 'rate', code: 'required', message: '请填写费率' };
  const hint = { ...rule('items', '单价偏低'), level: 'warning' as const };
  expect(judgedProblems([AGREEMENT], { problems: [hint], submitProblems: [AGREEMENT, rate] })).toEqual([
    AGREEMENT,
    rate,
  ]);
});
