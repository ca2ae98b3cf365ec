import { compareDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import {
  type VoucherEntry,
  voucherFile,
  type VoucherFormat,
} from '#server/business/accounting/voucher-file.ts';
import { findLinesNamed, findNamed } from '#server/business/find-named.ts';
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
  const period = await readNamed(call, 'accounting_period', textOf(call.record, 'period_id') ?? '');
  const isOnlyNew = call.record['only_new'] === true;
  const lines = await findLinesNamed(call, ['finance_voucher', 'entries'], {
    where: {
      'parent.period_id': { eq: String(period?.['id']) },
      ...(isOnlyNew ? NOT_PUSHED : { 'parent.status': { ne: 'draft' } }),
    },
    fields: ENTRY_FIELDS,
    order: ['parent.voucher_no', 'line_order'],
    limit: MAX_ENTRIES + 1,
  });
  const codes = await extCodes(call);
  const names = await namesOf(call, lines);
  let at = { voucher: '', seq: 0 };
  return lines.map((line) => {
    const voucher = told(line['parent.voucher_no']);
    at = { voucher, seq: at.voucher === voucher ? at.seq + 1 : 1 };
    const isDebit = compareDecimals(told(line.debit) || '0', '0') !== 0;
    const code = told(line.subject_code);
    return {
      voucher_no: voucher,
      voucher_date: told(line['parent.voucher_date']),
      period: told(period?.['period']),
      event_code: told(line['parent.event_code']),
      source_no: told(line['parent.source_no']),
      summary: told(line['parent.summary']),
      seq: String(at.seq),
      subject_code: codes.get(code) ?? code,
      subject_name: told(line.subject_name),
      currency: told(line.currency),
      fc_amount: told(line.fc_amount),
      rate: told(line.rate),
      debit: told(line.debit),
      credit: told(line.credit),
      side: isDebit ? '借' : '贷',
      amount: told(isDebit ? line.debit : line.credit),
      partner: nameIn(names, line.partner_id),
      buyer: nameIn(names, line.buyer_id),
      supplier: nameIn(names, line.supplier_id),
      shipment: nameIn(names, line.shipment_id),
      bank_account: nameIn(names, line.bank_account_id),
      aux: DIMENSIONS.map((name) => nameIn(names, line[name]))
        .filter((name) => name !== '')
        .join(' '),
    };
  });
}

/** What was reversed before it was pushed is among it: its mirror is, and the package needs both. */
const NOT_PUSHED = {
  or: [{ 'parent.status': { in: ['generated', 'failed'] } }, { 'parent.is_push_due': { eq: true } }],
} as const;

/** What an entry is accounted for besides its account. */
const DIMENSIONS = ['partner_id', 'buyer_id', 'supplier_id', 'shipment_id', 'bank_account_id'] as const;

const ENTRY_FIELDS = [
  'parent.voucher_no',
  'parent.voucher_date',
  'parent.event_code',
  'parent.source_no',
  'parent.summary',
  'subject_code',
  'subject_name',
  'currency',
  'fc_amount',
  'rate',
  'debit',
  'credit',
  ...DIMENSIONS,
] as const;

/** Codes of the accounting package, by our own. */
async function extCodes(call: RuleCall): Promise<ReadonlyMap<string, string>> {
  const accounts = await findNamed(call, 'account', {
    where: { ext_code: { null: false } },
    fields: ['code', 'ext_code'],
  });
  return new Map(accounts.map(({ code, ext_code: ext }) => [told(code), told(ext)]));
}

/** What the referenced records are called in the package's file, by id. */
async function namesOf(
  call: RuleCall,
  lines: readonly { readonly [Name in (typeof ENTRY_FIELDS)[number]]: unknown }[],
): Promise<ReadonlyMap<string, string>> {
  const [partners, buyers, suppliers, shipments, banks] = [
    await findNamed(call, 'partner', {
      where: wanted(lines.map((line) => line.partner_id)),
      fields: ['id', 'name'],
    }),
    await findNamed(call, 'buyer', {
      where: wanted(lines.map((line) => line.buyer_id)),
      fields: ['id', 'name_en'],
    }),
    await findNamed(call, 'supplier', {
      where: wanted(lines.map((line) => line.supplier_id)),
      fields: ['id', 'name'],
    }),
    await findNamed(call, 'shipment', {
      where: wanted(lines.map((line) => line.shipment_id)),
      fields: ['id', 'shipment_no'],
    }),
    await findNamed(call, 'company_bank_account', {
      where: wanted(lines.map((line) => line.bank_account_id)),
      fields: ['id', 'account_no'],
    }),
  ];
  return new Map([
    ...partners.map((row) => [told(row.id), told(row.name)] as const),
    ...buyers.map((row) => [told(row.id), told(row.name_en)] as const),
    ...suppliers.map((row) => [told(row.id), told(row.name)] as const),
    ...shipments.map((row) => [told(row.id), told(row.shipment_no)] as const),
    ...banks.map((row) => [told(row.id), told(row.account_no)] as const),
  ]);
}

function nameIn(names: ReadonlyMap<string, string>, id: unknown): string {
  return names.get(told(id)) ?? '';
}

function told(value: unknown): string {
  return typeof value === 'string' ? value : '';
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

function wanted(ids: readonly unknown[]): { readonly id: { readonly in: string[] } } {
  return { id: { in: [...new Set(ids.map(told).filter((id) => id !== ''))] } };
}
