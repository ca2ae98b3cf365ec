import { invoiceCodeFault, invoiceNumberFault } from '#trade/tax-invoice.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '#engine/values/decimal.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { checkInvoiceMatches } from './invoice-matches.ts';
import { companyOf, decimalOf, knownFields, linesIn, textOf } from './rule-values.ts';

/** Yuan by which the tax of all lines may differ from amount × rate (refdata/notes_tax_invoice_rules.md). */
const TAX_TOLERANCE = '0.06';
const LINE_TOLERANCE = '0.01';

/** Code and number have the form of the invoice's type. */
async function checkTaxInvoice({ record }: RuleCall): Promise<readonly FieldProblem[]> {
  const type = textOf(record, 'invoice_type') ?? '';
  const [code, number] = [textOf(record, 'invoice_code'), textOf(record, 'invoice_number')];
  const found = [
    ['invoice_code', code === null ? null : invoiceCodeFault(type, code)],
    ['invoice_number', number === null ? null : invoiceNumberFault(type, number)],
  ] as const;
  return found.flatMap(([path, message]) => (message === null ? [] : [{ path, code: 'format', message }]));
}

/** The lines of a goods invoice add up to its head, to the cent where the law does, and it is made out to the company. */
async function checkGoodsInvoice(call: RuleCall): Promise<readonly FieldProblem[]> {
  return [...lineProblems(call.record), ...totalProblems(call.record), ...purchaserProblems(call)];
}

function lineProblems(record: ErpRecord): readonly FieldProblem[] {
  return linesIn(record, 'items').flatMap((line, index) => {
    if (line['amount'] == null || line['quantity'] == null || line['unit_price'] == null) return [];
    const expected = multiplyDecimals(decimalOf(line, 'quantity'), decimalOf(line, 'unit_price'));
    return isWithin(expected, decimalOf(line, 'amount'), LINE_TOLERANCE)
      ? []
      : [
          {
            path: `items.${index}.amount`,
            code: 'amount',
            message: `金额应为数量 × 单价 = ${roundDecimal(expected, 2)}`,
          },
        ];
  });
}

function totalProblems(record: ErpRecord): readonly FieldProblem[] {
  const lines = linesIn(record, 'items');
  if (lines.length === 0) return [];
  const problems: FieldProblem[] = [];
  const expect = (path: string, title: string, sum: string, tolerance = '0'): void => {
    if (record[path] != null && !isWithin(sum, decimalOf(record, path), tolerance))
      problems.push({ path, code: 'total', message: `${title}应为 ${roundDecimal(sum, 2)}` });
  };
  expect('net_amount', '不含税金额与明细合计不符，', sumDecimals(lines.map((line) => line['amount'])));
  expect('tax_amount', '税额与明细合计不符，', sumDecimals(lines.map((line) => line['tax'])));
  const byRate = lines
    .map((line) => roundDecimal(multiplyDecimals(decimalOf(line, 'amount'), rateOf(line)), 2))
    .reduce(addDecimals, '0');
  if (problems.length === 0) expect('tax_amount', '税额与金额 × 税率相差过大，', byRate, TAX_TOLERANCE);
  return problems;
}

/** 13 is 13 %. */
function rateOf(line: ErpRecord): string {
  return divideDecimals(decimalOf(line, 'tax_rate'), '100') ?? '0';
}

function purchaserProblems(call: RuleCall): readonly FieldProblem[] {
  const region = regionOfCompany(call.services, companyOf(call));
  if (region === null || region.taxNo === '') return [];
  const [taxNo, name] = [textOf(call.record, 'purchaser_tax_no'), textOf(call.record, 'purchaser_name')];
  const problems: FieldProblem[] = [];
  if (taxNo !== null && taxNo.toUpperCase() !== region.taxNo)
    problems.push({
      path: 'purchaser_tax_no',
      code: 'other',
      message: `购买方税号应为本公司税号 ${region.taxNo}`,
    });
  if (name !== null && name !== region.coName)
    problems.push({
      path: 'purchaser_name',
      code: 'other',
      message: `购买方应为本公司名称「${region.coName}」`,
    });
  return problems;
}

interface Verified {
  readonly invoice_type: string;
  readonly billing_date: string;
  readonly sales_name: string | null;
  readonly purchaser_tax_no: string | null;
  readonly amount_tax: string | null;
  readonly first_check: number | null;
  readonly last_check_time: Date | string | null;
}

/** /cyfp has confirmed the invoice for the company, and says what the record says. */
async function checkInvoiceVerified(call: RuleCall): Promise<readonly FieldProblem[]> {
  const found = await lastVerification(call);
  if (found === null)
    return [
      {
        path: 'invoice_number',
        code: 'unverified',
        message: '该发票还没有查验一致的记录，请先在“发票查验”中查验',
      },
    ];
  const { record } = call;
  const said: readonly (readonly [path: string, title: string, ours: string, theirs: string])[] = [
    ['invoice_type', '发票类型', textOf(record, 'invoice_type') ?? '', found.invoice_type],
    ['billing_date', '开票日期', textOf(record, 'billing_date') ?? '', found.billing_date],
    ['total_amount', '价税合计', decimalOf(record, 'total_amount'), found.amount_tax ?? '0'],
    [
      'purchaser_tax_no',
      '购买方税号',
      textOf(record, 'purchaser_tax_no') ?? '',
      found.purchaser_tax_no ?? '',
    ],
    ...sellerOf(call, found),
  ];
  return said.flatMap(([path, title, ours, theirs]) => {
    if (call.resource.fields[path] === undefined) return [];
    const isSame = path === 'total_amount' ? compareDecimals(ours, theirs) === 0 : ours === theirs;
    return isSame ? [] : [{ path, code: 'differs', message: `${title}与查验结果（${theirs}）不符` }];
  });
}

