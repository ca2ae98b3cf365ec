import { amountInWords } from '#trade/amount-in-words.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals, subtractDecimals } from '#engine/values/decimal.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import { insertNamed, readNamed, runNamed, updateNamed } from '#server/business/named-records.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, decimalOf, knownFields, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** After a save: the amount in English words, the seller's English name when left empty, and numbers for lines without one. */
export async function completeContract(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const words = amountInWords(decimalOf(record, 'total_amount'), textOf(record, 'currency') ?? '');
  const lines = linesIn(record, 'items');
  const taken = lines.map((line) => Number(line['line_no'] ?? 0));
  let last = Math.max(0, ...taken);
  const unnumbered = lines.filter((line) => line['line_no'] === null || line['line_no'] === undefined);
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    company: record['co_code'],
    fields: knownFields(resource.fields, {
      amount_words: words,
      seller_name_en: textOf(record, 'seller_name_en') ?? companyNameEn(call),
    }),
    lines: { items: unnumbered.map((line) => ({ id: line['id'], line_no: (last += 1) })) },
  });
}

/** After a re-approval: a contract of which something was shipped goes on executing, a signed one stays signed. */
export async function resumeContract(call: RuleCall): Promise<void> {
  const id = String(call.record['id']);
  const contract = await readNamed(call, 'export_contract', id, true);
  if (contract === null || !['approved', 'signed'].includes(String(contract['status']))) return;
  const isStarted = linesIn(contract, 'items').some(
    (line) => compareDecimals(decimalOf(line, 'shipped_quantity'), '0') > 0,
  );
  if (isStarted) await runNamed(call, 'export_contract', { id, action: 'start' });
  else if (contract['status'] === 'approved' && (await wasSigned(call, id)))
    await updateNamed(call, 'export_contract', { id, fields: { status: 'signed' }, action: 'sign' });
}

async function wasSigned(call: RuleCall, id: string): Promise<boolean> {
  const [row] = await call.tx.query(
    `select 1 from sys_audit where resource = any(erp_resource_names('export_contract')) and record_id = $1::uuid
       and to_status = any(erp_state_names('export_contract', 'signed')) limit 1`,
    [id],
  );
  return row !== undefined;
}

/** 生成明细单 needs something that is not shipped yet. */
export async function checkOpenQuantity({ record }: RuleCall): Promise<readonly FieldProblem[]> {
  const isOpen = linesIn(record, 'items').some((line) => compareDecimals(openOf(line), '0') > 0);
  return isOpen
    ? []
    : [{ path: 'items', code: 'nothing_open', message: '合同已全部生成出运，没有未出运数量' }];
}

/** 作废 of an approved contract: nothing hangs on it. */
export async function checkContractUnused(call: RuleCall): Promise<readonly FieldProblem[]> {
  const [row] = await call.tx.query<{ shipments: string; purchases: string }>(
    `select (select count(distinct s.id) from shipment__items i join shipment s on s.id = i.parent_id and s.co_code = i.co_code
        where i.co_code = $1 and i.contract_id = $2::uuid and s.status <> 'cancelled' and not s.is_deleted) as shipments,
      (select count(*) from purchase_contract p where p.co_code = $1 and p.export_contract_id = $2::uuid and p.status <> 'void' and not p.is_deleted) as purchases`,
    [companyOf(call), call.record['id']],
  );
  const problems: FieldProblem[] = [];
  if (Number(row?.shipments ?? 0) > 0)
    problems.push({ path: '', code: 'in_use', message: '合同已有明细单，不能作废' });
  if (Number(row?.purchases ?? 0) > 0)
    problems.push({ path: '', code: 'in_use', message: '合同已有采购合同，不能作废' });
  return problems;
}

/** 终止: no shipment stands between approval and departure. */
export async function checkNoRunningShipments(call: RuleCall): Promise<readonly FieldProblem[]> {
  const rows = await call.tx.query<{ shipment_no: string }>(
    `select distinct s.shipment_no from shipment__items i join shipment s on s.id = i.parent_id and s.co_code = i.co_code
     where i.co_code = $1 and i.contract_id = $2::uuid and s.status in ('pending', 'approved', 'amending', 'declared') and not s.is_deleted`,
    [companyOf(call), call.record['id']],
  );
  if (rows.length === 0) return [];
  return [
    {
      path: '',
      code: 'in_use',
      message: `明细单 ${rows.map((row) => row.shipment_no).join('、')} 尚未出运，不能终止`,
    },
  ];
}

