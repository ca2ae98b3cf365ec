import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { compilePattern } from '#engine/values/linear-pattern.ts';
import { fitsPattern } from '#engine/values/patterns.ts';

it('a pattern that would take V8 for ever is judged in time linear in the text', () => {
  const text = `${'a'.repeat(4_000)}!`;
  const startMs = performance.now();
  expect(fitsPattern('^(a+)+$', text)).toBe(false);
  expect(fitsPattern('^(a|aa)+$', text)).toBe(false);
  // Exponential time would not end within the life of this process; no limit closer than that is meant.
  expect(performance.now() - startMs).toBeLessThan(20_000);
});

it.each<[string, string, boolean]>([
  ['^\\d{8}(\\d{2})?$', '8481804090', true],
  ['^\\d{8}(\\d{2})?$', '848180409', false],
  ['^[\\x20-\\x7E]+$', 'Ningbo, China', true],
  ['^[\\x20-\\x7E]+$', '宁波', false],
  ['^[\\u4e00-\\u9fa5]{2,4}$', '李明', true],
  ['^[^\\s\\p{Z}]+$', '全角　空格', false],
  ['^/', '/customer/goods', true],
])('%s judges %s as %s', (pattern, text, fits) => {
  expect(fitsPattern(pattern, text)).toBe(fits);
});

it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(', '[z-a]'])('%s is refused', (pattern) => {
  expect(() => compilePattern(pattern)).toThrow(/./);
});
