import { expect, test, vi } from 'vitest';
import type { MessageInstance } from 'antd/es/message/interface';
import { HttpFault } from '#web/data/http.ts';
import { faultText, showFault } from '#web/data/show-fault.ts';

function shown(error: unknown): readonly unknown[][] {
  const message = { error: vi.fn() };
  showFault(message as unknown as MessageInstance, error, '没有保存');
  return message.error.mock.calls;
}

/** One message of these words at a time. */
const told = (text: string): readonly unknown[] => [{ content: text, key: text, duration: 4 }];

test('a fault is shown once for four seconds in its own words', () => {
  expect(shown(new HttpFault('余额不足', {}))).toEqual([told('余额不足')]);
  expect(shown(new TypeError('此处不能上传文件'))).toEqual([told('此处不能上传文件')]);
});

test('HTTP 502 shows nothing', () => {
  expect(shown(new HttpFault('', { statusCode: 502 }))).toEqual([]);
});

test.each([
  new TypeError('Failed to fetch'),
  new DOMException('The operation was aborted.'),
  'text',
  null,
  undefined,
])('the English of a browser is never shown: %s', (error) =>
  expect(shown(error)).toEqual([told('没有保存')]),
);

test.each([
  [new HttpFault('余额不足', {}), '余额不足'],
  [new HttpFault('', { statusCode: 502 }), '列表没有读到'],
  [new TypeError('Failed to fetch'), '列表没有读到'],
  [null, '列表没有读到'],
])('what stands in a page is never empty and never English: %s', (error, text) => {
  expect(faultText(error, '列表没有读到')).toBe(text);
});
