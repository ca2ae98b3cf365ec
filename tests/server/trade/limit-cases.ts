import type { TradeExample } from './trade-example.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A limit of the shipped definitions that is not about money, and how twenty documents at once would break it. */
export interface LimitCase {
  /** Who declares it, of itself or of its lines, in a state in which it is drawn on. */
  readonly of: string;
  readonly fields: Fields;
  /** Who draws on it: documents that are written first and then brought into a state that counts. */
  readonly by: string;
  /** One such document, given the ids of the limited head and of its first line. */
  readonly draw: (head: string, line: string) => Fields;
  /** Absent: they count as soon as they are there. */
  readonly moved?: Fields;
  /** So many of the twenty fit. */
  readonly fit: number;
  readonly message: string;
}

const hundred = { items: [{ quantity: '100' }] };
const tenth = { quantity: '10' };

/** The cases, with the masters of an example. */
export function limitCases({ partner, buyer }: TradeExample['masters']): readonly LimitCase[] {
  const whose = { business_type: 'agency', partner_id: partner, buyer_id: buyer, currency: 'USD' };
  const contract = { ...whose, export_mode: 'buyout', status: 'approved', ...hundred };
  const shipment = { ...whose, status: 'approved', ...hundred };
  return [
    {
      of: 'export_contract',
      fields: contract,
      by: 'shipment',
      draw: (contract_id, contract_line) => ({ ...whose, items: [{ contract_id, contract_line, ...tenth }] }),
      moved: { status: 'approved' },
      fit: 10,
      message: '出运数量超过合同数量(含溢短装)',
    },
    {
      of: 'export_contract',
      fields: contract,
      by: 'purchase_contract',
      draw: (export_contract_id, export_line) => ({
        business_type: 'agency',
        export_contract_id,
        items: [{ export_line, ...tenth }],
      }),
      moved: { status: 'pending' },
      fit: 10,
      message: '采购数量超过外销合同数量(含溢短装)',
    },
    {
      of: 'purchase_contract',
      fields: { business_type: 'agency', status: 'signed', ...hundred },
      by: 'warehouse_entry',
      draw: (purchase_contract_id, purchase_line) => ({
        doc_type: 'in',
        purchase_contract_id,
        items: [{ purchase_line, ...tenth }],
      }),
      moved: { status: 'stored' },
      fit: 10,
      message: '进仓数量超过采购数量(含溢短装)',
    },
    {
      of: 'shipment',
      fields: shipment,
      by: 'customs_declaration',
      draw: (shipment_id, shipment_line) => ({ shipment_id, items: [{ shipment_line, ...tenth }] }),
      moved: { status: 'sent' },
      fit: 10,
      message: '报关数量与明细单数量不符',
    },
    {
      of: 'shipment',
      fields: shipment,
      by: 'goods_invoice',
      draw: (shipment_id, shipment_line) => ({
        business_type: 'agency',
        matches: [{ shipment_id, shipment_line, ...tenth }],
      }),
      moved: { status: 'matched' },
      fit: 10,
      message: '配单数量超过出运数量',
    },
    {
      of: 'shipment',
      fields: { ...whose, status: 'shipped' },
      by: 'agent_invoice_application',
      draw: (shipment_id) => ({ partner_id: partner, kind: 'fee_invoice', items: [{ shipment_id }] }),
      moved: { status: 'pending' },
      fit: 1,
      message: '该明细单已申请开票',
    },
    {
      of: 'goods_invoice',
      fields: {},
      by: 'refund_letter',
      draw: (goods_invoice_id) => ({ lines: [{ goods_invoice_id }] }),
      fit: 1,
      message: '该发票已在待复的函调中',
    },
  ];
}
