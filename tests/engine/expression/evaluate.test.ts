import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, type Value } from '#engine/expression/evaluate.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { shares } from '#engine/expression/spread.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, EvaluationContext } from '#engine/schema/resource.ts';
import { compareDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';
import { context, resourceOf } from '../schema/example-files.ts';

const catalog = aCatalog(
  aContract(
    {},
    {
      a: { type: 'decimal', title: '甲' },
      b: { type: 'decimal', title: '乙' },
      vat_rate: { type: 'percent', title: '税率' },
      is_urgent: { type: 'boolean', title: '加急' },
      freight: { type: 'money', title: '运费', currency: 'CNY' },
      items: {
        type: 'lines',
        title: '明细',
        fields: {
          amount: { type: 'money', title: '金额', currency: 'CNY' },
          rebate: { type: 'percent', title: '退税率' },
          is_billed: { type: 'boolean', title: '已开票' },
          line_id: { type: 'reference', title: '合同行', to: 'contract.items' },
        },
      },
    },
  ),
  aCustomer({
    fields: { name: { type: 'text', title: '名称' }, discount: { type: 'percent', title: '折扣' } },
  }),
);
const contract = resourceOf(catalog, 'contract');

function run(formula: string, record: ErpRecord = {}, given: Partial<EvaluationContext> = {}): Value {
  const scope: Scope = { resource: contract, catalog, record, context: context(given) };
  return evaluate(parseExpression(formula), scope);
}

function runInLine(formula: string, parent: ErpRecord, record: ErpRecord): Value {
  const scope: Scope = { resource: contract, catalog, record, parent, lines: 'items', context: context() };
  return evaluate(parseExpression(formula), scope);
}

const parent = (weights: readonly string[], freight: string): ErpRecord => ({
  freight,
  items: weights.map((amount) => ({ amount })),
});
const spreadOver = (head: ErpRecord): Value[] => {
  const lines: unknown = head['items'];
  return (Array.isArray(lines) ? (lines as ErpRecord[]) : []).map((line) =>
    runInLine('spread(parent.freight, amount)', head, line),
  );
};

/** Whole cents as decimal text. */
function centText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function bookRate(currency: string, kind: string, date: string): string | null {
  return currency === 'USD' && kind === 'book' && date === '2026-03-01' ? '7.080000' : null;
}

function deadlineOn(name: string, date: string): string | null {
  if (name !== 'REFUND_DEADLINE') return null;
  return date < '2026' ? '04-30' : '04-28';
}

describe('arithmetic', () => {
  it('is exact and follows precedence', () => {
    expect(run('0.1 + 0.2')).toBe('0.3');
    expect(run('1 + 2 * 3 - (4 - 2) / 2')).toBe('6');
    expect(run('-a * -2', { a: '1.5' })).toBe('3');
  });

  it('agrees with whole-number arithmetic', () => {
    const cents = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n });
    fc.assert(
      fc.property(cents, cents, cents, (a, b, amount) => {
        const record = { a: centText(a), b: centText(b), amount: centText(amount) };
        const expected = a * b - amount * 100n;
        const result = run('(a * b - amount) * 10000', record);
        expect(compareDecimals(String(result), String(expected))).toBe(0);
      }),
    );
  });

  it('takes a long quotient on: a third of ten times three is ten again', () => {
    expect(run('round(10 / 3 * 3, 2)')).toBe('10.00');
    expect(run('round(amount / (1 + vat_rate), 2)', { amount: '100000.00', vat_rate: '13.0000' })).toBe(
      '88495.58',
    );
    expect(run('round(100 / 7, 4)')).toBe('14.2857');
  });

  it('rounds half-up on both sides of zero', () => {
    expect(run('round(2.345, 2)')).toBe('2.35');
    expect(run('round(-2.345, 2)')).toBe('-2.35');
    expect(run('round(2.5)')).toBe('3');
    expect(run('round(2.55, 1.9)')).toBe('2.6');
  });

  it('counts what is empty as 0 in + and -, and as nothing in * and /', () => {
    expect(run('a + 1')).toBe('1');
    expect(run('1 - a')).toBe('1');
    expect(run('a + b')).toBeNull();
    expect(run('a * 2')).toBeNull();
    expect(run('2 / a')).toBeNull();
    expect(run('-a')).toBeNull();
  });

  it('divides by zero to nothing', () => {
    expect(run('1 / 0')).toBeNull();
    expect(run('coalesce(1 / a, 5)', { a: '0.00' })).toBe('5');
  });

  it('reads percents as fractions, in the head, in lines and behind references', () => {
    const record = {
      vat_rate: '13.0000',
      buyer_id: 'x',
      _paths: { 'buyer_id.discount': '2.5' },
      items: [{ rebate: '9' }, { rebate: '4' }],
    };
    expect(run('vat_rate', record)).toBe('0.13');
    expect(run('buyer_id.discount', record)).toBe('0.025');
    expect(run('sum(items.rebate)', record)).toBe('0.13');
    expect(runInLine('parent.vat_rate + rebate', record, { rebate: '9' })).toBe('0.22');
  });
});

