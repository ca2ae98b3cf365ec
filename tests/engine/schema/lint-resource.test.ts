import { describe, expect, it } from 'vitest';
import { lintDefinitions, loadDefinitions } from '#engine/schema/lint-resource.ts';
import type { ParsedFiles } from '#engine/schema/parse-files.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { exampleFiles, type ExampleName } from './example-files.ts';

function faults(name: ExampleName, from: string, to: string): string[] {
  const change = (text: string): string => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  return lintDefinitions(exampleFiles({ [name]: change })).map(formatFault);
}

function placeOf(text: string, at: string): string {
  const before = text.slice(0, text.indexOf(at));
  return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`;
}

/** The faults of a file of notices with one about shipments. */
function noticeFaults(entry: object): string {
  const text = JSON.stringify({
    CONTRACT_APPROVED: '合同已审核',
    SHIPPED: { title: '{no}', about: ['shipment'], ...entry },
  });
  const file = { path: 'resources/setup/message-events.json', text };
  return lintDefinitions([...exampleFiles(), file])
    .map(formatFault)
    .join();
}

describe('lintDefinitions', () => {
  it('finds nothing wrong with the example of the design', () => {
    expect(lintDefinitions(exampleFiles()).map(formatFault)).toEqual([]);
  });

  it('names file, line and column of an unknown field in a formula, with a suggestion', () => {
    const files = exampleFiles({
      export_contract: (text) => text.replace('sum(items.amount)', 'sum(items.qty)'),
    });
    const text = files.find(({ path }) => path.endsWith('export_contract.json'))?.text ?? '';
    expect(lintDefinitions(files).map(formatFault)).toEqual([
      `resources/export_contract.json:${placeOf(text, 'items.qty')} 未知字段 "items.qty"，是否想写 "items.quantity"？`,
    ]);
  });

  it('reads a text in parts as one, and finds the place of a fault in its part', () => {
    const inParts = (last: string): string => `{ "join": ["round(sum(items.amount), ", "${last}"] }`;
    const files = (last: string): ReturnType<typeof exampleFiles> =>
      exampleFiles({ export_contract: (text) => text.replace('"sum(items.amount)"', inParts(last)) });
    expect(lintDefinitions(files('2)')).map(formatFault)).toEqual([]);
    const text = files('items.qty)').find(({ path }) => path.endsWith('export_contract.json'))?.text ?? '';
    expect(lintDefinitions(files('items.qty)')).map(formatFault)).toEqual([
      expect.stringContaining(
        `resources/export_contract.json:${placeOf(text, 'items.qty')} 未知字段 "items.qty"`,
      ),
    ]);
  });

  it.each([
    ['an input that is there', '{ "assert": { "input.buyer": { "null": false } } }', []],
    ['another', '{ "assert": { "input.byer": { "null": false } } }', ['未知的输入 "byer"']],
    [
      'a field behind one',
      '{ "assert": { "input.buyer.name": { "null": false } } }',
      ['未知的输入 "buyer.name"'],
    ],
    [
      'a field behind one, as a value',
      '{ "assert": { "total_amount": { "lte": { "=": "input.buyer.amount" } } } }',
      ['输入后面不能再取字段'],
    ],
  ])('a rule of an action reads %s', (_, rule, faults) => {
    const whole = rule.replace('{ ', '{ "on": ["amend"], "message": "不行", "at": "total_amount", ');
    const inputs = '"inputs": { "buyer": { "type": "reference", "title": "客户", "to": "buyer" } }';
    const files = exampleFiles({
      shipment: (text) =>
        text
          .replace('"to": "amending", "reason": true', `"to": "amending", "reason": true, ${inputs}`)
          .replace('"lifecycle": {', `"rules": [${whole}], "lifecycle": {`),
    });
    const found = lintDefinitions(files).map(formatFault);
    expect(found).toEqual(faults.map((fault) => expect.stringContaining(fault)));
  });

  it.each<[string, ExampleName, string, string, RegExp]>([
    [
      'a list column',
      'export_contract',
      '"columns": ["contract_no", "buyer_id"',
      '"columns": ["contract_no", "buyerid"',
      /未知字段 "buyerid"，是否想写 "buyer_id"？/,
    ],
    [
      'tabs of a list by a field without choices',
      'export_contract',
      '"list": {',
      '"list": { "parts": "contract_no",',
      /"contract_no" 不是字典字段/,
    ],
    [
      'a filter field',
      'export_contract',
      '{ "incoterm": { "in"',
      '{ "incotem": { "in"',
      /未知字段 "incotem"，是否想写 "incoterm"？/,
    ],
    ['an operator', 'export_contract', '"gt": "0"', '"gtt": "0"', /未知运算 "gtt"，是否想写 "gt/],
    [
      'a subject property',
      'export_contract',
      'user.sales_ids',
      'user.sale_ids',
      /未知的人员属性 "sale_ids"，是否想写 "sales_ids"？/,
    ],
    [
      'a referenced resource',
      'export_contract',
      '"to": "buyer"',
      '"to": "buyers"',
      /未知资源 "buyers"，是否想写 "buyer"？/,
    ],
    [
      'a filled field',
      'export_contract',
      '"hs_code": "hs_code"',
      '"hs_code": "hscode"',
      /未知字段 "hscode"，是否想写 "hs_code"？/,
    ],
    [
      'a daily action that people run',
      'export_contract',
      '"to": "void"',
      '"daily": true, "to": "void"',
      /由时钟执行的动作须有 "system": true 和 "when"/,
    ],
    [
      'an action of every minute that people run',
      'export_contract',
      '"to": "void"',
      '"often": true, "to": "void"',
      /由时钟执行的动作须有 "system": true 和 "when"/,
    ],
    [
      'a dictionary',
      'export_contract',
      '"dictionary": "incoterm"',
      '"dictionary": "incoterms"',
      /未知字典 "incoterms"，是否想写 "incoterm"？/,
    ],
    ['a role', 'export_contract', '"role": "SP"', '"role": "SPX"', /未知角色 "SPX"，是否想写 "SP"？/],
    [
      'an operation',
      'export_contract',
      '"update", "submit"]',
      '"update", "submitt"]',
      /未知操作 "submitt"，是否想写 "submit"？/,
    ],
    [
      'a state',
      'export_contract',
      '"to": "pending"',
      '"to": "pendng"',
      /未知状态 "pendng"，是否想写 "pending"？/,
    ],
    [
      'an approval state',
      'export_contract',
      '"approved": "approved"',
      '"approved": "aproved"',
      /未知状态 "aproved"，是否想写 "approved"？/,
    ],
    [
      'a key',
      'export_contract',
      '"readOnly": true',
      '"readonly": true',
      /未知的键 "readonly"，是否想写 "readOnly"？/,
    ],
    ['a type', 'export_contract', '"type": "date"', '"type": "dat"', /"dat" 不是允许的值，是否想写 "date"？/],
    [
      'a related field',
      'export_contract',
      '"by": "items.contract_id"',
      '"by": "items.contractid"',
      /未知字段 "items.contractid"，是否想写 "items.contract_id"？/,
    ],
    [
      'a currency',
      'export_contract',
      '"currency": "parent.currency"',
      '"currency": "parent.curency"',
      /未知字段 "parent.curency"，是否想写 "parent.currency"？/,
    ],
    ['a number pattern', 'export_contract', '{seq:5}', '{seq}', /编号规则不正确/],
    [
      'what dates a number',
      'export_contract',
      '{seq:5}"',
      '{seq:5}", "on": "contract_no"',
      /"contract_no" 不是日期/,
    ],
    [
      'an edit route',
      'export_contract',
      '"edit": "/details/wxhtbj"',
      '"edit": "/details/wxhtb"',
      /未知路由 "\/details\/wxhtb"，是否想写/,
    ],
    [
      'a fact that the form shows',
      'export_contract',
      '"details": {',
      '"details": { "facts": [{ "title": "合同", "fields": ["buyer_id"] }],',
      /"buyer_id" 已在编辑页的分区中/,
    ],
    [
      'a reserved column',
      'partner',
      '"name": { "type": "text", "title": "姓名"',
      '"line_order": { "type": "text", "title": "姓名"',
      /字段名 "line_order" 是保留名/,
    ],
    [
      'a key that occurs twice',
      'country',
      '"code": {',
      '"name": { "type": "text", "title": "x" }, "code": {',
      /键 "name" 重复/,
    ],
    [
      'money without currency',
      'shipment',
      '"currency": "CNY", "formula": "sum(items.cost)"',
      '"formula": "sum(items.cost)"',
      /金额字段须有 "currency"/,
    ],
  ])('reports %s', (_what, name, from, to, message) => {
    const found = faults(name, from, to);
    expect(found.some((fault) => message.test(fault))).toBe(true);
    expect(found.every((fault) => /^resources\/\S+\.json:\d+:\d+ /.test(fault))).toBe(true);
  });

  it('judges a file anew when what it speaks of in others changes, and says the same as at first', () => {
    const parsed: ParsedFiles = new Map();
    const load = (change: (text: string) => string = (text) => text) => {
      const files = exampleFiles({ goods: change });
      const again = loadDefinitions(files, (text) => text, {}, parsed).faults.map(formatFault);
      expect(again).toEqual(lintDefinitions(files).map(formatFault));
      return again;
    };
    expect(load()).toEqual([]);
    expect(load((text) => `${text} `)).toEqual([]);
    const broken = load((text) => text.replaceAll('"hs_code"', '"hs"'));
    expect(broken.some((fault) => fault.startsWith('resources/export_contract.json'))).toBe(true);
    expect(load((text) => text.replace('"resource": "goods"', '"resource": "wares"')).length).toBeGreaterThan(
      0,
    );
    expect(load()).toEqual([]);
  });

  it('reports a value of the wrong type at its place', () => {
    const [fault] = faults('shipment', '"total_amount": { "gt": "0" }', '"total_amount": { "gt": "many" }');
    expect(fault).toMatch(/^resources\/shipment\.json:\d+:\d+ 金额合计应为/);
  });

  it('checks what the setup files name', () => {
    const unit = '"label": "计量单位",';
    const from = '"from": { "resource": "gods", "value": "unit" },';
    expect(faults('setup/dictionaries', unit, `${unit} ${from}`).join()).toContain(
      '未知资源 "gods"，是否想写 "goods"？',
    );
    const flows = {
      path: 'resources/setup/approval-flows.json',
      text: '[{ "resource": "shipment", "amount_field": "total_amont", "levels": [{ "title": "审核", "role": "DMX" }] }]',
    };
    const found = lintDefinitions([...exampleFiles(), flows])
      .map(formatFault)
      .join();
    expect(found).toContain('未知字段 "total_amont"，是否想写 "total_amount"？');
    expect(found).toContain('未知角色 "DMX"');
  });

  it('checks the words of notices against the records that they tell of', () => {
    expect(noticeFaults({ content: '{total_amount}{person}' })).toBe('');
    expect(noticeFaults({ content: '{total_amont}' })).toContain(
      '未知占位 "{total_amont}"，是否想写 "total_amount"？',
    );
    expect(noticeFaults({ content: '{total_amount}', about: ['shipment', 'buyer'] })).toContain(
      '未知占位 "{total_amount}"',
    );
    expect(noticeFaults({ content: '{no' })).toContain('占位的花括号没有成对');
    expect(noticeFaults({ about: ['shipmnt'] })).toContain('未知资源 "shipmnt"，是否想写 "shipment"？');
    expect(noticeFaults({ content: '', receivers: ['FN'] })).toContain('receivers');
  });

  it('checks the menu when all routes are known', () => {
    const menu = {
      path: 'resources/setup/menu.json',
      text: '[{ "title": "x", "items": ["/details/xwxh"] }]',
    };
    const files = exampleFiles().map((file) => (file.path === menu.path ? menu : file));
    expect(lintDefinitions(files)).toEqual([]);
    expect(lintDefinitions(files, { routes: [] }).map(formatFault)).toEqual([
      'resources/setup/menu.json:1:28 未知路由 "/details/xwxh"，是否想写 "/details/xwxht"？',
    ]);
  });

  it('reports a circle of formulas with its members', () => {
    const found = faults('shipment', 'sum(items.cost)', 'margin + 1');
    expect(found.join()).toMatch(
      /公式循环引用：(total_cost → margin → total_cost|margin → total_cost → margin)/,
    );
  });

  it('reports the place of a syntax fault and nothing else of that file', () => {
    const found = faults('country', '"kind": "master",', '"kind": "master"');
    expect(found.filter((fault) => fault.includes('country.json'))).toEqual([
      expect.stringMatching(/^resources\/country\.json:\d+:\d+ JSON语法错误：缺少逗号$/),
    ]);
  });

  it('reports routes and resources that two files claim', () => {
    const files = [
      ...exampleFiles(),
      { path: 'resources/other/copy.json', text: exampleFiles()[2]?.text ?? '' },
    ];
    expect(lintDefinitions(files).map(formatFault).join()).toContain(
      '资源 "export_contract" 已在 resources/export_contract.json 中定义',
    );
  });

  it('checks names of checks and effects only when they are given', () => {
    expect(lintDefinitions(exampleFiles(), { effects: [] }).map(formatFault).join()).toContain(
      '未知处理 "create_shipment"',
    );
  });
});

describe('what a list follows', () => {
  const withList = (list: string): string[] =>
    faults(
      'goods',
      '"unit": {',
      `"asked": { "type": "text", "title": "要素" }, "elements": ${list}, "unit": {`,
    );
  const list = (own: string): string =>
    `{ "type": "lines", "title": "申报要素", ${own}, "fields": { "element": { "type": "text", "title": "要素" } } }`;

  it.each([
    ['columns over typed fields of the head', `"follows": { "element": "parts(asked, ';')" }`, []],
    ['a column that is not there', `"follows": { "elment": "parts(asked, ';')" }`, ['未知字段 "elment"']],
    ['nothing of the head', `"follows": { "element": "parts('a;b', ';')" }`, ['须取自表头上由人填写的字段']],
    ['its own lines', `"follows": { "element": "elements.element" }`, ['不能用 elements.element']],
  ])('is %s', (_, follows, expected) => {
    const found = withList(list(follows));
    expect(found.map((fault, index) => fault.includes(expected[index] ?? '?'))).toEqual(
      expected.map(() => true),
    );
  });

  it('stands in lines, as former texts do; former values are no present ones', () => {
    const unit = (own: string): string[] =>
      faults('goods', '"dictionary": "unit" }', `"options": { "1": "件" }, ${own} }`);
    expect(unit(`"follows": { "unit": "unit" }`).join()).toContain('"follows" 不适用于类型 dictionary');
    const former = unit('"were": { "件": "2", "1": "1" }').map((fault) => fault.replace(/^\S+ /, ''));
    expect(former).toEqual(expect.arrayContaining(['"2" 不是现在的值', '"1" 还是现在的值']));
    expect(faults('goods', '"max": 120', '"max": 120, "partsOf": "old"').join()).toContain('只有明细的列');
  });
});
