import { AppError } from '#server/kernel/errors.ts';
import { insertNamed, readNamed } from '#server/business/named-records.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, knownFields, linesIn, textOf } from './rule-values.ts';

const COPIED = [
  'business_type', 'partner_id', 'buyer_id', 'buyer_po', 'currency', 'incoterm', 'incoterm_place', 'payment_term', 'dest_country_id',
  'port_loading_id', 'port_dest_id', 'sales_id', 'dept_code', 'co_code',
] as const; // prettier-ignore

/** 转合同: a draft export contract with the order's lines, linked to it. */
export async function convertOrder(call: RuleCall): Promise<void> {
  const { record, caller } = call;
  const contract = call.services.definitions.catalog().resources['export_contract'];
  if (contract === undefined) throw new AppError('UNKNOWN_RESOURCE');
  const lines = await Promise.all(
    linesIn(record, 'items').map((line, index) => contractLine(call, line, index)),
  );
  const values: ErpRecord = {
    ...Object.fromEntries(COPIED.map((name) => [name, record[name] ?? undefined])),
    order_id: record['id'],
    export_mode: record['business_type'] === 'self' ? 'buyout' : undefined,
    relation_id: (await firstRelation(call)) ?? undefined,
    sign_date: caller.context.today,
    latest_shipment: record['delivery_date'] ?? undefined,
    items: lines.map((line) => knownFields(contract.fields['items']?.fields ?? {}, line)),
  };
  await insertNamed(call, 'export_contract', knownFields(contract.fields, values));
}

async function contractLine(call: RuleCall, line: ErpRecord, index: number): Promise<ErpRecord> {
  const id = textOf(line, 'goods_id');
  const goods = id === null ? null : await readNamed(call, 'goods', id);
  return {
    line_no: index + 1,
    goods_id: line['goods_id'],
    name_en: textOf(goods ?? {}, 'name_en') ?? undefined,
    spec: textOf(goods ?? {}, 'spec') ?? undefined,
    supplier_id: line['supplier_id'] ?? undefined,
    quantity: line['quantity'],
    unit: line['unit'] ?? undefined,
    unit_price: line['unit_price'] ?? undefined,
  };
}

async function firstRelation(call: RuleCall): Promise<string | null> {
  const { record } = call;
  const [first] = linesIn(record, 'items');
  if (first === undefined) return null;
  const [row] = await call.tx.query<{ id: string }>(
    `select r.id from relation r join relation__goods_lines g on g.parent_id = r.id and g.co_code = r.co_code
     where r.co_code = $1 and r.buyer_id = $2::uuid and r.partner_id is not distinct from $3::uuid and g.goods_id = $4::uuid
       and ($5::uuid is null or r.supplier_id = $5::uuid) and r.status = 'active' and not r.is_deleted
     order by r.approved_at desc nulls last limit 1`,
    [
      companyOf(call),
      record['buyer_id'],
      record['partner_id'] ?? null,
      first['goods_id'],
      first['supplier_id'] ?? null,
    ],
  );
  return row?.id ?? null;
}
