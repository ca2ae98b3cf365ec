import { AppError } from '#server/kernel/errors.ts';
import { readRecord } from '#server/records/write/system-write.ts';
import { insertNamed } from '#server/business/named-records.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import {
  compareDecimals,
  divideDecimals,
  isPlainDecimal,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { decimalOf, knownFields, linesIn, textOf } from './rule-values.ts';

/** What a shipment takes from its contract as it stands. */
const COPIED = [
  'business_type', 'export_mode', 'partner_id', 'buyer_id', 'project_id', 'currency', 'incoterm', 'incoterm_place', 'payment_term', 'term_days',
  'bank_account_id', 'transport_mode', 'port_loading_id', 'port_dest_id', 'dest_country_id', 'marks', 'sales_id', 'dept_code', 'co_code',
] as const; // prettier-ignore

/** 生成明细单: a draft shipment with what of the contract is not shipped yet. Refused when nothing is left. */
export async function createShipment(call: RuleCall): Promise<void> {
  const { record, caller } = call;
  const shipment = call.services.definitions.catalog().resources['shipment'];
  if (shipment === undefined) throw new AppError('UNKNOWN_RESOURCE');
  const open = linesIn(record, 'items').filter((line) => compareDecimals(openQuantity(line), '0') > 0);
  if (open.length === 0) throw new AppError('VALIDATION', { message: '合同已全部生成出运，没有未出运数量' });
  const buyer = await buyerOf(call);
  const items = await Promise.all(open.map((line) => shipmentLine(call, line)));
  const values: ErpRecord = {
    ...Object.fromEntries(COPIED.map((name) => [name, record[name] ?? undefined])),
    invoice_date: caller.context.today,
    exit_port_id: record['port_loading_id'] ?? undefined,
    consignee: textOf(buyer, 'consignee') ?? buyerAddress(buyer),
    notify_party: textOf(buyer, 'notify_party') ?? undefined,
    trade_country_id: buyer['country_id'] ?? undefined,
    items: items.map((item) => knownFields(shipment.fields['items']?.fields ?? {}, item)),
  };
  await insertNamed(call, 'shipment', knownFields(shipment.fields, values));
}

/** A contract line's share of a shipment: what is open of it, weights and packages in proportion, customs data of the goods. */
async function shipmentLine(call: RuleCall, line: ErpRecord): Promise<ErpRecord> {
  const goods = await readOrEmpty(call, 'goods', textOf(line, 'goods_id'));
  const supplier = await readOrEmpty(call, 'supplier', textOf(line, 'supplier_id'));
  const quantity = openQuantity(line);
  const share = divideDecimals(quantity, decimalOf(line, 'quantity')) ?? '1';
  const part = (name: string, scale: number) => {
    const whole = line[name];
    const text = typeof whole === 'number' ? String(whole) : whole;
    return isPlainDecimal(text) ? roundDecimal(multiplyDecimals(text, share), scale) : undefined;
  };
  const legal = (factor: string) =>
    isPlainDecimal(goods[factor]) ? roundDecimal(multiplyDecimals(quantity, goods[factor]), 4) : undefined;
  const packages = part('packages', 0);
  return {
    contract_id: call.record['id'],
    contract_line: line['id'],
    goods_id: line['goods_id'],
    hs_code: line['hs_code'] ?? undefined,
    name_cn: textOf(goods, 'name') ?? undefined,
    name_en: textOf(line, 'name_en') ?? textOf(goods, 'name_en') ?? undefined,
    supplier_id: line['supplier_id'] ?? undefined,
    quantity,
    unit: line['unit'] ?? undefined,
    unit_price: line['unit_price'] ?? undefined,
    legal_quantity1: legal('unit1_factor'),
    legal_quantity2: legal('unit2_factor'),
    packages: packages === undefined ? undefined : Number(packages),
    gross_weight: part('gross_weight', 4),
    net_weight: part('net_weight', 4),
    volume: part('volume', 4),
    source_place_id: supplier['source_place_id'] ?? undefined,
  };
}

function openQuantity(line: ErpRecord): string {
  return subtractDecimals(decimalOf(line, 'quantity'), decimalOf(line, 'shipped_quantity'));
}

async function buyerOf(call: RuleCall): Promise<ErpRecord> {
  return readOrEmpty(call, 'buyer', textOf(call.record, 'buyer_id'));
}

function buyerAddress(buyer: ErpRecord): string {
  return [textOf(buyer, 'name_en'), textOf(buyer, 'address')].filter((text) => text !== null).join('\n');
}

async function readOrEmpty(call: RuleCall, resource: string, id: string | null): Promise<ErpRecord> {
  return id === null ? {} : ((await readRecord(call, resource, id)) ?? {});
}
