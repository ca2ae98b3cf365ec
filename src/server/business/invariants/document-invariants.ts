import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';

/** A document agrees with its contract and its partner. */
export const DOCUMENT_INVARIANTS: readonly Invariant[] = [
  {
    code: 'INV-23',
    title: '明细单的委托方、客户、币种、出口模式与业务类型同其合同，数量与单价大于零',
    of: 'shipment',
    broken: `t.status <> 'cancelled' and exists (select 1 from shipment__items l
      left join export_contract__items i on i.co_code = l.co_code and i.id = l.contract_line
      left join export_contract c on c.co_code = i.co_code and c.id = i.parent_id
      where l.co_code = t.co_code and l.parent_id = t.id
        and (l.quantity <= 0 or l.unit_price <= 0
          or (c.id is not null and (c.partner_id, c.buyer_id, c.currency, c.export_mode, c.business_type)
            is distinct from (t.partner_id, t.buyer_id, t.currency, t.export_mode, t.business_type))))`,
  },
  {
    code: 'INV-22',
    title: '自营单据没有委托方，单据与委托方同属一家公司',
    of: { withFields: ['business_type', 'partner_id', 'co_code'] },
    broken: `t.partner_id is not null and (t.business_type = 'self'
      or not exists (select 1 from partner p where p.id = t.partner_id and p.co_code = t.co_code))`,
  },
];
