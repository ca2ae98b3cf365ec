import { expect, it } from 'vitest';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { copiedValues } from '#web/pages/edit/copied-values.ts';
import { shipped } from '../../resources/shipped-definitions.ts';

it('copies what was written, not what was shipped since or who it was', () => {
  const line = {
    id: 'l1',
    line_order: 0,
    spec: 'A4',
    quantity: '10',
    shipped_quantity: '8',
    _labels: { unit: '件' },
  };
  const from: ErpRecord = {
    id: '1',
    contract_no: 'AAWX1',
    sign_place: '宁波',
    shipped_total: '80',
    items: [line],
  };
  const copied = copiedValues(shipped('export_contract'), from);
  expect(copied).toMatchObject({
    sign_place: '宁波',
    items: [{ spec: 'A4', quantity: '10', _labels: { unit: '件' } }],
  });
  expect(JSON.stringify(copied)).not.toMatch(/shipped|AAWX1|"id"|line_order/);
});
