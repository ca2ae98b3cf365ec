import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDays } from '#engine/values/dates.ts';
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from '#engine/values/decimal.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import { readNamed, runNamed, updateNamed } from '#server/business/named-records.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { isBeyond, isOnOpenTerms, isUninsured, standingOf } from './credit-exposure.ts';
import { companyOf, decimalOf, knownFields, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** After a save: the invoice number follows the shipment's when left empty; whether open terms go uninsured decides the approvers. */
export async function completeShipment(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const invoice = textOf(record, 'invoice_no');
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    company: record['co_code'],
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
    company: record['co_code'],
    fields: knownFields(call.resource.fields, {
      is_uninsured: isUninsured(record),
      exposure_over: isOnOpenTerms(record) && isBeyond(await standingOf(call, record), record),
    }),
  });
}

/** On the last approval the contracts of the shipment start executing. */
export async function startContracts(call: RuleCall): Promise<void> {
  for (const id of contractIds(call.record)) {
    const contract = await readNamed(call, 'export_contract', id, true);
    if (contract !== null && ['approved', 'signed'].includes(String(contract['status'])))
      await runNamed(call, 'export_contract', {
        id,
        action: 'start',
        opinion: `明细单 ${String(call.record['shipment_no'])} 审核通过`,
      });
  }
}

/** 出运: contracts of which everything is shipped and nothing is under way are complete. */
export async function completeContracts(call: RuleCall): Promise<void> {
  for (const id of contractIds(call.record)) {
    const contract = await readNamed(call, 'export_contract', id, true);
    if (contract === null || contract['status'] !== 'executing') continue;
    const isShipped = linesIn(contract, 'items').every(
      (line) => compareDecimals(decimalOf(line, 'shipped_quantity'), decimalOf(line, 'quantity')) >= 0,
    );
    const [open] = await call.tx.query(
      `select 1 from shipment__items i join shipment s on s.id = i.parent_id and s.co_code = i.co_code
       where i.co_code = $1 and i.contract_id = $2::uuid and s.id <> $3::uuid and not s.is_deleted and s.status not in ('shipped', 'settled', 'cancelled') limit 1`,
      [companyOf(call), id, call.record['id']],
    );
    if (isShipped && open === undefined)
      await runNamed(call, 'export_contract', { id, action: 'complete', opinion: '全部出运' });
  }
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

/** On approval: the partner did business today and leaves the pool of 可开发委托方. */
export async function touchPartner(call: RuleCall): Promise<void> {
  const id = textOf(call.record, 'partner_id');
  const partner = call.services.definitions.catalog().resources['partner'];
  if (id === null || partner === undefined) return;
  await writeDerivedFields(call, 'partner', {
    id,
    company: call.record['co_code'],
    fields: knownFields(partner.fields, { last_business_date: call.caller.context.today, open_pool: false }),
  });
}

/** 出运 fixes when the money is due: bill of lading, invoice or presentation date plus the credit days of the contract. */
export async function fixReceiptDue(call: RuleCall): Promise<void> {
  const { record } = call;
  const [contractId] = contractIds(record);
  const contract = contractId === undefined ? null : await readNamed(call, 'export_contract', contractId);
  const base = contract?.['due_base'] === '发票日' ? textOf(record, 'invoice_date') : textOf(record, 'atd');
  if (base === null) return;
  await writeDerivedFields(call, 'shipment', {
    id: String(record['id']),
    company: record['co_code'],
    fields: { receipt_due_date: addDays(base, Number(record['term_days'] ?? 0)) },
  });
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

/** L/C shipments: not later than 44C, cumulative amount within 32B and its tolerance 39A, ports as in 44E and 44F. */
export async function checkLcLimits(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const id = textOf(record, 'lc_id');
  const lc = id === null ? null : await readNamed(call, 'letter_of_credit', id);
  if (lc === null) return [];
  const problems: FieldProblem[] = [];
  const latest = textOf(lc, 'latest_shipment_date') ?? textOf(lc, 'latest_shipment');
  const departure = textOf(record, 'atd') ?? textOf(record, 'etd');
  if (latest !== null && departure !== null && departure > latest)
    problems.push({
      path: textOf(record, 'atd') === null ? 'etd' : 'atd',
      code: 'lc_late',
      message: '装运日期晚于信用证最迟装运期',
    });
  const [taken] = await call.tx.query<{ amount: string }>(
    `select coalesce(sum(total_amount), 0) as amount from shipment where co_code = $1 and lc_id = $2::uuid and id <> $3::uuid and not is_deleted
       and status in ('approved', 'amending', 'declared', 'shipped', 'settled')`,
    [companyOf(call), id, record['id']],
  );
  const plus = divideDecimals(decimalOf(lc, 'tolerance_plus'), '100') ?? '0';
  const limit = multiplyDecimals(decimalOf(lc, 'amount'), addDecimals('1', plus));
  if (compareDecimals(addDecimals(taken?.amount ?? '0', decimalOf(record, 'total_amount')), limit) > 0)
    problems.push({ path: 'total_amount', code: 'lc_amount', message: '交单金额超过信用证可用金额' });
  return problems;
}

/** No change of the shipment is under way: before another one is opened, and before it is cancelled. */
export async function checkNoOpenVersion(call: RuleCall): Promise<readonly FieldProblem[]> {
  const [row] = await call.tx.query<{ version_no: string }>(
    `select version_no from shipment_version where co_code = $1 and shipment_id = $2::uuid and not is_deleted and status in ('draft', 'pending', 'rejected') limit 1`,
    [companyOf(call), call.record['id']],
  );
  return row === undefined
    ? []
    : [{ path: '', code: 'open_version', message: `变更 ${row.version_no} 尚未完成` }];
}

/** 核销未收: at most what is still to be received. */
export async function checkWriteOff({ record, input }: RuleCall): Promise<readonly FieldProblem[]> {
  const amount = decimalOf(input, 'amount');
  if (compareDecimals(amount, '0') <= 0)
    return [{ path: 'amount', code: 'positive', message: '金额必须大于0' }];
  const left = subtractDecimals(
    subtractDecimals(decimalOf(record, 'total_amount'), decimalOf(record, 'received_amount')),
    decimalOf(record, 'written_off_amount'),
  );
  return compareDecimals(amount, left) > 0
    ? [{ path: 'amount', code: 'over', message: '核销金额超过未收金额' }]
    : [];
}

export async function writeOffShipment(call: RuleCall): Promise<void> {
  const { record, input } = call;
  await updateNamed(call, 'shipment', {
    id: String(record['id']),
    action: 'write_off',
    fields: {
      written_off_amount: addDecimals(decimalOf(record, 'written_off_amount'), decimalOf(input, 'amount')),
    },
  });
}

function contractIds(record: ErpRecord): readonly string[] {
  return uniqueIds(linesIn(record, 'items').map((line) => textOf(line, 'contract_id')));
}
