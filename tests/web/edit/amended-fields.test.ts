import { expect, test } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import { openForAmendment, proposedRecord } from '#web/pages/actions/amended-fields.ts';
import { conflictsOf, defaultSide } from '#web/pages/form/merge-versions.ts';

const proposes = { 'items.approved': 'asked', note: 'remark' };

test('empty fields and cells of an amendment begin with what stands beside them, filled ones stay', () => {
  const record = {
    note: '',
    remark: '按申请',
    items: [
      { id: 'a', asked: '13.00', approved: null },
      { id: 'b', asked: '9.00', approved: '0.00' },
      { id: 'c', asked: null },
    ],
  };
  expect(proposedRecord(record, proposes)).toEqual({
    note: '按申请',
    remark: '按申请',
    items: [
      { id: 'a', asked: '13.00', approved: '13.00' },
      { id: 'b', asked: '9.00', approved: '0.00' },
      { id: 'c', asked: null },
    ],
  });
});

test('nothing is proposed where nothing is empty', () => {
  expect(proposedRecord({ note: 'x', items: [{ asked: '1.00', approved: '2.00' }] }, proposes)).toBeNull();
  expect(proposedRecord({ items: [] }, {})).toBeNull();
});

test('an amendment that meets a newer version keeps what it opens, and nothing else', () => {
  const fields = {
    name: { type: 'text', title: '名称' },
    place: { type: 'text', title: '地点' },
    items: { type: 'lines', title: '明细', fields: { quantity: { type: 'decimal', title: '数量' } } },
  } as const;
  const note = expandResource(
    { resource: 'note', title: '便签', kind: 'master', label: 'name', fields },
    'hash',
  );
  const saved = (quantity: string) => ({ place: 'x', items: [{ id: 'l1', quantity }] });
  const base = { ...saved('1'), name: 'a' };
  const mine = { ...saved('2'), name: 'mine', place: 'y' };
  // In a state without edit the server opens nothing.
  const refused = { ...saved('3'), name: 'theirs', version: 2, _editable: [] };
  const theirs = openForAmendment(note, refused, ['name', 'items']);
  const sides = conflictsOf(note, { base, mine, theirs }).map((one) => [one.path, defaultSide(one)]);
  expect(Object.fromEntries(sides)).toEqual({ name: 'mine', 'items.l1.quantity': 'mine', place: 'theirs' });
});