describe('functions', () => {
  const items = [{ amount: '1.10' }, { amount: null }, { amount: '2.20' }];

  it('sum and count over lines', () => {
    expect(run('sum(items.amount)', { items })).toBe('3.3');
    expect(run('sum(items.amount)', {})).toBe('0');
    expect(run('count(items)', { items })).toBe('3');
    expect(run('count(items.amount)', { items })).toBe('2');
    expect(run('count(items)', {})).toBe('0');
  });

  it('min and max of numbers, dates and columns, skipping what is empty', () => {
    expect(run('min(9, 10, a)')).toBe('9');
    expect(run('max(items.amount)', { items })).toBe('2.20');
    expect(run("max('2026-01-02', sign_date)", { sign_date: '2026-03-01' })).toBe('2026-03-01');
    expect(run('min(a)')).toBeNull();
  });

  it('if, coalesce and ?: choose without computing errors of the other branch', () => {
    expect(run('if(is_urgent, 1, 2)', { is_urgent: true })).toBe('1');
    expect(run('is_urgent ? 1 : 2')).toBe('2');
    expect(run('coalesce(a, b, 7)', { b: '0' })).toBe('0');
  });

  it('dates', () => {
    expect(run('days(sign_date, today())', { sign_date: '2026-03-01' })).toBe('30');
    expect(run('days(sign_date, today)', { sign_date: '2026-03-01' })).toBe('30');
    expect(run('now')).toEqual(expect.stringMatching(/^\d{4}-\d\d-\d\dT/));
    expect(run("addDays('2026-02-27', 2)")).toBe('2026-03-01');
    expect(run("addDays('2026-03-01', 0 - 1)")).toBe('2026-02-28');
    expect(run('year(sign_date)', { sign_date: '2025-12-31' })).toBe('2025');
    expect(run("addDays('2026-02-27', 99999999999)")).toBeNull();
    expect(run("addMonths('2028-02-29', 12)")).toBe('2029-02-28');
    expect(run("addMonths('2026-02-27', 99999999999)")).toBeNull();
    expect(run('days(a, today())')).toBeNull();
  });

  it('param and rate come from the surroundings, nothing when unknown', () => {
    expect(run("param('QTY_TOLERANCE') * 100", {}, { params: { QTY_TOLERANCE: '0.05' } })).toBe('5');
    expect(run("param('constructor')")).toBeNull();
    expect(run("rate('USD', 'book', '2026-03-01')", {}, { rate: bookRate })).toBe('7.080000');
    expect(run("rate('USD', 'book')", {}, { rate: bookRate })).toBeNull();
    expect(run("rate('CNY', 'book')")).toBe('1');
  });

  it('texts come apart into a column and together again, in their order', () => {
    expect(run("parts('品名；材质;用途', ';')")).toEqual(['品名', '材质', '用途']);
    expect(run("places(parts('a;b;c', ';'))")).toEqual(['1', '2', '3']);
    expect(run("parts(contract_no, ';')")).toEqual([]);
    expect(run("join('|', parts('a;b;a', ';'))")).toBe('a|b|a');
    expect(run("join(', ', parts('a;b;a', ';'), true)")).toBe('a, b');
    expect(run("join(', ', tags, true)", { tags: [] })).toBeNull();
    expect(run("length('8481804090')")).toBe('10');
    expect(run('length(contract_no)')).toBe('0');
  });

  it('contains looks into text and lists', () => {
    expect(run("contains(contract_no, 'B')", { contract_no: 'ABC' })).toBe(true);
    expect(run("contains(tags, 'b')", { tags: ['a', 'b'] })).toBe(true);
    expect(run("contains(contract_no, 'B')")).toBe(false);
  });
});

