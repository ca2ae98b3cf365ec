import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFilter } from '#engine/filter/check-filter.ts';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { filterPaths } from '#engine/filter/filter-paths.ts';
import { filterToSql, sortToSql } from '#engine/filter/filter-to-sql.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { FilterSqlFault } from '#engine/filter/path-sql.ts';
import { FILTER_OPERATORS, type Filter } from '#engine/schema/definition.ts';
import type { ErpRecord, EvaluationContext } from '#engine/schema/resource.ts';
import { context, exampleCatalog, resourceOf } from '../schema/example-files.ts';

const catalog = exampleCatalog();
const resource = resourceOf(catalog, 'export_contract');
const place = { resource, catalog };

function faults(filter: unknown, lines?: string): readonly string[] {
  return checkFilter(filter, lines === undefined ? place : { ...place, lines }).map(
    ({ path, message }) => `${path} ${message}`,
  );
}

function matches(filter: Filter, record: ErpRecord, given: Partial<EvaluationContext> = {}): boolean {
  return matchesFilter(filter, { ...place, record, context: context(given) });
}

function sql(filter: Filter): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  return { text: filterToSql(filter, { ...place, alias: 't', context: context(), values }), values };
}

describe('checkFilter', () => {
  it('answers a hidden field as one that is not there, at its place, and never suggests it', () => {
    const hiding = { ...place, isHidden: (path: string) => path === 'sign_date' };
    const asked = { and: [{ sign_date: { null: false } }, { sign_dat: { null: false } }] };
    expect(checkFilter(asked, hiding)).toEqual([
      { path: 'and.0.sign_date', message: '未知字段 "sign_date"' },
      { path: 'and.1.sign_dat', message: '未知字段 "sign_dat"' },
    ]);
  });

  it('tells what else forbids a comparison at its place', () => {
    const refusalOf = (path: string, operators: readonly string[]) =>
      path === 'total_amount' && operators.includes('gt') ? { code: 'masked', message: '不可' } : null;
    const asked = { or: [{ total_amount: { gt: '1' } }, { total_amount: { eq: '1' } }] };
    expect(checkFilter(asked, { ...place, refusalOf })).toEqual([
      { path: 'or.0.total_amount', code: 'masked', message: '不可' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a field that is close to a known one', { sign_dat: { eq: '2026-01-01' } }, 'sign_dat 未知字段 "sign_dat"，是否想写 "sign_date"？'],
    ['a day that does not exist', { sign_date: { eq: '2026-02-30' } }, 'sign_date.eq 签约日期应为日期，例如 2026-11-20'],
    ['text for an amount', { total_amount: { gt: 'abc' } }, 'total_amount.gt 合同总额应为普通小数文本，例如 "12.50"'],
    ['an exponent', { total_amount: { gt: '1e400' } }, 'total_amount.gt 合同总额应为普通小数文本，例如 "12.50"'],
    ['a number that is none', { total_amount: { gt: Number.NaN } }, 'total_amount.gt 合同总额应为普通小数文本，例如 "12.50"'],
    ['a fraction that JSON may have bent', { total_amount: { gt: 0.1 } }, 'total_amount.gt 合同总额应为普通小数文本，例如 "12.50"'],
    ['a name for an id', { buyer_id: { eq: 'ACME' } }, 'buyer_id.eq 国外客户应为记录编号（id）'],
    ['NUL', { contract_no: { contains: 'a\u0000' } }, 'contract_no.contains 外销合同号含有不能使用的字符'],
    ['too long a list', { status: { in: Array.from({ length: 201 }, () => 'draft') } }, 'status.in 列表不能超过 200 个值'],
    ['no list', { status: { in: 'draft' } }, 'status.in in 的值应为列表'],
    ['half a range', { sign_date: { between: ['2026-01-01'] } }, 'sign_date.between between 的值应为 [起, 止]'],
    ['an unknown operator', { status: { like: 'x' } }, `status.like 未知比较方式 "like"，可用：${FILTER_OPERATORS.join('、')}`],
    ['an operator of other fields', { buyer_id: { contains: 'x' } }, 'buyer_id.contains 国外客户不能用 contains 比较，可用：eq、ne、in、nin、null'],
    ['lines compared as a value', { items: { eq: '1' } }, 'items.eq 商品明细不能用 eq 比较，可用：null'],
    ['a bare value', { status: 'draft' }, 'status 比较应为 { 比较方式: 值 }，例如 { "eq": "draft" }'],
    ['an inherited name', { constructor: { eq: 'x' } }, 'constructor 未知字段 "constructor"'],
    ['a list of the person where one value belongs', { sales_id: { eq: { $: 'user.sales_ids' } } }, 'sales_id.eq user.sales_ids 是列表，应与 in、nin 或 hasAny 一起使用'],
    ['a value of the person of another kind', { sign_date: { eq: { $: 'user.name' } } }, 'sign_date.eq 签约日期应为日期，例如 2026-11-20'],
    ['something the person does not have', { contract_no: { eq: { $: 'user.token' } } }, 'contract_no.eq 未知取值 "user.token"'],
    ['a broken formula', { total_amount: { gt: { '=': 'a +' } } }, 'total_amount.gt 公式错误：语法不正确'],
  ])('refuses %s', (_what, filter, message) => {
    expect(faults(filter)).toEqual([message]);
  }); // prettier-ignore

  it('refuses a path beyond lines of another record', () => {
    expect(faults({ 'items.goods_id.hs_code': { eq: '1' } })).toEqual([]);
    expect(faults({ 'buyer_id.contacts.name': { eq: '1' } })).toHaveLength(1);
  });

  it('refuses what is nested too deep or has too many conditions', () => {
    const deep = (levels: number): unknown => (levels === 0 ? {} : { and: [deep(levels - 1)] });
    expect(faults(deep(7))).toEqual([]);
    expect(faults(deep(8))).toHaveLength(1);
    expect(faults({ or: Array.from({ length: 60 }, () => ({ and: [{ status: { eq: 'a' } }, { status: { eq: 'b' } }] })) })).toEqual(['or.50.and.0.status 条件不能超过 100 个']); // prettier-ignore
  });

  it('says something about any JSON and never throws', () => {
    const keys = fc.constantFrom(
      'status',
      'items.quantity',
      'sign_date',
      'and',
      'or',
      '__proto__',
      'toString',
      'x.y',
      '',
      'input.a',
    );
    const ops = fc.constantFrom(...FILTER_OPERATORS, 'constructor', '$', '=');
    const wild = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.dictionary(ops, fc.jsonValue()))),
    );
    fc.assert(
      fc.property(wild, (filter) => {
        expect(() => checkFilter(filter, place)).not.toThrow();
        expect(() => filterPaths(filter as Filter)).not.toThrow();
        expect(typeof describeFilter(filter as Filter, place)).toBe('string');
      }),
      { numRuns: 3_000 },
    ); // prettier-ignore
  });
});

