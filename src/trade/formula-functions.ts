import type { FormulaFunction, Value } from '#engine/expression/formula-function.ts';
import { registerFunctions } from '#engine/expression/function-registry.ts';
import { DATE, TEXT, type ValueType } from '#engine/expression/value-type.ts';
import { isDate } from '#engine/values/dates.ts';
import { isPlainDecimal, subtractDecimals } from '#engine/values/decimal.ts';
import { amountInWords } from './amount-in-words.ts';
import { agencyFees, type FeeBasis, type FeeTerms } from './agency-fee.ts';
import { commissionOf, type Tier } from './commission.ts';
import { exchangeGain } from './exchange-gain.ts';
import { fobAmounts } from './fob.ts';

import { LOAN_FUNCTIONS } from './loan-functions.ts';
import { normalisePartyName } from './party-name.ts';
import { sharesOf } from './shares.ts';
import { missingElements } from './declaration-elements.ts';
import { invoiceCodeFault, invoiceNumberFault } from './tax-invoice.ts';
import { settledFee, settledProfit } from './settlement.ts';
import { dayOfNextYear, deemedTax, nonRefundable, refundBase, refundOf } from './tax-refund.ts';

const CNY: ValueType = { kind: 'money', currency: 'CNY' };

/** The arithmetic of the trade that formulas may use, with its types. Nothing comes of what lacks a needed argument. */
const TRADE_FUNCTIONS = {
  /** `party_key(name_en)`: what identifies a company, whatever its legal form and spelling. */
  party_key: {
    title: '名称特征',
    params: ['text'],
    result: TEXT,
    evaluate: ([name]) => (typeof name === 'string' ? normalisePartyName(name) || null : null),
  },
  /** `missing_elements(hs_code_id.elements, join(';', elements.element))`: the declaration elements that are not there. */
  missing_elements: {
    title: '缺少的申报要素',
    params: ['text', 'text'],
    result: TEXT,
    evaluate: ([required, given]) =>
      missingElements(
        typeof required === 'string' ? required : '',
        typeof given === 'string' ? given : '',
      ).join('、') || null,
  },
  /** `invoice_code_fault(invoice_type, invoice_code)`: what is wrong with a VAT invoice's code; alike the next one. */
  invoice_code_fault: {
    title: '发票代码的错误',
    params: ['text', 'text'],
    result: TEXT,
    evaluate: faultOf(invoiceCodeFault),
  },
  invoice_number_fault: {
    title: '发票号码的错误',
    params: ['text', 'text'],
    result: TEXT,
    evaluate: faultOf(invoiceNumberFault),
  },
  /** `amount_words(total_amount, currency)`: the amount in English words, as contracts print it. */
  amount_words: {
    title: '英文大写金额',
    params: ['number', 'text'],
    result: TEXT,
    evaluate: ([amount = null, currency]) =>
      isPlainDecimal(amount) && typeof currency === 'string' ? amountInWords(amount, currency) : null,
  },
  /**
   * `agency_fees(basis, rate, most, shipments, posted, amount_usd, amount_cny, fob_cny, vat, is_liable)`: terms may differ
   * by line; `posted` is the sum of the shipment's fee entries in the ledger, where a charge is negative; `vat` comes on
   * top, none when left out; lines that are not liable (neither goods nor advance) pay nothing, lines without terms are
   * left open.
   */
  agency_fees: {
    title: '代理费',
    params: ['each text', 'each number', 'each number', 'each reference', 'each number', 'each number', 'each number', 'each number', 'each number?', 'each boolean?'], // prettier-ignore
    result: CNY,
    evaluateLines: feesOfLines,
  },
  /** `exchange_gain(received_cny, received, book_rate)`. */
  exchange_gain: {
    title: '汇兑损益',
    params: ['number', 'number', 'number'],
    result: CNY,
    evaluate: withDecimals(([cny, foreign, rate]) => exchangeGain(cny, foreign, rate)),
  },
  ...LOAN_FUNCTIONS,
  /** `tax_refund(net, refund_rate, vat_rate)`. */
  tax_refund: {
    title: '退税额',
    params: ['number', 'number', 'number'],
    result: CNY,
    evaluate: withDecimals(([net, refundRate, vatRate]) => refundOf({ net, refundRate, vatRate })),
  },
  /** `non_refundable(net, refund_rate, vat_rate)`. */
  non_refundable: {
    title: '不予退税额',
    params: ['number', 'number', 'number'],
    result: CNY,
    evaluate: withDecimals(([net, refundRate, vatRate]) => nonRefundable({ net, refundRate, vatRate })),
  },
  /** `refund_base(match_line.net_amount, quantity, match_line.quantity)`. */
  refund_base: {
    title: '计税金额',
    params: ['number', 'number', 'number'],
    result: CNY,
    evaluate: withDecimals(([net, part, whole]) => refundBase(net, part, whole)),
  },
  /** `deemed_tax(fob_cny, vat_rate)`. */
  deemed_tax: {
    title: '视同内销销项税额',
    params: ['number', 'number'],
    result: CNY,
    evaluate: withDecimals(([fob, vatRate]) => deemedTax(fob, vatRate)),
  },
  /** `day_of_next_year(export_date, param('REFUND_DEADLINE', export_date))`. */
  day_of_next_year: {
    title: '次年期限',
    params: ['date', 'text'],
    result: DATE,
    evaluate: ([date, day]) => (isDate(date) && typeof day === 'string' ? dayOfNextYear(date, day) : null),
  },
  /** `month_of(date)`: the number of its month, `202601`. */
  month_of: {
    title: '月份',
    params: ['date'],
    result: TEXT,
    evaluate: ([date]) => (isDate(date) ? date.slice(0, 7).replace('-', '') : null),
  },
  /** `month_start('202601')`: the first day of a month by its number. */
  month_start: {
    title: '月初',
    params: ['text'],
    result: DATE,
    evaluate: ([month]) => {
      const [, year, number] = /^(\d{4})(0[1-9]|1[0-2])$/.exec(typeof month === 'string' ? month : '') ?? [];
      return year === undefined || number === undefined ? null : `${year}-${number}-01`;
    },
  },
  /** `fob_amounts(coalesce(parent.freight, 0) + coalesce(parent.insurance_fee, 0), amount, decimals)`. */
  fob_amounts: {
    title: 'FOB金额',
    params: ['number', 'each number', 'number?'],
    result: ([, amounts]) => (amounts?.kind === 'list' ? amounts.of : (amounts ?? CNY)),
    evaluateLines: ([costs = null, amounts = null, decimals = '2'], count) => {
      const off = decimalOr0(costs);
      return fobAmounts(off, columnOf(amounts, count).map(decimalOr0), Number(decimalOr0(decimals)));
    },
  },
  /** `tiers(base, scheme_id.tiers.from_amount, scheme_id.tiers.rate, scheme_id.progressive)`. */
  tiers: {
    title: '按阶梯计提',
    params: ['number', '[number]', '[number]', 'boolean'],
    result: CNY,
    evaluate: ([base = null, from = null, rates = null, isProgressive]) =>
      isPlainDecimal(base) ? commissionOf(base, tiersOf(from, rates), isProgressive === true) : null,
  },
  /** `settled_fee(basis, rate, min_fee, max_fee, charged, fob_cny, vat)`: `vat` comes on top, none when left out or empty. */
  settled_fee: {
    title: '应收代理费',
    params: ['text', 'number', 'number', 'number', 'number', 'number', 'number?'],
    result: CNY,
    evaluate: ([basis, rate = null, least = null, most = null, charged = null, fobCny = null, vat = null]) =>
      isFeeBasis(basis) && isPlainDecimal(rate)
        ? settledFee({
            basis,
            rate,
            vat: decimalOrNull(vat),
            least: decimalOrNull(least),
            most: decimalOrNull(most),
            charged: decimalOr0(charged),
            fobCny: decimalOrNull(fobCny),
          })
        : null,
  },
  /** `settled_profit(is_own_risk, fee, interest, rebate_fee, spread, cost, vat)`. */
  settled_profit: {
    title: '结算毛利',
    params: ['boolean', 'number', 'number', 'number', 'number', 'number', 'number'],
    result: CNY,
    evaluate: ([isOwnRisk, ...amounts]) => {
      const [fee = '0', interest = '0', rebateFee = '0', spread = '0', cost = '0', vat = '0'] = amounts.map(
        (amount) => decimalOr0(amount),
      );
      return settledProfit({ isOwnRisk: isOwnRisk === true, fee, interest, rebateFee, spread, cost, vat });
    },
  },
  /**
   * `shares_of(receipt_id.bank_charge_cny, receipt_id.amount, receipt_id.id, amount, taken, given)`: each line's share of a
   * total by the part it takes of a whole, in the order of the lines; lines of one key take from one whole, and the line
   * that uses it up takes the remainder. `taken` and `given`: what other documents have of each line's whole.
   * `decimals`: those of the currency, 2 when left out.
   */
  shares_of: {
    title: '逐行按比例分摊',
    params: [
      'each number',
      'each number',
      'each any',
      'each number',
      'each number?',
      'each number?',
      'number?',
    ],
    result: ([total = CNY]) => (total.kind === 'list' ? total.of : total),
    evaluateLines: (
      [totals = null, wholes = null, keys = null, parts = null, taken = null, given = null, decimals = '2'],
      count,
    ) => {
      const column = (value: Value) => columnOf(value, count).map(decimalOr0);
      const [total, whole, part] = [column(totals), column(wholes), column(parts)] as const;
      const [before, had] = [column(taken), column(given)] as const;
      const key = columnOf(keys, count).map((value) => (typeof value === 'string' ? value : ''));
      const lines = part.map((own, line) => ({
        total: total[line] ?? '0',
        whole: whole[line] ?? '0',
        key: key[line] ?? '',
        part: own,
        taken: before[line] ?? '0',
        given: had[line] ?? '0',
      }));
      return sharesOf(lines, decimals === null ? 2 : Number(decimalOr0(decimals)));
    },
  },
} as const satisfies Record<string, FormulaFunction>;

