import { expect, it } from 'vitest';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { copiedValues } from '#engine/record/copied-values.ts';
import { partyField, repeatedValues, typedBeside } from '#web/pages/edit/copied-values.ts';
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
    buyer_po: 'PO-1',
    shipped_total: '80',
    items: [line],
  };
  const copied = copiedValues(shipped('export_contract'), from);
  expect(copied).toMatchObject({
    sign_place: '宁波',
    items: [{ spec: 'A4', quantity: '10', _labels: { unit: '件' } }],
  });
  expect(JSON.stringify(copied)).not.toMatch(/shipped|AAWX1|PO-1|"id"|line_order/);
});

it('does as last time with the same party, and leaves what is typed and the dates of today', () => {
  const contract = shipped('export_contract');
  expect(partyField(contract)?.name).toBe('buyer_id');
  const before: ErpRecord = {
    id: '1',
    buyer_id: 'b1',
    incoterm: 'CIF',
    buyer_po: 'PO-1',
    sign_date: '2026-01-02',
    latest_shipment: '2026-02-01',
    items: [{ id: 'l1', spec: 'A4' }],
    _labels: { incoterm: 'CIF', buyer_id: 'Old name' },
  };
  const start: ErpRecord = { sign_date: '2026-11-20', currency: 'USD', items: [] };
  const typed: ErpRecord = { ...start, buyer_id: 'b1', buyer_po: 'PO-2', _labels: { buyer_id: 'Name' } };
  expect(repeatedValues(contract, before, { start, typed, isMade: false })).toMatchObject({
    buyer_id: 'b1',
    incoterm: 'CIF',
    buyer_po: 'PO-2',
    sign_date: '2026-11-20',
    latest_shipment: undefined,
    items: [{ spec: 'A4' }],
    _labels: { incoterm: 'CIF', buyer_id: 'Name' },
  });
});

it('leaves what another document has filled: the source, its terms and its lines', () => {
  const purchase = shipped('purchase_contract');
  const start: ErpRecord = {
    export_contract_id: 'c1',
    supplier_id: 's1',
    quality_terms: null,
    items: [{ spec: 'A4' }],
  };
  const before: ErpRecord = {
    id: '1',
    export_contract_id: 'c0',
    supplier_id: 's1',
    quality_terms: '按样品',
    items: [{ id: 'l1', spec: 'OLD' }],
  };
  expect(repeatedValues(purchase, before, { start, typed: { ...start }, isMade: true })).toMatchObject({
    export_contract_id: 'c1',
    quality_terms: '按样品',
    items: [{ spec: 'A4' }],
  });
});

it('keeps what was typed beside the document that a form is begun again from, not what picking that filled', () => {
  const declaration = shipped('customs_declaration');
  const start: ErpRecord = { declare_date: '2026-11-20', levy_nature: '101', items: [] };
  const typed: ErpRecord = {
    ...start,
    shipment_id: 's1',
    consignee: 'Filled by the shipment',
    declare_date: '2026-11-19',
    exit_customs_id: 'p1',
    broker_id: 'b1',
    fob_usd: '1.00',
    items: [{ item_no: 1 }],
    _labels: { shipment_id: 'AAMX1', exit_customs_id: '宁波海关' },
  };
  const filled: ErpRecord = { declare_date: '2026-11-20', broker_id: 'b2', exit_customs_id: null };
  expect(typedBeside(declaration, 'shipment_id', { start, typed, filled })).toEqual({
    declare_date: '2026-11-19',
    exit_customs_id: 'p1',
    _labels: { declare_date: undefined, exit_customs_id: '宁波海关' },
  });
});
