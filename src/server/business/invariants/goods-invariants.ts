import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';

const SHIPPED = `('approved', 'amending', 'declared', 'shipped', 'settled')`;
const NO_PURCHASE = `('draft', 'rejected', 'void', 'terminated')`;

/** No more is bought, shipped, paid for and taken from stock than was contracted. */
export const GOODS_INVARIANTS: readonly Invariant[] = [
  {
    code: 'INV-05',
    title: '出运数量不超过合同数量(含溢短装)',
    of: 'export_contract',
    broken: `exists (select 1 from export_contract__items i where i.co_code = t.co_code and i.parent_id = t.id
      and (select coalesce(sum(l.quantity), 0) from shipment__items l join shipment s on s.id = l.parent_id and s.co_code = l.co_code
        where l.co_code = t.co_code and l.contract_line = i.id and not s.is_deleted and s.status in ${SHIPPED})
        > i.quantity * (1 + coalesce(t.more_less, 0) / 100))`,
  },
  {
    code: 'INV-06',
    title: '采购数量不超过外销合同数量(含溢短装)',
    of: 'export_contract',
    broken: `exists (select 1 from export_contract__items i where i.co_code = t.co_code and i.parent_id = t.id
      and (select coalesce(sum(l.quantity), 0) from purchase_contract__items l join purchase_contract p on p.id = l.parent_id and p.co_code = l.co_code
        where l.co_code = t.co_code and l.export_line = i.id and not p.is_deleted and p.status not in ${NO_PURCHASE})
        > i.quantity * (1 + coalesce(t.more_less, 0) / 100))`,
  },
  {
    code: 'INV-06',
    title: '采购合同的付款、回票与冲抵不超过允许金额',
    of: 'purchase_contract',
    params: ['PAY_TOLERANCE', 'QTY_TOLERANCE'],
    broken: `coalesce(t.advance_paid, 0) + coalesce(t.goods_paid, 0) - coalesce(t.supplier_refunded, 0) > t.total_amount * (1 + $2::numeric)
      or coalesce(t.invoiced_total, 0) > t.total_amount * (1 + $3::numeric)
      or coalesce(t.advance_offset, 0) > coalesce(t.advance_paid, 0)`,
  },
  {
    code: 'INV-06',
    title: '采购合同行的出运数量不超过采购数量(含溢短装)',
    of: 'purchase_contract',
    params: ['QTY_TOLERANCE'],
    broken: `exists (select 1 from purchase_contract__items i where i.co_code = t.co_code and i.parent_id = t.id
      and (select coalesce(sum(l.quantity), 0) from shipment__items l join shipment s on s.id = l.parent_id and s.co_code = l.co_code
        where l.co_code = t.co_code and l.purchase_line = i.id and not s.is_deleted and s.status in ${SHIPPED})
        > i.quantity * (1 + $2::numeric))`,
  },
  {
    code: 'INV-07',
    title: '采购合同行的库存等于进仓减出仓与退仓，不为负',
    of: 'purchase_contract',
    broken: `exists (select 1 from purchase_contract__items i
      cross join lateral (select coalesce(sum(case when e.doc_type <> 'in' then -l.quantity when e.status = 'stored' then l.quantity end), 0) as left_over
        from warehouse_entry__items l join warehouse_entry e on e.id = l.parent_id and e.co_code = l.co_code
        where l.co_code = t.co_code and l.stock_line = i.id and not e.is_deleted and e.status in ('pending', 'stored', 'issued')) s
      where i.co_code = t.co_code and i.parent_id = t.id and (s.left_over < 0 or s.left_over <> coalesce(i.stock, 0)))`,
  },
];
