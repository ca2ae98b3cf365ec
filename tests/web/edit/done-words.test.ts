import { expect, test } from 'vitest';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import { doneWords } from '#web/pages/actions/done-words.ts';

const RESOURCE: Resource = expandResource(
  {
    resource: 'bill',
    title: '账单',
    label: 'no',
    kind: 'document',
    fields: { no: { type: 'text', title: '编号' } },
    lifecycle: {
      initial: 'open',
      states: {
        open: { title: '待付款' },
        paying: { title: '付款中' },
        pending: { title: '待审核' },
        returned: { title: '已退汇' },
      },
      actions: {
        submit: {
          title: '提交',
          from: ['open'],
          to: 'pending',
          approval: { approved: 'open', rejected: 'open', withdrawn: 'open' },
        },
        pay: { title: '付款', from: ['open'], to: 'paying' },
        return: { title: '退汇完成', from: ['paying'], to: 'returned' },
        remind: { title: '催办', from: ['open'], to: '$same' },
        clawback: {
          title: '追回',
          from: ['paying'],
          to: '$same',
          approval: { approved: 'returned', rejected: '$same', withdrawn: '$same' },
        },
      },
    },
  },
  '',
);

function words(action: string, from: string, next: ErpRecord): string {
  const title = RESOURCE.lifecycle?.actions[action]?.title ?? '';
  return doneWords({ action, title }, { before: { status: from }, next }, RESOURCE);
}

test.each<[action: string, from: string, next: ErpRecord, said: string]>([
  ['pay', 'open', { status: 'paying' }, '“付款”已办理，现在是“付款中”'],
  ['return', 'paying', { status: 'returned' }, '“退汇完成”已办理，现在是“已退汇”'],
  ['remind', 'open', { status: 'open' }, '“催办”已办理'],
  ['submit', 'open', { status: 'pending' }, '已提交审核'],
  // Nobody has to decide: it is approved at once.
  ['clawback', 'paying', { status: 'returned' }, '“追回”已办理，现在是“已退汇”'],
  [
    'clawback',
    'paying',
    { status: 'paying', _approving: { action: 'clawback', title: '追回' } },
    '“追回”已提交审核，审核同意后生效',
  ],
  ['pay', 'open', { status: 'paying', _labels: { status: '处理中' } }, '“付款”已办理，现在是“处理中”'],
  // Who may not read the record any more gets its id alone.
  ['pay', 'open', { id: '1' }, '“付款”已办理'],
])('what is said of %s from %s is what has happened', (action, from, next, said) => {
  expect(words(action, from, next)).toBe(said);
});
