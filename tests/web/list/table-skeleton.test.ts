import { expect, test } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { skeletonBars } from '#web/pages/table/table-skeleton.tsx';

const column = (type: Field['type'], width: number) => ({
  field: { name: 'x', title: 'X', type, required: false, standard: false, computed: false } as Field,
  width,
});

test('the bars of rows that are being read stand where their text will: amounts at the right of their column', () => {
  const bars = skeletonBars([column('text', 116), column('money', 116), column('date', 116)], 36);
  expect(bars).toEqual([
    { leftPx: 44, widthPx: 70 },
    { leftPx: 36 + 116 * 2 - 8 - 50, widthPx: 50 },
    { leftPx: 36 + 116 * 2 + 8, widthPx: 60 },
  ]);
});

test('fifty columns are drawn as far as anybody sees', () => {
  const many = Array.from({ length: 50 }, () => column('text', 200));
  expect(skeletonBars(many, 0).length).toBeLessThan(20);
});
