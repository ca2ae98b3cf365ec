import { sumDecimals } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import {
  type VoucherEntry,
  voucherFile,
  type VoucherFormat,
} from '#server/business/accounting/voucher-file.ts';
import { readNamed, updateNamed } from '#server/business/named-records.ts';
import { companyOf, linesIn, textOf } from './rule-values.ts';

/** Most entries of one file. */
const MAX_ENTRIES = 50_000;

/** The vouchers of a period as a file for the accounting package, attached to the export. */
async function writeVoucherFile(call: RuleCall): Promise<void> {
  const { record, services, caller, tx } = call;
  const entries = await entriesOf(call);
  if (entries.length === 0) throw new AppError('RULE_REFUSED', { message: '该期间没有可导出的凭证' });
  if (entries.length > MAX_ENTRIES)
    throw new AppError('RULE_REFUSED', { message: `分录超过 ${MAX_ENTRIES} 行，不能导出` });
  const id = String(record['id']);
  const bytes = voucherFile(await formatOf(call), entries);
  const stored = await services.files.store({ bytes, name: `凭证${entries[0]?.['period'] ?? ''}.csv` });
  const file = await services.files.register(tx, stored, {
    coCode: companyOf(call),
    createdBy: caller.subject.id,
    resource: 'voucher_export',
    recordId: id,
    field: 'file',
    at: services.clock(),
  });
  await updateNamed(call, 'voucher_export', {
    id,
    action: 'write',
    fields: {
      file: [file.id],
      voucher_count: new Set(entries.map((entry) => entry['voucher_no'])).size,
      debit_total: sumDecimals(entries.map((entry) => entry['debit'] ?? '0')),
    },
  });
}

async function formatOf(call: RuleCall): Promise<VoucherFormat> {
  const format = await readNamed(call, 'voucher_format', textOf(call.record, 'format_id') ?? '');
  if (format === null) throw new AppError('NOT_FOUND', { message: '凭证导出格式不存在' });
  const separator = { comma: ',', tab: '\t', bar: '|' } as const;
  const pick = <Choice extends string>(name: string, choices: readonly Choice[], other: Choice): Choice =>
    choices.find((choice) => choice === format[name]) ?? other;
  return {
    encoding: pick('encoding', ['gbk', 'utf8'], 'gbk'),
    separator: separator[pick('separator', ['comma', 'tab', 'bar'], 'comma')],
    hasHeader: format['has_header'] === true,
    dayForm: pick('day_form', ['dash', 'slash', 'plain'], 'dash'),
    zeroAmount: pick('zero_amount', ['empty', 'zero'], 'empty'),
    columns: linesIn(format, 'columns').map((line) => ({
      title: textOf(line, 'title') ?? '',
      source: textOf(line, 'source') ?? '',
      value: textOf(line, 'value') ?? '',
    })),
  };
}

/** The entries of the period's vouchers in their order, each with what its voucher and its references say. */
async function entriesOf(call: RuleCall): Promise<readonly VoucherEntry[]> {
  const states = call.record['only_new'] === true ? ['generated', 'failed'] : null;
  const rows = await call.tx.query(
    `select v.voucher_no, v.voucher_date::text as voucher_date, p.period, v.event_code, v.source_no, v.summary,
       row_number() over (partition by v.id order by e.line_order)::text as seq, coalesce(a.ext_code, e.subject_code) as subject_code,
       e.subject_name, e.currency, e.fc_amount::text as fc_amount, e.rate::text as rate, e.debit::text as debit, e.credit::text as credit,
       case when coalesce(e.debit, 0) <> 0 then '借' else '贷' end as side,
       (case when coalesce(e.debit, 0) <> 0 then e.debit else e.credit end)::text as amount, t.name as partner, b.name_en as buyer,
       s.name as supplier, h.shipment_no as shipment, k.account_no as bank_account
     from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id and e.co_code = v.co_code
     join accounting_period p on p.id = v.period_id
     left join account a on a.co_code = v.co_code and a.code = e.subject_code and not a.is_deleted
     left join partner t on t.id = e.partner_id left join buyer b on b.id = e.buyer_id left join supplier s on s.id = e.supplier_id
     left join shipment h on h.id = e.shipment_id left join company_bank_account k on k.id = e.bank_account_id
     where v.co_code = $1 and not v.is_deleted and v.period_id = $2::uuid
       and case when $3::text[] is null then v.status <> 'draft' else v.status = any($3::text[]) end
     order by v.voucher_no, e.line_order limit ${MAX_ENTRIES + 1}`,
    [companyOf(call), textOf(call.record, 'period_id'), states],
  );
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    ),
  );
}

/** The rules of vouchers that leave for an accounting package, by the names that the definitions use. */
export const VOUCHER_RULES: RuleSet = {
  effects: {
    write_voucher_file: {
      run: writeVoucherFile,
      reads: ['finance_voucher.entries.debit', 'voucher_format.columns.source', 'account.ext_code'],
      writes: ['voucher_export.file', 'voucher_export.voucher_count', 'voucher_export.debit_total'],
      why: 'writes a file',
    },
  },
};