/** 终止: the purchase contracts of the contract say so in their remarks. */
export async function flagPurchaseContracts(call: RuleCall): Promise<void> {
  const rows = await call.tx.query<{ id: string; remark: string | null }>(
    `select id, remark from purchase_contract where co_code = $1 and export_contract_id = $2::uuid and not is_deleted and status not in ('void', 'terminated', 'completed') order by id`,
    [companyOf(call), call.record['id']],
  );
  for (const { id, remark } of rows)
    await updateNamed(call, 'purchase_contract', {
      id,
      action: 'contract_terminated',
      fields: {
        remark: [remark, `外销合同 ${String(call.record['contract_no'])} 已终止`].filter(Boolean).join('\n'),
      },
    });
}

/** 生成采购合同: a draft for each supplier with what has not been bought yet. */
export async function createPurchaseContracts(call: RuleCall): Promise<void> {
  const { record, caller } = call;
  const purchase = call.services.definitions.catalog().resources['purchase_contract'];
  if (purchase === undefined) return;
  const bought = await boughtQuantities(call);
  for (const supplier of uniqueIds(linesIn(record, 'items').map((line) => textOf(line, 'supplier_id')))) {
    const lines = linesIn(record, 'items').filter((line) => line['supplier_id'] === supplier);
    const items = (await Promise.all(lines.map((line) => purchaseLine(call, line, bought)))).filter(
      (item) => item !== null,
    );
    if (items.length === 0) continue;
    const values: ErpRecord = {
      business_type: record['business_type'],
      co_code: record['co_code'],
      dept_code: record['dept_code'] ?? undefined,
      sales_id: record['sales_id'] ?? undefined,
      export_contract_id: record['id'],
      supplier_id: supplier,
      partner_id: record['partner_id'] ?? undefined,
      project_id: record['project_id'] ?? undefined,
      sign_date: caller.context.today,
      delivery_date: record['latest_shipment'] ?? undefined,
      vat_rate: items.find((item) => item.vatRate !== null)?.vatRate ?? undefined,
      items: items.map((item) => knownFields(purchase.fields['items']?.fields ?? {}, item.values)),
    };
    await insertNamed(call, 'purchase_contract', knownFields(purchase.fields, values));
  }
}

async function purchaseLine(call: RuleCall, line: ErpRecord, bought: ReadonlyMap<string, string>) {
  const quantity = subtractDecimals(decimalOf(line, 'quantity'), bought.get(String(line['id'])) ?? '0');
  if (compareDecimals(quantity, '0') <= 0) return null;
  const goods = await readNamed(call, 'goods', String(line['goods_id']));
  const [price] = await call.tx.query<{ supplier_price: string | null }>(
    `select g.supplier_price from relation r join relation__goods_lines g on g.parent_id = r.id and g.co_code = r.co_code
     where r.co_code = $1 and r.supplier_id = $2::uuid and r.buyer_id = $3::uuid and g.goods_id = $4::uuid and r.status = 'active' and not r.is_deleted
     order by r.approved_at desc nulls last limit 1`,
    [companyOf(call), line['supplier_id'], call.record['buyer_id'], line['goods_id']],
  );
  return {
    vatRate: textOf(goods ?? {}, 'vat_rate'),
    values: {
      export_line: line['id'],
      goods_id: line['goods_id'],
      spec: line['spec'] ?? undefined,
      quantity,
      unit: line['unit'] ?? undefined,
      unit_price: price?.supplier_price ?? textOf(goods ?? {}, 'price_ref') ?? undefined,
    },
  };
}

async function boughtQuantities(call: RuleCall): Promise<ReadonlyMap<string, string>> {
  const rows = await call.tx.query<{ export_line: string; quantity: string }>(
    `select i.export_line, i.quantity from purchase_contract__items i join purchase_contract p on p.id = i.parent_id and p.co_code = i.co_code
     where i.co_code = $1 and p.export_contract_id = $2::uuid and not p.is_deleted and p.status not in ('void', 'terminated')`,
    [companyOf(call), call.record['id']],
  );
  const bought = new Map<string, string>();
  for (const row of rows)
    bought.set(row.export_line, addDecimals(bought.get(row.export_line) ?? '0', row.quantity ?? '0'));
  return bought;
}

/** The company's name in English, from its region. */
function companyNameEn(call: RuleCall): string | undefined {
  const regions: unknown = call.services.definitions.setup().files['regions'];
  const list: readonly unknown[] = Array.isArray(regions) ? regions : [];
  const region = list.find((item) => isObject(item) && item['coCode'] === companyOf(call));
  const name = isObject(region) ? region['coNameEn'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function isObject(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null;
}

function openOf(line: ErpRecord): string {
  return subtractDecimals(decimalOf(line, 'quantity'), decimalOf(line, 'shipped_quantity'));
}
