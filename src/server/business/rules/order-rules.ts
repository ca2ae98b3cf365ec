import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, linesIn, textOf } from './rule-values.ts';

/** 确认: for every goods a relation with the buyer exists, or is at least under review. */
export async function checkOrderRelation(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const rows = await call.tx.query<{ goods_id: string }>(
    `select g.goods_id from relation r join relation__goods_lines g on g.parent_id = r.id and g.co_code = r.co_code
     where r.co_code = $1 and r.buyer_id = $2::uuid and r.partner_id is not distinct from $3::uuid and not r.is_deleted
       and r.status in ('draft', 'pending', 'active')`,
    [companyOf(call), record['buyer_id'], record['partner_id'] ?? null],
  );
  const related = new Set(rows.map((row) => row.goods_id));
  return linesIn(record, 'items').flatMap((line, index) => {
    const goods = textOf(line, 'goods_id');
    return goods === null || related.has(goods)
      ? []
      : [
          {
            path: `items.${index}.goods_id`,
            code: 'no_relation',
            message: '该商品与国外客户之间还没有关联关系，请先建立',
          },
        ];
  });
}
