import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountInChinese } from '#trade/amount-in-chinese.ts';
import {
  asksFor,
  INVOICE_TYPES,
  type InvoiceQuery,
  invoiceQueryProblems,
  normaliseInvoiceQuery,
} from '#trade/tax-invoice.ts';

const TODAY = '2026-11-21';
const PAPER: InvoiceQuery = {
  invoiceType: '01',
  purchaserTaxNo: '91330200MA2AXXXX02',
  invoiceCode: '3302261130',
  invoiceNumber: '01234567',
  billingDate: '2026-10-08',
  totalAmount: '1000.00',
  amountTax: '',
  checkCode: '',
};
const RIGHT = { ...PAPER, purchaserTaxNo: '330226198801011234' };
const faults = (changes: Partial<InvoiceQuery>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    invoiceQueryProblems(normaliseInvoiceQuery({ ...RIGHT, ...changes }), TODAY).map(({ path, message }) => [
      path,
      message,
    ]),
  );

/** The types that ask for a field. */
const asking = (field: keyof InvoiceQuery): readonly string[] =>
  Object.keys(INVOICE_TYPES)
    .filter((type) => asksFor(type, field))
    .sort();

/** Cents as decimal text. */
const text = (value: number): string => `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, '0')}`;

describe('the form of an invoice verification', () => {
  it('takes a right paper invoice and a right digital one', () => {
    expect(faults({})).toEqual({});
    expect(faults({ billingDate: '20261008' })).toEqual({});
    expect(
      faults({
        invoiceType: '31',
        invoiceCode: '3302261130',
        invoiceNumber: '26332000000001234567',
        amountTax: '1,130.00',
        totalAmount: 'x',
      }),
    ).toEqual({});
  });

  it.each<readonly [Partial<InvoiceQuery>, string, string]>([
    [{ invoiceType: '' }, 'invoiceType', '发票类型不能为空'],
    [{ invoiceType: '99' }, 'invoiceType', '不支持查验该类型的发票'],
    [{ invoiceType: '__proto__' }, 'invoiceType', '不支持查验该类型的发票'],
    [{ purchaserTaxNo: '' }, 'purchaserTaxNo', '按查验平台要求，受票方税号不能为空'],
    [{ purchaserTaxNo: '12345' }, 'purchaserTaxNo', '受票方税号应为15至20位数字或大写字母'],
    [{ purchaserTaxNo: '9133020０MA2A00002X' }, 'purchaserTaxNo', '受票方税号应为15至20位数字或大写字母'],
    [{ purchaserTaxNo: '1'.repeat(21) }, 'purchaserTaxNo', '受票方税号应为15至20位数字或大写字母'],
    [{ purchaserTaxNo: '91330200MA2AXXXX02' }, 'purchaserTaxNo', '受票方税号的校验位不正确'],
    [{ invoiceCode: '' }, 'invoiceCode', '发票代码不能为空'],
    [{ invoiceCode: '330226113' }, 'invoiceCode', '该类型的发票代码应为10位数字'],
    [{ invoiceCode: '33022611３0' }, 'invoiceCode', '该类型的发票代码应为10位数字'],
    [{ invoiceType: '04', invoiceCode: '33022611301' }, 'invoiceCode', '该类型的发票代码应为10位或12位数字'],
    [{ invoiceType: '10' }, 'invoiceCode', '该类型的发票代码应为12位数字'],
    [{ invoiceNumber: '' }, 'invoiceNumber', '发票号码不能为空'],
    [{ invoiceNumber: '0123456' }, 'invoiceNumber', '该类型的发票号码应为8位数字'],
    [{ invoiceNumber: '0123456x' }, 'invoiceNumber', '该类型的发票号码应为8位数字'],
    [{ invoiceType: '31' }, 'invoiceNumber', '该类型的发票号码应为20位数字'],
    [{ billingDate: '' }, 'billingDate', '开票日期不能为空'],
    [{ billingDate: '2026-02-30' }, 'billingDate', '开票日期应如 2026-01-31'],
    [{ billingDate: '20261308' }, 'billingDate', '开票日期应如 2026-01-31'],
    [{ billingDate: '2026-11-22' }, 'billingDate', '开票日期不能晚于今天'],
    [{ billingDate: '2021-11-20' }, 'billingDate', '只能查验5年内开具的发票'],
    [{ totalAmount: '' }, 'totalAmount', '不含税金额不能为空'],
    [{ totalAmount: '1e3' }, 'totalAmount', '不含税金额应为数字，最多两位小数'],
    [{ totalAmount: '0x1F' }, 'totalAmount', '不含税金额应为数字，最多两位小数'],
    [{ totalAmount: '1.234' }, 'totalAmount', '不含税金额应为数字，最多两位小数'],
    [{ totalAmount: '99999999999999.00' }, 'totalAmount', '不含税金额应为数字，最多两位小数'],
    [{ totalAmount: '0.00' }, 'totalAmount', '不含税金额不能为0'],
    [{ invoiceType: '32', amountTax: '' }, 'amountTax', '价税合计不能为空'],
    [{ invoiceType: '11', checkCode: '' }, 'checkCode', '校验码不能为空'],
    [{ invoiceType: '86', checkCode: '12345' }, 'checkCode', '请填写校验码的后6位数字'],
  ])('refuses %j at %s', (changes, path, message) => {
    expect(faults(changes)[path]).toBe(message);
  });

  it('asks by the table of types', () => {
    expect(asking('totalAmount')).toEqual(['01', '08', '85']);
    expect(asking('amountTax')).toEqual(['31', '32']);
    expect(asking('checkCode')).toEqual(['04', '10', '11', '14', '86']);
    expect(Object.keys(INVOICE_TYPES).filter((type) => !asksFor(type, 'invoiceCode'))).toEqual(['31', '32']);
  });
});

describe('amounts in Chinese', () => {
  it.each([
    ['0', '零圆整'],
    ['0.05', '伍分'],
    ['0.50', '伍角整'],
    ['1.05', '壹圆零伍分'],
    ['10', '壹拾圆整'],
    ['1234.50', '壹仟贰佰叁拾肆圆伍角整'],
    ['100000.00', '壹拾万圆整'],
    ['100001', '壹拾万零壹圆整'],
    ['1001000', '壹佰万壹仟圆整'],
    ['30005000.01', '叁仟万伍仟圆零壹分'],
    ['100000000', '壹亿圆整'],
    ['100000001', '壹亿零壹圆整'],
    ['120034005006.78', '壹仟贰佰亿叁仟肆佰万伍仟零陆圆柒角捌分'],
    ['-12.30', '负壹拾贰圆叁角整'],
  ])('%s', (amount, words) => {
    expect(amountInChinese(amount)).toBe(words);
  });

  it('differ for different amounts, and never say zero twice', () => {
    const cents = fc.integer({ min: 0, max: 10 ** 14 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const [first, second] = [amountInChinese(text(a)), amountInChinese(text(b))];
        expect(first === second).toBe(a === b);
        expect(first).not.toMatch(/零零|undefined/);
      }),
    );
  });
});