describe('comparisons', () => {
  it('compare numbers by value and take empty text for nothing', () => {
    expect(run("a == '1.50' && a < 10", { a: '1.5' })).toBe(true);
    expect(run("contract_no == ''")).toBe(true);
    expect(run("contract_no != '' || !is_urgent", { is_urgent: true })).toBe(false);
    expect(run('a > 0')).toBe(false);
    expect(run('is_urgent == false')).toBe(true);
  });

  it('never throw, whatever the record holds', () => {
    const formulas = [
      'a + b * vat_rate / amount', 'sum(items.amount)', 'round(a, b)', 'min(a, items.amount)', 'days(a, b)', 'addDays(a, b)', 'addMonths(a, b)',
      'year(sign_date)', 'a < b && is_urgent', "rate(contract_no, 'book', sign_date)", 'contains(tags, a)', 'count(items)', 'if(a, b, items)',
    ]; // prettier-ignore
    const keys = ['a', 'b', 'vat_rate', 'amount', 'items', 'sign_date', 'is_urgent', 'contract_no', 'tags'];
    fc.assert(
      fc.property(fc.constantFrom(...formulas), fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (formula, record) => {
        expect(() => run(formula, record)).not.toThrow();
      }),
      { numRuns: 2_000 },
    ); // prettier-ignore
  });
});

describe('names of other records', () => {
  const items = [
    { id: 'a', amount: '1.00' },
    { id: 'b', amount: '2.50' },
  ];
  const before = { freight: '5.00', items: [{ id: 'b', amount: '2.00' }] };
  const inLine = (place: number, formula: string): Value => {
    const scope = {
      resource: contract,
      catalog,
      record: items[place] ?? {},
      parent: { items, freight: '7.00' },
      before,
    };
    return evaluate(parseExpression(formula), { ...scope, lines: 'items', context: context() });
  };

  it('above is the line before, nothing for the first', () => {
    expect(inLine(1, 'amount + above.amount')).toBe('3.5');
    expect(inLine(0, 'above.amount')).toBeNull();
  });

  it('before is the record before the write, of a line the same line, nothing where there was none', () => {
    expect(inLine(1, 'amount - before.amount')).toBe('0.5');
    expect(inLine(0, 'before.amount')).toBeNull();
    expect(inLine(0, 'parent.freight - before.parent.freight')).toBe('2');
    expect(run('before.amount == null', { amount: '1' })).toBe(true);
  });

  it('source is the declaring record, given a name of the construct, company and input are of the surroundings', () => {
    const source: Scope = {
      resource: contract,
      catalog,
      record: { vat_rate: '13.0000', items },
      context: context(),
    };
    const given = {
      company: { tax_no: '9131' },
      input: { amount: '3.00', lines: [{ amount: '1' }, { amount: '2' }] },
    };
    const scope: Scope = { ...source, record: {}, source, given: { given: '9' }, context: context(given) };
    const read = (formula: string): Value => evaluate(parseExpression(formula), scope);
    expect(read('source.vat_rate')).toBe('0.13');
    expect(read('sum(source.items.amount)')).toBe('3.5');
    expect(read('min(given, input.amount)')).toBe('3.00');
    expect(read('sum(input.lines.amount)')).toBe('3');
    expect(read("text(company.tax_no, '/', user.co_code)")).toBe('9131/AA');
  });
});

describe('columns', () => {
  const items = [
    { amount: '1.10', rebate: '9', is_billed: true },
    { amount: null, rebate: '4', is_billed: true },
    { amount: '2.20', rebate: '13' },
    { amount: '4.00', rebate: '0', is_billed: false },
  ];

  it.each([
    ['sum(items.amount, items.amount > 2)', '6.2'],
    ['sum(items.amount * items.rebate)', '0.385'],
    ['sum(items.amount, items.is_billed)', '1.1'],
    ['count(items, !items.is_billed)', '2'],
    ['count(items.amount, items.is_billed)', '1'],
    ['max(items.amount, items.rebate == 0.09)', '1.10'],
    ['max(items.amount, 3, a)', '4.00'],
    ['round(avg(items.amount), 2)', '2.43'],
    ['avg(items.amount, items.amount > 9)', null],
    ['first(items.amount, items.rebate < 0.09)', '4.00'],
    ['last(items.amount, items.is_billed)', '1.10'],
    ['sum(if(items.is_billed, items.amount, 0))', '1.1'],
    ['sum(round(items.amount * 1.05, 1))', '7.7'],
    ['count(items, true)', '4'],
    ['sum(items.amount, is_urgent)', '0'],
  ])('%s is %s', (formula, expected) => {
    expect(run(formula, { items })).toBe(expected);
  });
});

