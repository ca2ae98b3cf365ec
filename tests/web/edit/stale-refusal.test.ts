import { expect, test } from 'vitest';
import { HttpFault } from '#web/data/http.ts';
import { isStale, refusalOf } from '#web/pages/form/shown-error.ts';

test.each([
  [409, true],
  [404, true],
  [400, false],
  [403, true],
  [0, false],
])('a refusal with %i says that what is shown is no longer so: %s', (statusCode, isSo) => {
  expect(isStale(refusalOf(new HttpFault('任务已处理', { statusCode })))).toBe(isSo);
});

test('what is no refused call says nothing of it', () => {
  expect(isStale(refusalOf(new TypeError('x')))).toBe(false);
});