/** The seller's name stands in the record itself or is its supplier's. */
function sellerOf(
  { record }: RuleCall,
  found: Verified,
): readonly (readonly [string, string, string, string])[] {
  const labels = record['_labels'];
  const supplier: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, 'supplier_id') : null;
  const issuer = textOf(record, 'issuer_name');
  if (issuer !== null) return [['issuer_name', '开票方', issuer, found.sales_name ?? '']];
  return typeof supplier === 'string' && supplier !== ''
    ? [['supplier_id', '销售方', supplier, found.sales_name ?? '']]
    : [];
}

async function lastVerification(call: RuleCall): Promise<Verified | null> {
  const [row] = await call.tx.query<Verified & Record<string, unknown>>(
    `select invoice_type, billing_date::text as billing_date, sales_name, purchaser_tax_no, amount_tax::text as amount_tax,
       first_check, last_check_time
     from invoice_check where co_code = $1 and invoice_number = $2 and coalesce(invoice_code, '') = $3 and outcome = 'verified'
     order by created_at desc limit 1`,
    [companyOf(call), textOf(call.record, 'invoice_number') ?? '', textOf(call.record, 'invoice_code') ?? ''],
  );
  return row ?? null;
}

/** 查验: how often and when the invoice was verified goes into the record. */
async function markInvoiceVerified(call: RuleCall): Promise<void> {
  const found = await lastVerification(call);
  await updateRecordFields(call, call.resource.resource, {
    id: String(call.record['id']),
    fields: knownFields(call.resource.fields, {
      verify_count: found?.first_check ?? undefined,
      last_check_time: call.services.clock().toISOString(),
    }),
    action: call.action,
  });
}

const MATCHED_STATES: ReadonlySet<unknown> = new Set(['matched', 'certified', 'declared', 'refunded']);

/** 解除异常: while an invoice was abnormal its matches did not count, so others may have taken what was shipped. */
async function checkReleasedMatches(call: RuleCall): Promise<readonly FieldProblem[]> {
  return MATCHED_STATES.has(call.record['status']) ? checkInvoiceMatches(call) : [];
}

/** 红冲 undoes what the invoice was matched to. */
async function clearInvoiceMatches(call: RuleCall): Promise<void> {
  await updateRecordFields(call, call.resource.resource, {
    id: String(call.record['id']),
    fields: { matches: [] },
    action: call.action,
  });
}

function isWithin(a: string, b: string, tolerance: string): boolean {
  return compareDecimals(absoluteDecimal(subtractDecimals(a, b)), tolerance) <= 0;
}

/** The rules of received VAT invoices, by the names that the definitions use. */
export const INVOICE_RULES: RuleSet = {
  checks: {
    check_tax_invoice: {
      run: checkTaxInvoice,
      reads: ['*.invoice_type', '*.invoice_code', '*.invoice_number'],
      why: 'forms and check digits of invoice codes',
    },
    check_goods_invoice: {
      run: checkGoodsInvoice,
      reads: [
        'goods_invoice.items.amount',
        'goods_invoice.items.tax',
        'goods_invoice.net_amount',
        'goods_invoice.tax_amount',
      ],
      why: 'sums of lines within the tolerances of the law',
    },
    check_invoice_verified: {
      run: checkInvoiceVerified,
      reads: [
        'invoice_check.invoice_number',
        'invoice_check.invoice_code',
        'invoice_check.outcome',
        'invoice_check.billing_date',
        'invoice_check.amount_tax',
      ],
      why: 'compares field by field with what the tax office says',
    },
    check_invoice_matches: {
      run: checkInvoiceMatches,
      reads: [
        'goods_invoice.matches.quantity',
        'goods_invoice.matches.shipment_id',
        'goods_invoice.matches.purchase_line',
        'shipment.items.quantity',
        'purchase_contract.items.export_line',
        'goods.unit',
      ],
      why: 'quantities of two documents meet over a third',
    },
    check_released_matches: {
      run: checkReleasedMatches,
      reads: ['goods_invoice.matches.quantity', 'shipment.items.quantity'],
      why: 'quantities of two documents meet over a third',
    },
  },
  effects: {
    mark_invoice_verified: {
      run: markInvoiceVerified,
      reads: ['invoice_check.first_check'],
      writes: ['goods_invoice.verify_count', 'goods_invoice.last_check_time'],
      why: 'becomes a find',
    },
    clear_invoice_matches: {
      run: clearInvoiceMatches,
      reads: [],
      writes: ['goods_invoice.matches'],
      why: 'removes lines, which no construct does',
    },
  },
};
