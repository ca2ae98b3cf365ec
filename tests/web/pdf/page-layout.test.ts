import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageStarts } from '#web/features/pdf/page-layout.ts';

describe('pages of a block', () => {
  it('end before the line that would be cut', () => {
    const lines = Array.from({ length: 30 }, (_, index) => ({ top: index * 30, bottom: index * 30 + 24 }));
    expect(pageStarts(900, 400, lines)).toEqual([0, 390, 780]);
    expect(pageStarts(400, 400, lines)).toEqual([0]);
  });

  it('cut what is higher than a page', () => {
    expect(pageStarts(1000, 400, [{ top: 10, bottom: 990 }])).toEqual([0, 400, 800]);
  });

  it('hold everything once, cut nothing that fits, and come to an end', () => {
    const block = fc.record({
      top: fc.integer({ min: 0, max: 4000 }),
      height: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 60 }), (blocks) => {
        const pieces = blocks.map(({ top, height }) => ({ top, bottom: top + height }));
        const starts = pageStarts(4300, 400, pieces);
        expect(starts[0]).toBe(0);
        const ends = [...starts.slice(1), 4300];
        for (const [index, start] of starts.entries()) {
          expect(ends[index]).toBeGreaterThan(start);
          expect((ends[index] ?? 0) - start).toBeLessThanOrEqual(400);
        }
      }),
    );
  });
});
