import { expect, it } from 'vitest';
import { ALL_PARTS, partChosen, withPart } from '#web/pages/list/list-part.ts';

const OTHERS = { entry_no: { contains: 'JC' } };

it('a tab is the filter of its kind, beside the other conditions', () => {
  const out = withPart(OTHERS, 'doc_type', 'out');
  expect(out).toEqual({ ...OTHERS, doc_type: { in: ['out'] } });
  expect(partChosen(out, 'doc_type')).toBe('out');
  expect(withPart(out, 'doc_type', ALL_PARTS)).toEqual(OTHERS);
});

it('no tab is chosen where several kinds are asked for', () => {
  expect(partChosen({ doc_type: { in: ['in', 'out'] } }, 'doc_type')).toBeNull();
  expect(partChosen({ doc_type: { eq: 'in' } }, 'doc_type')).toBe('in');
  expect(partChosen(OTHERS, 'doc_type')).toBe(ALL_PARTS);
});