describe('matchesFilter', () => {
  it('does not take null for a value, except where nothing is asked for', () => {
    expect(matches({ contract_no: { eq: 'A' } }, {})).toBe(false);
    expect(matches({ contract_no: { ne: 'A' } }, {})).toBe(true);
    expect(matches({ contract_no: { nin: ['A'] } }, {})).toBe(true);
    expect(matches({ contract_no: { nin: [] } }, {})).toBe(true);
    expect(matches({ contract_no: { in: [] } }, {})).toBe(false);
    expect(matches({ contract_no: { eq: null } }, { contract_no: '' })).toBe(true);
    expect(matches({ total_amount: { lt: '1' } }, {})).toBe(false);
  });

  it('compares amounts by value and codes letter by letter', () => {
    expect(matches({ total_amount: { eq: '1.5' } }, { total_amount: '1.50' })).toBe(true);
    expect(matches({ contract_no: { eq: '1' } }, { contract_no: '01' })).toBe(false);
    expect(matches({ total_amount: { gt: '9' } }, { total_amount: '10' })).toBe(true);
  });

  it('takes % and _ as they are and ignores case', () => {
    expect(matches({ contract_no: { contains: 'a%' } }, { contract_no: 'xA%y' })).toBe(true);
    expect(matches({ contract_no: { contains: 'a%' } }, { contract_no: 'xAby' })).toBe(false);
  });

  it('reads lines, references, the person, inputs and formulas', () => {
    const record = {
      sales_id: '00000000-0000-7000-8000-000000000002',
      total_amount: '100.00',
      freight: '60.00',
      items: [{ quantity: '1' }, { quantity: '5' }],
      _paths: { 'buyer_id.country_id.is_sanctioned': true },
    };
    expect(matches({ 'items.quantity': { gt: '4' } }, record)).toBe(true);
    expect(matches({ 'items.quantity': { gt: '5' } }, record)).toBe(false);
    expect(matches({ 'buyer_id.country_id.is_sanctioned': { eq: true } }, record)).toBe(true);
    expect(matches({ sales_id: { in: { $: 'user.sales_ids' } } }, record)).toBe(true);
    expect(matches({ freight: { gt: { '=': 'total_amount / 2' } } }, record)).toBe(true);
    expect(matches({ 'input.days': { lte: '30' } }, record, { input: { days: '7' } })).toBe(true);
    expect(matches({ freight: { lt: { $: 'record.total_amount' } } }, record)).toBe(true);
  });

  it('takes a day for the whole day in Shanghai', () => {
    const at = { created_at: '2026-03-31T15:59:59.999999Z' };
    expect(matches({ created_at: { lte: '2026-03-31' } }, at)).toBe(true);
    expect(matches({ created_at: { eq: { $: 'today' } } }, at)).toBe(true);
    expect(matches({ created_at: { gt: '2026-03-31' } }, at)).toBe(false);
    expect(matches({ created_at: { gte: '2026-04-01' } }, at)).toBe(false);
  });

  it('is the other one for ne and nin', () => {
    const pool = fc.constantFrom(null, 'a', 'A', '1', '01');
    fc.assert(
      fc.property(pool, fc.array(fc.constantFrom('a', 'A', '1', '01'), { maxLength: 3 }), (value, list) => {
        const record = { contract_no: value };
        const [first = 'a'] = list;
        expect(matches({ contract_no: { nin: list } }, record)).toBe(!matches({ contract_no: { in: list } }, record));
        expect(matches({ contract_no: { ne: first } }, record)).toBe(!matches({ contract_no: { eq: first } }, record));
      }),
    ); // prettier-ignore
  });

  it('never matches what is no filter', () => {
    expect(matches(JSON.parse('{"status": null}') as Filter, { status: 'draft' })).toBe(false);
    expect(matches(JSON.parse('{"or": [1]}') as Filter, { status: 'draft' })).toBe(false);
  });
});

