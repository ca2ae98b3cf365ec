import type { FieldProblem } from '#engine/schema/resource.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import { isDate } from '#engine/values/dates.ts';
import { checkUnifiedCreditCode } from './check-digits.ts';

/** What a verification of a VAT invoice is asked with (spec section 3), as it is typed. */
export interface InvoiceQuery {
  readonly invoiceType: string;
  readonly purchaserTaxNo: string;
  readonly invoiceCode: string;
  readonly invoiceNumber: string;
  /** yyyy-MM-dd */
  readonly billingDate: string;
  /** Without tax, yuan. */
  readonly totalAmount: string;
  /** With tax, yuan. */
  readonly amountTax: string;
  /** The last six digits of the check code. */
  readonly checkCode: string;
}

/** What an invoice of a type carries and is verified by (spec section 5; lengths by refdata/vat_invoice_types.csv). */
export interface InvoiceTypeRule {
  /** Lengths of the code that occur; none for a digital invoice. */
  readonly codeLengths: readonly number[];
  readonly numberLength: number;
  /** The value that is asked beside code, number and date. */
  readonly askedBy: 'totalAmount' | 'amountTax' | 'checkCode';
}

/** Types that the product verifies, by their code of two digits. */
export const INVOICE_TYPES: Readonly<Record<string, InvoiceTypeRule>> = {
  '01': { codeLengths: [10], numberLength: 8, askedBy: 'totalAmount' },
  '04': { codeLengths: [12, 10], numberLength: 8, askedBy: 'checkCode' },
  '08': { codeLengths: [12], numberLength: 8, askedBy: 'totalAmount' },
  '10': { codeLengths: [12], numberLength: 8, askedBy: 'checkCode' },
  '11': { codeLengths: [12], numberLength: 8, askedBy: 'checkCode' },
  '14': { codeLengths: [12], numberLength: 8, askedBy: 'checkCode' },
  '31': { codeLengths: [], numberLength: 20, askedBy: 'amountTax' },
  '32': { codeLengths: [], numberLength: 20, askedBy: 'amountTax' },
  '85': { codeLengths: [10], numberLength: 8, askedBy: 'totalAmount' },
  '86': { codeLengths: [12], numberLength: 8, askedBy: 'checkCode' },
};

/** Tax authorities keep invoices for verification about this long. */
const YEARS_KEPT = 5;
const AMOUNT = /^-?\d{1,13}(\.\d{1,2})?$/;

/** True when the type is one of those that have a field. */
export function asksFor(type: string, field: keyof InvoiceQuery): boolean {
  const rule = ruleOf(type);
  if (rule === undefined) return false;
  if (field === 'invoiceCode') return rule.codeLengths.length > 0;
  if (field === 'totalAmount' || field === 'amountTax' || field === 'checkCode')
    return rule.askedBy === field;
  return true;
}

/** The query without blanks, codes in upper case, and without what its type does not ask for. */
export function normaliseInvoiceQuery(query: InvoiceQuery): InvoiceQuery {
  const type = query.invoiceType.trim();
  const kept = (field: keyof InvoiceQuery): string =>
    asksFor(type, field) ? query[field].replace(/\s/g, '') : '';
  return {
    invoiceType: type,
    purchaserTaxNo: query.purchaserTaxNo.replace(/\s/g, '').toUpperCase(),
    invoiceCode: kept('invoiceCode'),
    invoiceNumber: query.invoiceNumber.replace(/\s/g, ''),
    billingDate: query.billingDate.trim().replace(/^(\d{4})[/.]?(\d{2})[/.]?(\d{2})$/, '$1-$2-$3'),
    totalAmount: kept('totalAmount').replaceAll(',', ''),
    amountTax: kept('amountTax').replaceAll(',', ''),
    checkCode: kept('checkCode'),
  };
}

