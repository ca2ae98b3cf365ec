import { expect, it } from 'vitest';
import { isRecordNumber } from '#web/app/tab-title.ts';

it.each([
  ['AAWX202600019', true],
  ['AAGL000018', true],
  ['外销合同编辑', false],
  ['AAWX202600019 外销合同', false],
  ['OAKRIDGE SUPPLY CO.', false],
])('a tab called %s is cut at its beginning: %s', (title, isCut) => {
  expect(isRecordNumber(title)).toBe(isCut);
});
