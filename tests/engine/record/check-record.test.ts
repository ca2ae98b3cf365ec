import { describe, expect, it } from 'vitest';
import type { Scope } from '#engine/filter/scope.ts';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import { fieldStates } from '#engine/record/field-states.ts';
import { mergeRecord, problemsAsSubmitted, unknownLines } from '#engine/record/merge-record.ts';
import { parseRecord } from '#engine/record/parse-record.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { context, exampleCatalog, resourceOf } from '../schema/example-files.ts';

const catalog = exampleCatalog();
const contract = resourceOf(catalog, 'export_contract');
const shipment = resourceOf(catalog, 'shipment');
const LINE = '00000000-0000-7000-8000-0000000000a1';
const OTHER_LINE = '00000000-0000-7000-8000-0000000000a2';
const BUYER = '00000000-0000-7000-8000-0000000000b1';

function scope(record: ErpRecord, resource = contract): Scope {
  return { resource, catalog, record, context: context() };
}

function problems(record: ErpRecord, complete: boolean, resource = contract): string[] {
  return checkRecord(resource, record, scope(record, resource), { complete }).map(
    ({ path, message }) => `${path} ${message}`,
  );
}

it('what an action was told stands where it was told, of a line as well', () => {
  const told = { ...scope({ items: [{ id: LINE }] }), context: { ...context(), input: { amount: '0' } } };
  const assert = { 'input.amount': { gt: '0' } };
  const rules = [
    { on: ['claim'], assert, message: '金额必须大于0' },
    { each: 'items', on: ['claim'], assert, message: '每行都要大于0' },
  ];
  const options = { complete: false, moment: 'claim' };
  const found = checkRecord({ ...contract, rules }, told.record, told, options).filter(
    ({ code }) => code === 'rule',
  );
  expect(found.map(({ path, message }) => [path, message])).toEqual([
    ['inputs.amount', '金额必须大于0'],
    ['inputs.amount', '每行都要大于0'],
  ]);
});

it('a range with an end that nobody knows is not broken, one with both ends is', () => {
  const rule = (end: string) => ({
    assert: { total_amount: { between: [{ '=': '1' }, { '=': end }] } },
    message: '相差过大',
  });
  const record = { total_amount: '12' };
  const found = (end: string) =>
    checkRecord({ ...contract, rules: [rule(end)] }, record, scope(record), { complete: false }).filter(
      ({ code }) => code === 'rule',
    );
  expect(found("10 * param('NOWHERE_SENT')")).toEqual([]);
  expect(found('10')).toMatchObject([{ path: 'total_amount', message: '相差过大' }]);
});

describe('parseRecord', () => {
  it('refuses unknown fields with a suggestion and drops computed ones', () => {
    const parsed = parseRecord(
      contract,
      { buyerid: BUYER, total_amount: '1.00', version: 3, incoterm: 'FOB' },
      'create',
    );
    expect(parsed.values).toEqual({ incoterm: 'FOB' });
    expect(parsed.problems).toEqual([
      { path: 'buyerid', code: 'unknown_field', message: '未知字段 "buyerid"，是否想写 "buyer_id"？' },
    ]);
  });

  it('tells the first twenty problems, and puts no more than them into words', () => {
    const lines = Array.from({ length: 400 }, () => ({ quantity: 'x', qty: 1 }));
    const { problems: found } = parseRecord(contract, { items: lines }, 'create');
    expect(found).toHaveLength(20);
    expect(found.at(-1)?.path).toBe('items.9.qty');
  });

  it('looks at no line of a list that is too long', () => {
    let looks = 0;
    const items = new Proxy(
      Array.from({ length: 60_000 }, () => ({})),
      {
        get: (list, key) => {
          if (/^\d+$/.test(String(key))) looks += 1;
          const value: unknown = Reflect.get(list, key);
          return value;
        },
      },
    );
    expect(parseRecord(contract, { items }, 'create').problems).toEqual([
      { path: 'items', code: 'too_many', message: '商品明细最多500行' },
    ]);
    expect(looks).toBe(0);
  });

  it('suggests nothing for a name that nobody mistyped, and does not give it back whole', () => {
    const [problem] = parseRecord(contract, { ['buyer_id'.padEnd(400_000, 'x')]: 1 }, 'create').problems;
    expect(problem?.message).toMatch(/^未知字段 "buyer_idx+"$/);
    expect(`${problem?.path}${problem?.message}`.length).toBeLessThan(150);
  });

  it('does not take inherited names for fields', () => {
    expect(
      parseRecord(contract, JSON.parse('{"constructor": 1, "__proto__": 2}'), 'create').problems,
    ).toHaveLength(2);
  });

  it('says where a line is wrong by its index', () => {
    const body = { items: [{ quantity: '1' }, { quantity: 1, foo: 2 }] };
    expect(parseRecord(contract, body, 'create').problems.map(({ path }) => path)).toEqual([
      'items.1.quantity',
      'items.1.foo',
    ]);
  });

  it('takes changed, new and deleted lines of a patch', () => {
    const body = {
      items: [{ id: LINE, quantity: '2' }, { quantity: '3' }, { id: OTHER_LINE, _delete: true }],
    };
    expect(parseRecord(contract, body, 'update').values).toEqual(body);
    expect(parseRecord(contract, body, 'create').values['items']).toEqual([
      { quantity: '2' },
      { quantity: '3' },
    ]);
    expect(
      parseRecord(contract, { items: [{ id: LINE }, { id: LINE }] }, 'update').problems[0]?.message,
    ).toBe('明细行重复');
  });

  it('refuses a body that is no object', () => {
    expect(parseRecord(contract, [], 'create').problems[0]?.message).toBe('内容应为对象');
  });
});