describe('filterToSql', () => {
  it('binds every value and quotes every name', () => {
    expect(sql({ contract_no: { eq: "x'; drop table y; --" } })).toEqual({
      text: 't."contract_no" = $1::text',
      values: ["x'; drop table y; --"],
    });
  });

  it('keeps to the company when it follows references', () => {
    expect(sql({ 'buyer_id.country_id.is_sanctioned': { eq: true } }).text).toContain(
      't_3.co_code = t.co_code',
    );
  });

  it('binds values of the person and formulas that read no field', () => {
    expect(sql({ sales_id: { in: { $: 'user.sales_ids' } } }).values).toEqual([context().subject.sales_ids]);
    expect(sql({ sign_date: { gte: { '=': 'addDays(today(), 0 - 30)' } } }).values).toEqual(['2026-03-01']);
  });

  it('refuses what has no SQL form', () => {
    for (const filter of [
      { freight: { gt: { '=': "rate(currency, 'book')" } } },
      { freight: { in: { '=': 'total_amount / 2' } } },
      { freight: { gt: { $: 'record.total_amount' } } },
      { freight: { gt: { '=': 'today()' } } },
      { nothing: { eq: 'x' } },
      { constructor: { eq: 'x' } },
      { freight: { like: 'x' } },
    ])
      expect(() => sql(filter as Filter)).toThrow(FilterSqlFault);
  });

  it('sorts references by their label and empty values last', () => {
    expect(sortToSql(['-sign_date', 'buyer_id'], { ...place, alias: 't' })).toMatch(
      /^t\."sign_date" desc nulls last, \(select /,
    );
    expect(sortToSql([], { ...place, alias: 't' })).toBe('');
  });
});

describe('describeFilter', () => {
  it.each<[Filter, string]>([
    [{}, '总是'],
    [{ sign_date: { gte: '2026-01-01' } }, '签约日期不早于「2026-01-01」'],
    [{ freight: { null: true }, total_amount: { gt: '1234.50' } }, '运费为空，且合同总额大于1,234.5'],
    [{ or: [{ status: { eq: 'draft' } }, { status: { in: ['approved', 'void'] } }] }, '（状态为「草稿」，或状态为「已审核」或「已作废」）'],
    [{ sales_id: { in: { $: 'user.sales_ids' } } }, '业务员为本人及服务对象'],
    [{ 'items.quantity': { lte: { $: 'record.freight' } } }, '商品明细的数量不大于运费'],
    [{ freight: { gt: { '=': 'total_amount / 2' } } }, '运费大于合同总额 ÷ 2'],
    [{ status: { in: [] } }, '状态为（无）'],
    [{ buyer_id: { eq: '01936bcf-c9c0-7123-bd49-fc10d4387cc0' } }, '国外客户为指定的记录'],
    [{ id: { in: ['01936bcf-c9c0-7123-bd49-fc10d4387cc0', '01936bcf-c9c0-7123-bd49-fc10d4387cc1'] } }, '编号为指定的2条记录'],
    [{ status: { eq: 'constructor' } }, '状态为「constructor」'],
  ])('%j', (filter, sentence) => {
    expect(describeFilter(filter, place)).toBe(sentence);
  }); // prettier-ignore

  it('names what stands in a group', () => {
    const { status } = resource.fields;
    if (status === undefined) throw new TypeError('no status');
    const fields = { ...resource.fields, status: { ...status, groups: { dead: ['rejected', 'void'] } } };
    const here = { resource: { ...resource, fields }, catalog };
    expect(describeFilter({ status: { in: '@dead' } }, here)).toBe('状态为「已驳回」或「已作废」');
    expect(describeFilter({ status: { nin: ['draft', '@dead'] } }, here)).toBe(
      '状态不为「草稿」、「已驳回」、「已作废」',
    );
  });
});

describe('filterPaths', () => {
  it('lists each path once', () => {
    expect(filterPaths({ and: [{ a: { eq: 1 } }, { or: [{ 'b.c': { eq: 1 } }, { a: { null: true } }] }], d: { ne: 2 } })).toEqual(['a', 'b.c', 'd']); // prettier-ignore
  });
});