/** Makes the trade's functions known to formulas; called where definitions are read or evaluated. */
export function registerTradeFunctions(): void {
  registerFunctions(TRADE_FUNCTIONS);
}

/** What a check of a code by its type finds; nothing to say of what is not there. */
function faultOf(check: (type: string, code: string) => string | null): (args: readonly Value[]) => Value {
  return ([type, code]) => (typeof type === 'string' && typeof code === 'string' ? check(type, code) : null);
}

/** A function of decimals that gives nothing when one of them is missing. */
function withDecimals(
  apply: (args: readonly [string, string, string]) => string,
): (args: readonly Value[]) => Value {
  return (args) => {
    const [a, b, c] = args.filter(isPlainDecimal);
    if (a === undefined || b === undefined || args.some((value) => !isPlainDecimal(value))) return null;
    return apply([a, b, c ?? '0']);
  };
}

function feesOfLines(args: readonly Value[], count: number): readonly Value[] {
  const [basis, rate, most, shipments, posted, usd, cny, fob, vat, liable] = args.map((arg) =>
    columnOf(arg, count),
  );
  const termsOf = (line: number): FeeTerms | null => {
    const [by, price] = [basis?.[line], decimalAt(rate, line)];
    if (!isFeeBasis(by) || price === null) return null;
    return { basis: by, rate: price, most: decimalAt(most, line), vat: decimalAt(vat, line) };
  };
  return agencyFees(
    Array.from({ length: count }, (_, line) => ({
      terms: termsOf(line),
      shipment: textOrNull(shipments?.[line]),
      charged: subtractDecimals('0', decimalAt(posted, line) ?? '0'),
      amountUsd: decimalAt(usd, line),
      amountCny: decimalAt(cny, line),
      fobCny: decimalAt(fob, line),
      isLiable: liable === undefined || liable[line] === true,
    })),
  );
}

function decimalAt(column: readonly Value[] | undefined, line: number): string | null {
  return decimalOrNull(column?.[line] ?? null);
}

function textOrNull(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

const FEE_BASES = { per_usd: true, pct_cny: true, per_shipment: true, pct_fob: true } as const satisfies Record<FeeBasis, true>; // prettier-ignore

function isFeeBasis(value: unknown): value is FeeBasis {
  return typeof value === 'string' && Object.hasOwn(FEE_BASES, value);
}

function tiersOf(from: Value, rates: Value): readonly Tier[] {
  if (!Array.isArray(from) || !Array.isArray(rates)) return [];
  return from.flatMap((amount: Value, place): readonly Tier[] => {
    const rate: Value = rates[place] ?? null;
    return isPlainDecimal(amount) && isPlainDecimal(rate) ? [{ from: amount, rate }] : [];
  });
}

/** A column as it is; one value stands for every line. */
function columnOf(value: Value, count: number): readonly Value[] {
  return Array.isArray(value) ? value : Array.from({ length: count }, () => value);
}

function decimalOrNull(value: Value): string | null {
  return isPlainDecimal(value) ? value : null;
}

function decimalOr0(value: Value): string {
  return isPlainDecimal(value) ? value : '0';
}