describe('further functions', () => {
  it.each([
    ['floor(10499998.95, 0)', '10499998'],
    ["floor(10.999, decimals('JPY'))", '10'],
    ["round(10.999, decimals('USD'))", '11.00'],
    ['ceil(1.001, 2)', '1.01'],
    ['floor(-1.5)', '-2'],
    ['abs(-2.5)', '2.5'],
    ['step(12.3, 5)', '15'],
    ['step(15, 5)', '15'],
    ['step(31, 0)', null],
    ["quarter('2026-11-20')", '4'],
    ["month('2026-11-20')", '11'],
    ["dayOf('2026-11-20T17:00:00.000Z')", '2026-11-21'],
    ["addWorkdays('2025-04-10', 10)", '2025-04-24'],
    ["addWorkdays('2025-04-12', 0)", '2025-04-14'],
    ["addWorkdays('2025-04-14', -1)", '2025-04-11'],
    [
      "text('共 ', a, ' 件，', amount, '，', vat_rate, '，', is_urgent)",
      '共 1,200.5 件，1,234.50，13.00%，是',
    ],
    ['text(items.amount)', '1.00、2.00'],
    ["words(' / ', contract_no, null, amount, '')", '20260001 / 1,234.50'],
    [
      "text(coalesce(contract_no, 'x'), ' ', round(a * 2, 1), ' ', sum(items.amount))",
      '20260001 2,401.0 3.00',
    ],
  ])('%s is %s', (formula, expected) => {
    const record = {
      contract_no: '20260001',
      a: '1200.5000',
      amount: '1234.5',
      vat_rate: '13',
      is_urgent: true,
      items: [{ amount: '1' }, { amount: '2' }],
    };
    expect(run(formula, record)).toBe(expected);
  });

  it('takes holidays and moved working days from the table', () => {
    const workdays = { '2026-10-01': 'rest', '2026-10-02': 'rest', '2026-10-10': 'work' } as const;
    expect(run("addWorkdays('2026-09-30', 1)", {}, { workdays })).toBe('2026-10-05');
    expect(run("addWorkdays('2026-10-09', 1)", {}, { workdays })).toBe('2026-10-10');
  });

  it('takes a parameter as of a date', () => {
    expect(run("param('REFUND_DEADLINE', '2025-06-01')", {}, { paramOn: deadlineOn })).toBe('04-30');
    expect(
      run("param('REFUND_DEADLINE', sign_date)", { sign_date: '2026-06-01' }, { paramOn: deadlineOn }),
    ).toBe('04-28');
    expect(run("param('REFUND_DEADLINE', sign_date)", {}, { paramOn: deadlineOn })).toBeNull();
  });

  it('looks up a table by its keys, others under *', () => {
    const tables = {
      clause: {
        title: '条款',
        keys: ['原因', '项'],
        value: 'number',
        rows: { default: { days: 60 }, '*': { days: 10, ratio: 0.8 } },
      },
    } as const;
    const look = (formula: string): Value =>
      evaluate(parseExpression(formula), {
        resource: contract,
        catalog: { ...catalog, tables },
        record: {},
        context: context(),
      });
    expect(look("lookup('clause', 'default', 'days')")).toBe('60');
    expect(look("lookup('clause', 'bankruptcy', 'ratio')")).toBe('0.8');
    expect(look("lookup('clause', 'default', 'ratio')")).toBeNull();
    expect(look("lookup('constructor', 'x', 'y')")).toBeNull();
  });
});

describe('spread', () => {
  it('gives each line its share and the last the remainder', () => {
    expect(spreadOver(parent(['1', '1', '1'], '100.00'))).toEqual(['33.33', '33.33', '33.34']);
    expect(spreadOver(parent(['3333.33', '3333.33', '3333.34'], '100.00'))).toEqual([
      '33.33',
      '33.33',
      '33.34',
    ]);
  });

  it('gives never more than what is left', () => {
    expect(spreadOver(parent(['1', '1', '1', '1', '1', '1'], '0.03'))).toEqual([
      '0.01', '0.01', '0.01', '0.00', '0.00', '0.00',
    ]); // prettier-ignore
  });

  it('gives every line the same where no weight tells them apart', () => {
    expect(spreadOver(parent(['0', '0'], '5'))).toEqual(['2.50', '2.50']);
    expect(spreadOver(parent(['0', '0', '0'], '5'))).toEqual(['1.67', '1.67', '1.66']);
    expect(spreadOver(parent(['1', '-1'], '0.01'))).toEqual(['0.01', '0.00']);
    expect(spreadOver({ freight: '5', items: [{}, {}] })).toEqual(['2.50', '2.50']);
    expect(spreadOver({ freight: '5', items: [] })).toEqual([]);
  });

  it('is nothing without a total, and outside lines', () => {
    expect(spreadOver({ items: [{ amount: '1' }] })).toEqual([null]);
    expect(run('spread(a, b)', { a: '1', b: '1' })).toBeNull();
  });

  it('always adds up to the total', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 }).map((value) => (value / 100).toFixed(2));
    fc.assert(
      fc.property(cents, fc.array(cents, { minLength: 1, maxLength: 12 }), (total, weights) => {
        const parts = shares(total, weights);
        fc.pre(parts !== null);
        expect(compareDecimals(sumDecimals(parts ?? []), total)).toBe(0);
        for (const part of parts ?? []) expect(compareDecimals(part, '0')).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