describe('applyDefaults', () => {
  it('fills what was not sent and leaves what was emptied', () => {
    const filled = applyDefaults(contract, { currency: null }, scope({}));
    expect(filled['sign_date']).toBe('2026-03-31');
    expect(filled['business_type']).toBe('agency');
    expect(filled['currency']).toBeNull();
  });
});

describe('computeRecord', () => {
  it('runs line formulas before head formulas and rounds half-up', () => {
    const record = {
      currency: 'USD',
      items: [
        { quantity: '3', unit_price: '0.335' },
        { quantity: '1', unit_price: '2' },
        { quantity: null, unit_price: '2' },
      ],
    };
    const computed = computeRecord(contract, record, scope(record));
    expect(computed['items']).toMatchObject([{ amount: '1.01' }, { amount: '2.00' }, { amount: null }]);
    expect(computed['total_amount']).toBe('3.01');
  });

  it('keeps yen whole', () => {
    const record = { currency: 'JPY', items: [{ quantity: '3', unit_price: '33.5' }] };
    expect(computeRecord(contract, record, scope(record))['total_amount']).toBe('101.00');
  });
});

describe('fieldStates', () => {
  it('hides a field and never requires it then', () => {
    const states = fieldStates(contract, { incoterm: 'FOB' }, scope({ incoterm: 'FOB' }));
    expect(Object.keys(states['freight'] ?? {})).toEqual(['hidden']);
    expect(states['freight']?.hidden).toMatch(/^因为.+不适用$/);
  });

  it('says why a field is required or closed', () => {
    const states = fieldStates(
      contract,
      { id: 'x', business_type: 'agency' },
      scope({ business_type: 'agency' }),
    );
    expect(states['partner_id']?.required).toMatch(/^因为.+必填$/);
    expect(states['buyer_id']?.required).toBe('必填');
    expect(states['business_type']?.readOnly).toBe('新增后不可修改');
    expect(states['total_amount']?.readOnly).toBe('由公式自动计算');
    expect(states['items.quantity']?.required).toBe('必填');
  });
});

describe('clearHidden', () => {
  it('empties what a rule hides', () => {
    const record = { incoterm: 'EXW', freight: '10.00' };
    expect(clearHidden(contract, record, scope(record))).toEqual({ incoterm: 'EXW', freight: null });
    const shown = { incoterm: 'CIF', freight: '10.00' };
    expect(clearHidden(contract, shown, scope(shown))).toBe(shown);
  });

  it.each([
    ['2', '0.00', '10.00'],
    ['0', '10.00', null],
  ])('goes by formulas as they come out now: %s pieces', (quantity, stored, freight) => {
    const rules = [{ when: { total_amount: { eq: '0.00' } }, hide: ['freight'], clear: true }];
    const priced = { ...contract, rules };
    const items = [{ id: LINE, quantity, unit_price: '5' }];
    const record = { currency: 'USD', freight: '10.00', total_amount: stored, items };
    expect(clearHidden(priced, record, scope(record, priced))['freight']).toBe(freight);
  });
});

it('what takes the number of a new record is asked for in a stored one only', () => {
  const drawn = { ...contract, fields: { ...contract.fields } };
  Object.assign(drawn.fields, { incoterm: { ...contract.fields['incoterm'], drawn: true } });
  const asked = (record: ErpRecord) => problems(record, true, drawn).includes('incoterm 请填写成交方式');
  expect([asked({}), asked({ id: BUYER }), asked({ id: BUYER, incoterm: 'FOB' })]).toEqual([
    false,
    true,
    false,
  ]);
});

