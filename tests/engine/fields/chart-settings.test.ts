import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CHART_TYPES,
  type ChartSettings,
  cleanChart,
  formatChart,
  MAX_CHART_TEXT,
  parseChart,
} from '#engine/fields/chart-settings.ts';

/** Any text of one line, with the signs that part pairs more often than chance would have them. */
const TEXT = fc
  .array(
    fc.oneof(fc.constantFrom(';', ':', '%', '%3B', '"', "'", '<', '>', '&', '--', '\\', '额'), fc.string()),
    {
      maxLength: 8,
    },
  )
  .map((parts) =>
    parts
      .join('')
      .replace(/\p{Cc}/gu, '')
      .slice(0, MAX_CHART_TEXT)
      .replace(/\p{Surrogate}/gu, ''),
  );

const SETTINGS: fc.Arbitrary<ChartSettings> = fc.record({
  chartType: fc.constantFrom(...CHART_TYPES),
  dataFormat: fc.constantFrom('row', 'column'),
  title: TEXT,
  subTitle: TEXT,
  xTitle: TEXT,
  yTitle: TEXT,
  suffix: TEXT,
  tip: TEXT,
});

it('what is written is read back, whatever the texts hold', () => {
  fc.assert(
    fc.property(SETTINGS, (settings) => {
      expect(parseChart(formatChart(settings))).toEqual(settings);
    }),
  );
});

it('what is written parts at semicolons and first colons, and sanitising leaves it alone', () => {
  fc.assert(
    fc.property(SETTINGS, (settings) => {
      const written = formatChart(settings);
      expect(written.split(';').map((pair) => pair.split(':').length)).toEqual(
        Array.from({ length: 8 }, () => 2),
      );
      expect(cleanChart(written)).toBe(written);
    }),
  );
});

it('no text makes the reader throw, and sanitising twice is sanitising once', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), TEXT), (text) => {
      const settings = parseChart(text);
      expect(CHART_TYPES).toContain(settings.chartType);
      const clean = cleanChart(text);
      expect(parseChart(clean)).toEqual(settings);
      expect(cleanChart(clean)).toBe(clean);
      expect(clean).not.toMatch(/[<>]/);
    }),
  );
});

it.each([
  ['', { chartType: 'line', dataFormat: 'column', title: '' }],
  ['chartType:5;title:出口额;suffix:万元', { chartType: 'pie', title: '出口额', suffix: '万元' }],
  [
    'title:10:30 出运;dataFormat:1;chartType:4',
    { title: '10:30 出运', dataFormat: 'row', chartType: 'column' },
  ],
  ['title:完成50%;chartType:0', { title: '完成50%', chartType: 'line' }],
  ['chartType:9;dataFormat:x;constructor:1;__proto__:2', { chartType: 'line', dataFormat: 'column' }],
  ['chartType:pie;dataFormat:row;title', { chartType: 'pie', dataFormat: 'row', title: '' }],
])('%s is read as a chart of that kind', (text, expected) =>
  expect(parseChart(text)).toMatchObject(expected),
);

it.each([
  ['chartType:1;title:出口额;suffix:万元', 'chartType:1;title:出口额;suffix:万元'],
  ['chartType:1;onload:alert(1);title:额', 'chartType:1;title:额'],
  ['chartType:javascript;title:额', 'title:额'],
  ['title:<img src=x onerror=alert(1)>', 'title:%3Cimg src=x onerror=alert(1)%3E'],
  ['title:--></title><script>', 'title:--%3E%3C/title%3E%3Cscript%3E'],
  [`title:${'长'.repeat(500)}`, `title:${'长'.repeat(100)}`],
  ['x', ''],
])('%s is stored as %s', (text, clean) => expect(cleanChart(text)).toBe(clean));
