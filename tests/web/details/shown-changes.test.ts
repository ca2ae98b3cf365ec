import { expect, it } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import { shownChanges } from '#web/pages/details/history-row.ts';

const ORDER = expandResource(
  {
    resource: 'order',
    title: '订单',
    kind: 'master',
    label: 'name',
    fields: {
      name: { type: 'text', title: '名称' },
      total: { type: 'decimal', title: '合计', formula: 'sum(items.quantity)' },
      items: {
        type: 'lines',
        title: '明细',
        fields: {
          quantity: { type: 'decimal', title: '数量' },
          double: { type: 'decimal', title: '两倍', formula: 'quantity * 2' },
        },
      },
    },
  },
  'hash',
);

it('what somebody wrote is told apart from what follows from it', () => {
  const record = { id: 'r', items: [{ id: 'l', quantity: '3', double: '6' }] };
  const change = (field: string) => ({ field, title: field, old: '1', new: '3' });
  const changes = ['name', 'total', 'items.l.quantity', 'items.l.double', 'items.l'].map(change);
  const shown = shownChanges({ changes }, { resource: ORDER, record, dictionaries: {}, names: new Map() });
  expect(shown.map(({ place, isDerived }) => [place, isDerived])).toEqual([
    ['name', false],
    ['total', true],
    ['明细第1行 数量', false],
    ['明细第1行 两倍', true],
    ['明细第1行', false],
  ]);
});
