import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, linesIn, textOf } from './rule-values.ts';

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
