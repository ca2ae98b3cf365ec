import { describe, expect, it } from 'vitest';
import { withoutOwner } from '#engine/schema/partners-words.ts';
import type { HistoryRow } from '#web/pages/details/history-row.ts';
import { partiesOf } from '#web/pages/details/parties-of.ts';
import { timelineSteps } from '#web/pages/details/timeline-steps.ts';
import { shipped } from '../../resources/shipped-definitions.ts';

const contract = shipped('export_contract');

function row(action: string, from: string | null, to: string, at: string): HistoryRow {
  return {
    id: at,
    at,
    action,
    from_status: from,
    to_status: to,
    person_name: '周明',
    opinion: null,
    changes: [],
  };
}

/** The newest first, as the server tells them. */
const HISTORY = [
  row('update', 'pending', 'pending', '2026-11-17T05:00:00Z'),
  row('submit', 'draft', 'pending', '2026-11-17T04:38:00Z'),
  row('create', null, 'draft', '2026-11-17T04:16:00Z'),
];
const NOW = '2026-11-26T04:38:00Z';

describe('the way of a record', () => {
  it('is its states, each with how long it stood there; the last one is where it stands now', () => {
    const steps = timelineSteps(contract, { status: 'pending' }, HISTORY, NOW);
    expect(steps.map(({ title, stood, isNow }) => [title, stood, isNow])).toEqual([
      ['草稿', '22 分钟', false],
      ['待审核', '9 天', true],
    ]);
    expect(steps[1]?.way).toBe('提交 → 待审核');
  });

  it('ends in the state of the record also where no step of its own led there', () => {
    const steps = timelineSteps(contract, { status: 'void' }, HISTORY, NOW);
    expect(steps.map(({ title, isNow }) => [title, isNow])).toEqual([
      ['草稿', false],
      ['待审核', false],
      ['已作废', true],
    ]);
    expect(steps[1]?.stood).toBe('');
  });
});

describe('the head of a document', () => {
  it('says with whom it is: parties that are filled and readable, two at most', () => {
    const _labels = { partner_id: '宁波恒禾制衣有限公司', buyer_id: 'OAKRIDGE SUPPLY INC.' };
    const record = { partner_id: 'p', buyer_id: 'b', relation_id: 'r', _labels };
    expect(partiesOf(contract, record).map(({ name }) => name)).toEqual(['partner_id', 'buyer_id']);
    expect(partiesOf(contract, { ...record, _labels: {} })).toEqual([]);
    expect(partiesOf(shipped('supplier'), record)).toEqual([]);
    const customers = withoutOwner(contract, 'partner_id');
    expect(partiesOf(customers, record).map(({ name }) => name)).toEqual(['buyer_id']);
  });
});
