import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** States in which a shipment's quantities count as shipped. */
const COUNTED = ['approved', 'amending', 'declared', 'shipped', 'settled'] as const;

type ContractLine = {
  readonly id: string;
  readonly contract_id: string;
  readonly contract_no: string;
  readonly status: string;
  readonly buyer_id: string;
  readonly currency: string;
  readonly partner_id: string | null;
  readonly goods_id: string;
  readonly quantity: string;
  readonly more_less: string | null;
  /** Shipped by other shipments. */
  readonly shipped: string;
};

/**
 * Every line's contract may be shipped and agrees with the shipment in buyer, currency and partner; its line is one of
 * that contract. A change of an approved shipment keeps the contracts it has, also those that are fulfilled by it.
 */
export async function checkShipmentContract(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const contractLines = await loadContractLines(call);
  const before = call.action === 'amended' && call.previous !== undefined ? contractIds(call.previous) : [];
  return linesIn(record, 'items').flatMap((line, index): readonly FieldProblem[] => {
    const at = (field: string, message: string) => [
      { path: `items.${index}.${field}`, code: 'contract', message },
    ];
    const id = textOf(line, 'contract_line');
    if (id === null) return [];
    const found = contractLines.get(id);
    if (found === undefined || found.contract_id !== line['contract_id'])
      return at('contract_line', '该行不属于所选的外销合同');
    const isOpen = ['approved', 'signed', 'executing'].includes(found.status);
    if (!isOpen && !before.includes(found.contract_id))
      return at('contract_id', `合同${found.contract_no}尚未审核或已结束，不能出运`);
    if (found.buyer_id !== record['buyer_id'])
      return at('contract_id', `合同${found.contract_no}的国外客户与明细单不一致`);
    if (found.currency !== record['currency'])
      return at('contract_id', `合同${found.contract_no}的币种与明细单不一致`);
    if ((found.partner_id ?? null) !== (record['partner_id'] ?? null))
      return at('contract_id', `合同${found.contract_no}的委托方与明细单不一致`);
    return found.goods_id === line['goods_id'] ? [] : at('goods_id', '商品与合同行不一致');
  });
}

/** The contract lines that the shipment names, with what other approved shipments took of them. */
async function loadContractLines(call: RuleCall): Promise<ReadonlyMap<string, ContractLine>> {
  const ids = contractIds(call.record);
  if (ids.length === 0) return new Map();
  const rows = await call.tx.query<ContractLine>(
    `select i.id, c.id as contract_id, c.contract_no, c.status, c.buyer_id, c.currency, c.partner_id, i.goods_id, i.quantity, c.more_less,
       coalesce((select sum(l.quantity) from shipment__items l join shipment s on s.id = l.parent_id and s.co_code = l.co_code
         where l.co_code = i.co_code and l.contract_line = i.id and s.id <> $3::uuid and not s.is_deleted and s.status = any($4::text[])), 0) as shipped
     from export_contract__items i join export_contract c on c.id = i.parent_id and c.co_code = i.co_code
     where i.co_code = $1 and i.parent_id = any($2::uuid[])`,
    [companyOf(call), ids, call.record['id'] ?? '00000000-0000-0000-0000-000000000000', COUNTED],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function contractIds(record: ErpRecord): readonly string[] {
  return uniqueIds(linesIn(record, 'items').map((line) => textOf(line, 'contract_id')));
}
