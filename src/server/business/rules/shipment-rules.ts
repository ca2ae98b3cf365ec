import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDays } from '#engine/values/dates.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import { readNamed, updateNamed } from '#server/business/named-records.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { isBeyond, isOnOpenTerms, isUninsured, standingOf } from './credit-exposure.ts';
import { companyOf, knownFields, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** After a save: the invoice number follows the shipment's when left empty; whether open terms go uninsured decides the approvers. */
export async function completeShipment(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const invoice = textOf(record, 'invoice_no');
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    fields: knownFields(resource.fields, {
      ...(await emptyParts(call)),
      invoice_no: invoice === null || invoice === '= shipment_no' ? record['shipment_no'] : undefined,
      is_uninsured: isUninsured(record),
      exposure_over: isUninsured(record),
    }),
  });
}

/** What a shipment takes when left empty: the buyer as consignee, an estimate of when the money is due. */
async function emptyParts(call: RuleCall): Promise<ErpRecord> {
  const { record } = call;
  const day = textOf(record, 'etd') ?? textOf(record, 'invoice_date');
  const isShipped = ['shipped', 'settled'].includes(String(record['status']));
  const due = day === null || isShipped ? undefined : addDays(day, Number(record['term_days'] ?? 0));
  const buyerId = textOf(record, 'buyer_id');
  if (textOf(record, 'consignee') !== null || buyerId === null) return { receipt_due_date: due };
  const buyer = (await readNamed(call, 'buyer', buyerId)) ?? {};
  const lines = [textOf(buyer, 'name_en'), textOf(buyer, 'address')].filter((text) => text !== null);
  return {
    receipt_due_date: due,
    consignee: textOf(buyer, 'consignee') ?? (lines.length > 0 ? lines.join('\n') : undefined),
  };
}

/**
 * 提交: exposure as of now. On open terms the partner's shipment_risk line decides, with everything that is still to be
 * received; without a line in force an insured shipment is within it. The last approval looks again.
 */
export async function markExposure(call: RuleCall): Promise<void> {
  const { record } = call;
  await writeDerivedFields(call, 'shipment', {
    id: String(record['id']),
    fields: knownFields(call.resource.fields, {
      is_uninsured: isUninsured(record),
      exposure_over: isOnOpenTerms(record) && isBeyond(await standingOf(call, record), record),
    }),
  });
}

/** HS code, VAT and refund rate of the lines by the version valid on the day of export (atd, else today). */
export async function applyHsVersions(call: RuleCall): Promise<void> {
  const id = String(call.record['id']);
  const shipment = await readNamed(call, 'shipment', id, true);
  if (shipment === null) return;
  const day = textOf(shipment, 'atd') ?? call.caller.context.today;
  const lines = linesIn(shipment, 'items');
  const rows = await call.tx.query<{
    goods_id: string;
    code: string;
    vat_rate: string | null;
    refund_rate: string | null;
  }>(
    `select g.id as goods_id, v.code, v.vat_rate, v.refund_rate from goods g join hs_code h on h.id = g.hs_code_id
     join lateral (select code, vat_rate, refund_rate from hs_code x where x.code = h.code and not x.is_deleted and x.valid_from <= $3::date
       and (x.valid_to is null or x.valid_to >= $3::date) order by x.valid_from desc limit 1) v on true
     where g.co_code = $1 and g.id = any($2::uuid[])`,
    [companyOf(call), uniqueIds(lines.map((line) => textOf(line, 'goods_id'))), day],
  );
  const versions = new Map(rows.map((row) => [row.goods_id, row]));
  const items = lines.map((line) => {
    const version = versions.get(String(line['goods_id']));
    return version === undefined
      ? line
      : {
          ...line,
          hs_code: version.code,
          vat_rate: version.vat_rate ?? line['vat_rate'],
          refund_rate: version.refund_rate ?? line['refund_rate'],
        };
  });
  if (JSON.stringify(items) !== JSON.stringify(lines))
    await updateNamed(call, 'shipment', { id, fields: { items }, action: 'hs_version' });
}

/** Lines that go on a declaration need VAT and refund rate of their HS code. */
export async function checkHsReady(call: RuleCall): Promise<readonly FieldProblem[]> {
  const lines = linesIn(call.record, 'items');
  const rows = await call.tx.query<{
    id: string;
    name: string;
    code: string;
    vat_rate: string | null;
    refund_rate: string | null;
  }>(
    `select g.id, g.name, h.code, h.vat_rate, h.refund_rate from goods g join hs_code h on h.id = g.hs_code_id where g.co_code = $1 and g.id = any($2::uuid[])`,
    [companyOf(call), uniqueIds(lines.map((line) => textOf(line, 'goods_id')))],
  );
  const goods = new Map(rows.map((row) => [row.id, row]));
  return lines.flatMap((line, index) => {
    const row = goods.get(String(line['goods_id']));
    if (row === undefined || (row.vat_rate !== null && row.refund_rate !== null)) return [];
    return [
      {
        path: `items.${index}.goods_id`,
        code: 'hs_incomplete',
        message: `商品「${row.name}」的HS编码${row.code}缺少增值税率或退税率，请先维护`,
      },
    ];
  });
}
