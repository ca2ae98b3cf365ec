import { expect, test } from 'vitest';
import { proposedRecord } from '#web/pages/actions/amended-fields.ts';

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
