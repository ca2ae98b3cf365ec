import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatNumber,
  numberFields,
  numberScopeKey,
  numberTokens,
} from '#engine/numbering/number-pattern.ts';

const PATTERNS = [
  '{co}WX{yyyy}{seq:5}',
  '{co}PZ{yyyy}{mm}{seq:5}',
  '{co}JH{yyyy}W{ww}{seq:2}',
  '{co}WT{seq:5}',
] as const;
const dates = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const companies = fc.constantFrom('AA', 'AE', 'Ak');

describe('number patterns', () => {
  it('write company, year and a padded sequence', () => {
    expect(formatNumber('{co}WX{yyyy}{seq:5}', { co: 'AA', date: '2026-03-31', sequence: 7 })).toBe(
      'AAWX202600007',
    );
  });

  it('write month and ISO week', () => {
    expect(formatNumber('{co}PZ{yyyy}{mm}{seq:5}', { co: 'AA', date: '2026-03-31', sequence: 12 })).toBe(
      'AAPZ20260300012',
    );
    expect(formatNumber('{co}JH{yyyy}W{ww}{seq:2}', { co: 'AA', date: '2026-03-31', sequence: 1 })).toBe(
      'AAJH2026W1401',
    );
  });

  it('write a sequence longer than its width out in full', () => {
    expect(formatNumber('{co}{seq:2}', { co: 'AA', date: '2026-01-01', sequence: 100 })).toBe('AA100');
  });

  it('take the text of a field', () => {
    expect(
      formatNumber('{co}{kind}{seq:2}', { co: 'AA', date: '2026-01-01', sequence: 1, fields: { kind: 'X' } }),
    ).toBe('AAX01');
    expect(numberFields('{co}{kind}{seq:2}')).toEqual(['kind']);
  });

  it.each(['{seq}', '{co', 'WX}', '{seq:0}', '{Yyyy}'])(
    'are refused when a token is wrong: %s',
    (pattern) => {
      expect(numberTokens(pattern)).toBeNull();
    },
  );

  it('never give two drawn numbers of a company the same text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PATTERNS),
        companies,
        fc.array(dates, { maxLength: 60 }),
        (pattern, co, days) => {
          const counters = new Map<string, number>();
          const numbers = days.map((date) => {
            const key = numberScopeKey(pattern, { co, date });
            const sequence = (counters.get(key) ?? 0) + 1;
            counters.set(key, sequence);
            return formatNumber(pattern, { co, date, sequence });
          });
          expect(new Set(numbers).size).toBe(numbers.length);
        },
      ),
    );
  });

  it('grow within their scope as long as the sequence fits', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PATTERNS),
        dates,
        fc.integer({ min: 1, max: 98 }),
        (pattern, date, sequence) => {
          const first = formatNumber(pattern, { co: 'AA', date, sequence });
          expect(first < formatNumber(pattern, { co: 'AA', date, sequence: sequence + 1 })).toBe(true);
        },
      ),
    );
  });

  it('start again with each year, month or week that the pattern names, and only then', () => {
    expect(key('{co}WX{yyyy}{seq:5}', '2026-12-31')).not.toBe(key('{co}WX{yyyy}{seq:5}', '2027-01-01'));
    expect(key('{co}WX{yyyy}{seq:5}', '2026-01-01')).toBe(key('{co}WX{yyyy}{seq:5}', '2026-12-31'));
    expect(key('{co}PZ{yyyy}{mm}{seq:5}', '2026-03-31')).not.toBe(
      key('{co}PZ{yyyy}{mm}{seq:5}', '2026-04-01'),
    );
    expect(key('{co}WT{seq:5}', '2026-03-31')).toBe(key('{co}WT{seq:5}', '2030-01-01'));
  });
});

function key(pattern: string, date: string): string {
  return numberScopeKey(pattern, { co: 'AA', date });
}
