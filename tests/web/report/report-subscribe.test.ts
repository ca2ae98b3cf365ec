import { expect, test } from 'vitest';
import { subscriptionCalls } from '#web/pages/report/report-subscribe.tsx';

test.each([
  ['nothing before, wanted', null, true, ['create']],
  ['nothing before, not wanted', null, false, []],
  ['one that comes, wanted otherwise: never without one in between', { ended: null }, true, ['change']],
  ['one that comes, no longer wanted', { ended: null }, false, ['delete']],
  ['one that has ended, wanted again', { ended: '人员已离职' }, true, ['delete', 'create']],
] as const)('a subscription of a report: %s', (_, known, isWanted, calls) => {
  expect(subscriptionCalls(known, isWanted)).toEqual(calls);
});
