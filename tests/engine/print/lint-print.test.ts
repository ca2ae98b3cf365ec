import { expect, it } from 'vitest';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { exampleFiles } from '../schema/example-files.ts';

const FACE = {
  print: 'sales-contract',
  resource: 'export_contract',
  title: '外销合同',
  language: 'en',
  blocks: [
    { kind: 'title', text: 'SALES CONTRACT', sub: '{contract_no}' },
    { kind: 'fields', items: [{ label: 'Buyer', value: '{buyer_id.name}' }] },
    { kind: 'signatures', approvals: 'submit', parties: [] },
    { kind: 'table', lines: 'items', columns: [{ label: 'Qty', value: '{quantity}', width: 1, sum: true }] },
  ],
};

/** What is wrong with a template, in words with its place. */
function faultsOf(change: (text: string) => string): readonly string[] {
  const text = change(JSON.stringify(FACE, null, 2));
  const file = { path: 'resources/sales/prints/sales-contract.json', text };
  return lintDefinitions([...exampleFiles(), file]).map(formatFault);
}

it('a template whose fields are all there has no fault', () => {
  expect(faultsOf((text) => text)).toEqual([]);
});

it.each([
  [
    'a field that was renamed',
    '{contract_no}',
    '{contract_number}',
    /sales-contract\.json:10:\d+ 未知字段 "contract_number"/,
  ],
  [
    'a field of another record that is missing',
    '{buyer_id.name}',
    '{buyer_id.nam}',
    /未知字段 "buyer_id.nam"/,
  ],
  ['a field that lines do not have', '{quantity}', '{quantiti}', /未知字段 "quantiti"/],
  ['lines that are none', '"lines": "items"', '"lines": "contract_no"', /"contract_no" 不是明细/],
  ['a format that there is not', '{contract_no}', '{contract_no:uper}', /未知格式 "uper"，是否想写 "upper"/],
  ['a word of the company that there is not', 'SALES CONTRACT', '{company.nam}', /未知公司属性 "nam"/],
  ['a sum of more than one value', '{quantity}', '{quantity} {unit}', /合计的列只能是一个占位/],
  ['an action that nobody approves', '"submit"', '"sign"', /未知审核动作 "sign"/],
  ['a block of no kind', '"kind": "title"', '"kind": "titel"', /titel/],
  [
    'another resource',
    '"resource": "export_contract"',
    '"resource": "export_contracts"',
    /未知资源 "export_contracts"/,
  ],
  [
    'another name than the resource asks for',
    '"print": "sales-contract"',
    '"print": "sale-contract"',
    /未知打印模板 "sales-contract"，是否想写 "sale-contract"/,
  ],
] as const)('%s is named with its place when the definitions are loaded', (_name, from, to, expected) => {
  const faults = faultsOf((text) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  });
  expect(faults.join('\n')).toMatch(expected);
});
