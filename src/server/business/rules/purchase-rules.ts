import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, linesIn, textOf } from './rule-values.ts';

/** The supplier of a purchase contract delivers the contract lines that it buys. */
export async function checkPurchaseSupplier(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const [contract, supplier] = [textOf(record, 'export_contract_id'), textOf(record, 'supplier_id')];
  if (contract === null || supplier === null) return [];
  const rows = await call.tx.query<{ id: string; supplier_id: string }>(
    'select id, supplier_id from export_contract__items where co_code = $1 and parent_id = $2::uuid',
    [companyOf(call), contract],
  );
  const suppliers = new Map(rows.map((row) => [row.id, row.supplier_id]));
  return linesIn(record, 'items').flatMap((line, index) => {
    const expected = suppliers.get(textOf(line, 'export_line') ?? '');
    return expected === undefined || expected === supplier
      ? []
      : [
          {
            path: `items.${index}.export_line`,
            code: 'other_supplier',
            message: '该合同行的供应商与采购合同不一致',
          },
        ];
  });
}