describe('checkRecord', () => {
  const draft = { business_type: 'self', currency: 'USD', items: [] };

  it('lets a draft be incomplete and a submitted document not', () => {
    expect(problems(draft, false)).toEqual([]);
    expect(problems(draft, true)).toEqual([
      'buyer_id 请填写国外客户',
      'sign_date 请填写签约日期',
      'incoterm 请填写成交方式',
      'items 商品明细至少1行',
    ]);
  });

  it('wants what nobody may write later as the record is made', () => {
    const lifecycle = contract.lifecycle;
    if (lifecycle === undefined) throw new TypeError('a contract has states');
    const sealed = { ...contract, lifecycle: { ...lifecycle, sealed: ['buyer_id'] } };
    const found = (isNew: boolean) =>
      checkRecord(sealed, draft, scope(draft, sealed), { complete: false, isNew }).map(({ path }) => path);
    expect(found(true)).toEqual(['buyer_id']);
    expect(found(false)).toEqual([]);
  });

  it('always wants the business type', () => {
    expect(problems({ items: [] }, false)).toEqual(['business_type 请填写业务类型']);
  });

  it('requires fields of masters at every save', () => {
    expect(problems({}, false, resourceOf(catalog, 'goods'))).toEqual(['name_cn 请填写品名']);
  });

  it('says why a rule requires a field', () => {
    expect(
      problems({ ...draft, business_type: 'agency' }, true).some((problem) =>
        problem.startsWith('partner_id 请填写委托方（因为'),
      ),
    ).toBe(true);
  });

  it('runs the rules of every line, but not on empty cells', () => {
    const items = [
      { goods_id: BUYER, quantity: '0', unit_price: '1' },
      { goods_id: BUYER, quantity: null, unit_price: '1' },
    ];
    expect(problems({ ...draft, items }, false)).toEqual(['items.0.quantity 数量必须大于0']);
  });

  it('wants whole yen', () => {
    expect(problems({ ...draft, currency: 'JPY', incoterm: 'CIF', freight: '10.50' }, false)).toEqual([
      'freight 日元金额必须为整数',
    ]);
    expect(problems({ ...draft, currency: 'JPY', incoterm: 'CIF', freight: '10.00' }, false)).toEqual([]);
  });

  it('knows the values of dictionaries', () => {
    expect(problems({ ...draft, incoterm: 'XXX' }, false)).toEqual(['incoterm 成交方式不在可选范围内']);
  });

  it('finds lines that repeat what must be unique', () => {
    const items = [LINE, OTHER_LINE, LINE, null, null].map((contract_line) => ({ contract_line }));
    expect(problems({ business_type: 'self', items }, false, shipment)).toEqual([
      'items.2.contract_line 合同行与第1行重复',
    ]);
  });
});

describe('mergeRecord', () => {
  const current = {
    id: 'x',
    incoterm: 'FOB',
    items: [
      { id: LINE, quantity: '1', unit_price: '5' },
      { id: OTHER_LINE, quantity: '2' },
    ],
  };

  it('changes, adds and deletes lines; absent lines stay', () => {
    expect(
      mergeRecord(contract, current, { items: [{ quantity: '9' }, { id: LINE, quantity: '3' }] })['items'],
    ).toEqual([
      { id: LINE, quantity: '3', unit_price: '5' },
      { id: OTHER_LINE, quantity: '2' },
      { quantity: '9' },
    ]);
    expect(mergeRecord(contract, current, { items: [{ id: LINE, _delete: true }] })['items']).toEqual([
      { id: OTHER_LINE, quantity: '2' },
    ]);
    expect(mergeRecord(contract, current, { incoterm: null })).toEqual({ ...current, incoterm: null });
  });

  it('gives problems the index of the submitted list', () => {
    const patch = { items: [{ quantity: '0' }, { id: OTHER_LINE, quantity: '0' }] };
    const found = [
      { path: 'items.2.quantity', code: 'rule', message: 'm' },
      { path: 'items.1.quantity', code: 'rule', message: 'm' },
      { path: 'items.0.quantity', code: 'rule', message: 'm' },
    ];
    expect(problemsAsSubmitted(contract, found, { current, patch })).toEqual([
      { path: 'items.0.quantity', code: 'rule', message: 'm' },
      { path: 'items.1.quantity', code: 'rule', message: 'm' },
      { path: 'items', code: 'rule', message: '第1行：m' },
    ]);
  });

  it('refuses lines that are not there', () => {
    expect(unknownLines(contract, current, { items: [{ id: BUYER }] })[0]?.path).toBe('items.0');
  });
});

describe('diffRecords', () => {
  it('compares decimals by value and lines by id, and hides secrets', () => {
    const before = {
      freight: '1.50',
      incoterm: 'FOB',
      items: [
        { id: LINE, quantity: '1.0000' },
        { id: OTHER_LINE, quantity: '2' },
      ],
    };
    const after = {
      freight: '1.5',
      incoterm: 'CIF',
      items: [
        { id: LINE, quantity: '3' },
        { id: 'n', quantity: '4' },
      ],
    };
    expect(diffRecords(contract, before, after)).toEqual([
      { field: 'incoterm', title: '成交方式', old: 'FOB', new: 'CIF' },
      { field: `items.${LINE}.quantity`, title: '商品明细第1行·数量', old: '1.0000', new: '3' },
      { field: 'items.n', title: '商品明细第2行', old: null, new: { quantity: '4' } },
      { field: `items.${OTHER_LINE}`, title: '商品明细第2行', old: { quantity: '2' }, new: null },
    ]);
    expect(
      JSON.stringify(diffRecords(resourceOf(catalog, 'person'), { password: 'a' }, { password: 'b' })),
    ).not.toContain('"b"');
  });
});
