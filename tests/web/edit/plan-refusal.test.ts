import { expect, it } from 'vitest';
import type { Plan } from '#contract/plan.ts';
import { refusalOfPlan } from '#web/pages/plan/plan-refusal.ts';

const PLAN: Plan = {
  isRefused: true,
  problems: [],
  limits: [],
  moved: [],
  made: [],
  changed: [],
  entries: [],
  holds: [],
  vouchers: [],
  unseen: { moved: 0, made: 0, changed: 0, entries: 0, holds: 0, vouchers: 0, limits: 0 },
  next: null,
};
const MISSING = { path: 'inputs.bank', code: 'required', message: '请填写银行' };
const BLOCKED = { path: 'amount', code: 'rule', message: '金额超出' };
const WARNED = { path: 'amount', code: 'rule', message: '金额较大', level: 'warning' as const };

const refusal = (problems: Plan['problems'], given: Partial<Plan> = {}, isAsking = false) =>
  refusalOfPlan(
    { plan: { ...PLAN, problems, ...given }, fault: null, isAsking },
    (path) => path === 'inputs.bank',
  );

it('closes the button of an action that would be refused, with the reason', () => {
  expect(refusal([WARNED, MISSING, BLOCKED])).toBe('金额超出');
});

it('leaves the button open while an input is missing, a new answer is on its way, or nothing refuses', () => {
  expect(refusal([MISSING])).toBeNull();
  expect(refusal([BLOCKED], {}, true)).toBeNull();
  expect(refusal([WARNED], { isRefused: false })).toBeNull();
  expect(refusalOfPlan({ plan: null, fault: '没有读到', isAsking: false }, () => false)).toBeNull();
});