/** Everything that is wrong with a normalised query, in the order of its fields. `today` is yyyy-MM-dd in Shanghai. */
export function invoiceQueryProblems(query: InvoiceQuery, today: string): readonly FieldProblem[] {
  const { invoiceType: type } = query;
  const rule = ruleOf(type);
  const amountOf = (field: 'totalAmount' | 'amountTax', title: string): Finding =>
    asksFor(type, field) ? amountFault(query[field], title) : null;
  const found: readonly (readonly [keyof InvoiceQuery, Finding])[] = [
    ['invoiceType', typeFault(type)],
    ['purchaserTaxNo', taxNoFault(query.purchaserTaxNo)],
    ['invoiceCode', rule === undefined ? null : invoiceCodeFault(type, query.invoiceCode)],
    ['invoiceNumber', invoiceNumberFault(type, query.invoiceNumber)],
    ['billingDate', dateFault(query.billingDate, today)],
    ['totalAmount', amountOf('totalAmount', '不含税金额')],
    ['amountTax', amountOf('amountTax', '价税合计')],
    ['checkCode', asksFor(type, 'checkCode') ? checkCodeFault(query.checkCode) : null],
  ];
  return found.flatMap(([path, message]) =>
    message === null ? [] : [{ path, code: message.endsWith('不能为空') ? 'required' : 'format', message }],
  );
}

/** What is wrong with the code of an invoice of a type; null when it is right. */
export function invoiceCodeFault(type: string, code: string): string | null {
  const rule = ruleOf(type);
  if (rule === undefined) return null;
  if (rule.codeLengths.length === 0) return code === '' ? null : '数电发票没有发票代码';
  if (code === '') return '发票代码不能为空';
  const isRight = /^\d+$/.test(code) && rule.codeLengths.includes(code.length);
  return isRight
    ? null
    : `该类型的发票代码应为${rule.codeLengths.toSorted((a, b) => a - b).join('位或')}位数字`;
}

/** What is wrong with the number of an invoice of a type; null when it is right. */
export function invoiceNumberFault(type: string, number: string): string | null {
  if (number === '') return '发票号码不能为空';
  const length = ruleOf(type)?.numberLength;
  if (length === undefined) return /^\d{8}(\d{12})?$/.test(number) ? null : '发票号码应为数字';
  if (!/^\d+$/.test(number) || number.length !== length) return `该类型的发票号码应为${length}位数字`;
  return null;
}

function ruleOf(type: string): InvoiceTypeRule | undefined {
  return Object.hasOwn(INVOICE_TYPES, type) ? INVOICE_TYPES[type] : undefined;
}

type Finding = string | null;

function typeFault(type: string): Finding {
  if (type === '') return '发票类型不能为空';
  return Object.hasOwn(INVOICE_TYPES, type) ? null : '不支持查验该类型的发票';
}

/** Fifteen to twenty letters and digits; eighteen must be a unified code unless a person's number, which ends a taxpayer's too. */
function taxNoFault(text: string): Finding {
  if (text === '') return '按查验平台要求，受票方税号不能为空';
  if (!/^[0-9A-Z]{15,20}$/.test(text)) return '受票方税号应为15至20位数字或大写字母';
  const isUnified = text.length === 18 && /[A-Z]/.test(text.slice(0, 17));
  return isUnified && checkUnifiedCreditCode(text) !== null ? '受票方税号的校验位不正确' : null;
}

function dateFault(text: string, today: string): Finding {
  if (text === '') return '开票日期不能为空';
  if (!isDate(text)) return '开票日期应如 2026-01-31';
  if (text > today) return '开票日期不能晚于今天';
  const oldest = `${Number(today.slice(0, 4)) - YEARS_KEPT}${today.slice(4)}`;
  return text < oldest ? `只能查验${YEARS_KEPT}年内开具的发票` : null;
}

function amountFault(text: string, title: string): Finding {
  if (text === '') return `${title}不能为空`;
  if (!AMOUNT.test(text) || !isPlainDecimal(text)) return `${title}应为数字，最多两位小数`;
  return /[1-9]/.test(text) ? null : `${title}不能为0`;
}

function checkCodeFault(text: string): Finding {
  if (text === '') return '校验码不能为空';
  return /^\d{6}$/.test(text) ? null : '请填写校验码的后6位数字';
}
