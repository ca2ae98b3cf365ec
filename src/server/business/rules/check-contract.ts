import type { FieldProblem } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals } from '#engine/values/decimal.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, decimalOf, linesIn, textOf } from './rule-values.ts';

/** Agency business needs an agreement in force on the date of the document, for its export mode. */
export async function checkContractAgreement(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const partner = textOf(record, 'partner_id');
  if (record['business_type'] === 'self' || partner === null) return [];
  const date = textOf(record, 'sign_date') ?? textOf(record, 'order_date') ?? call.caller.context.today;
  const mode = textOf(record, 'export_mode');
  const [row] = await call.tx.query(
    `select 1 from cooperation_agreement
     where co_code = $1 and partner_id = $2::uuid and not is_deleted and status in ('effective', 'expiring')
       and start_date <= $3::date and end_date >= $3::date and ($4::text is null or export_mode = $4)
     limit 1`,
    [companyOf(call), partner, date, mode],
  );
  return row === undefined
    ? [{ path: 'partner_id', code: 'no_agreement', message: `委托方在 ${date} 没有生效中的合作协议` }]
    : [];
}

/** Every supplier and goods of the lines has an approved, unexpired relation with this buyer (and partner). */
export async function checkContractRelation(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const lines = linesIn(record, 'items');
  const buyer = textOf(record, 'buyer_id');
  if (lines.length === 0 || buyer === null) return [];
  const rows = await call.tx.query<{ supplier_id: string; goods_id: string }>(
    `select r.supplier_id, g.goods_id from relation r join relation__goods_lines g on g.parent_id = r.id and g.co_code = r.co_code
     where r.co_code = $1 and r.buyer_id = $2::uuid and r.partner_id is not distinct from $3::uuid
       and r.status = 'active' and not r.is_deleted and (r.valid_to is null or r.valid_to >= $4::date)`,
    [
      companyOf(call),
      buyer,
      record['business_type'] === 'self' ? null : textOf(record, 'partner_id'),
      call.caller.context.today,
    ],
  );
  const related = new Set(rows.map((row) => `${row.supplier_id}|${row.goods_id}`));
  return lines.flatMap((line, index) => {
    const [supplier, goods] = [textOf(line, 'supplier_id'), textOf(line, 'goods_id')];
    if (goods === null || supplier === null || related.has(`${supplier}|${goods}`)) return [];
    return [
      {
        path: `items.${index}.goods_id`,
        code: 'no_relation',
        message: '该供应商、商品与国外客户之间没有已启用的关联关系',
      },
    ];
  });
}

/** A change of an approved contract keeps what has been shipped. */
export async function checkContractAmend({ record }: RuleCall): Promise<readonly FieldProblem[]> {
  return linesIn(record, 'items').flatMap((line, index) =>
    compareDecimals(decimalOf(line, 'quantity'), decimalOf(line, 'shipped_quantity')) < 0
      ? [{ path: `items.${index}.quantity`, code: 'below_shipped', message: '数量不能少于已出运数量' }]
      : [],
  );
}

/** The purchase contracts of an export line never exceed its quantity with tolerance (INV-06). */
export async function checkPurchaseQuantity(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const contract = textOf(record, 'export_contract_id');
  const lines = linesIn(record, 'items');
  if (contract === null || lines.length === 0) return [];
  const rows = await call.tx.query<{ id: string; limit: string; taken: string }>(
    `select i.id, i.quantity * (1 + coalesce(c.more_less, 0) / 100) as limit,
       coalesce((select sum(p.quantity) from purchase_contract__items p join purchase_contract h on h.id = p.parent_id and h.co_code = p.co_code
         where p.co_code = i.co_code and p.export_line = i.id and h.id <> $3::uuid and not h.is_deleted
           and h.status not in ('draft', 'rejected', 'void', 'terminated')), 0) as taken
     from export_contract__items i join export_contract c on c.id = i.parent_id and c.co_code = i.co_code
     where i.co_code = $1 and i.parent_id = $2::uuid`,
    [companyOf(call), contract, record['id']],
  );
  return lines.flatMap((line, index) => {
    const row = rows.find((item) => item.id === line['export_line']);
    if (row === undefined)
      return line['export_line'] === null
        ? []
        : [{ path: `items.${index}.export_line`, code: 'foreign_line', message: '该行不属于所选的外销合同' }];
    const others = lines.filter((other) => other['export_line'] === line['export_line']);
    const total = others.reduce((sum, other) => addDecimals(sum, decimalOf(other, 'quantity')), row.taken);
    return compareDecimals(total, row.limit) > 0
      ? [
          {
            path: `items.${index}.quantity`,
            code: 'over_purchase',
            message: '采购数量超过外销合同数量(含溢短装)',
          },
        ]
      : [];
  });
}
