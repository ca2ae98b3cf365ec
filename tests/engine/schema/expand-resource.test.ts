import { describe, expect, it } from 'vitest';
import { recordSchema } from '#engine/schema/record-schema.ts';
import { exampleCatalog, resourceOf } from './example-files.ts';

const catalog = exampleCatalog();
const contract = resourceOf(catalog, 'export_contract');

describe('expandResource', () => {
  it('adds the standard fields of a document behind its own', () => {
    const names = Object.keys(contract.fields);
    expect(names.slice(0, 2)).toEqual(['contract_no', 'partner_id']);
    for (const name of [
      'id',
      'version',
      'co_code',
      'dept_code',
      'sales_id',
      'business_type',
      'status',
      'remark',
      'attachments',
      'submitted_by',
      'approved_at',
      'created_at',
    ])
      expect(names).toContain(name);
    expect(contract.fields['business_type']?.default).toBe('agency');
  });

  it('makes the states the options of the status', () => {
    expect(contract.fields['status']).toMatchObject({
      type: 'dictionary',
      computed: true,
      options: { draft: '草稿', void: '已作废' },
    });
  });

  it('marks numbers, formulas and stamps as computed', () => {
    for (const name of ['contract_no', 'total_amount', 'id', 'status', 'sales_id', 'submitted_at'])
      expect(contract.fields[name]?.computed).toBe(true);
    for (const name of ['buyer_id', 'remark', 'business_type', 'items'])
      expect(contract.fields[name]?.computed).toBe(false);
    expect(contract.fields['items']?.fields?.['amount']?.computed).toBe(true);
  });

  it('lets a file name an owner field of its own', () => {
    const sales = resourceOf(catalog, 'partner').fields['sales_id'];
    expect(sales).toMatchObject({ required: true, computed: false, standard: true });
  });

  it('gives masters 启用 and 停用, and no owner', () => {
    const goods = resourceOf(catalog, 'goods');
    expect(Object.keys(goods.lifecycle?.actions ?? {})).toEqual(['enable', 'disable']);
    expect(goods.fields['sales_id']).toBeUndefined();
    expect(goods.fields['co_code']).toBeDefined();
    expect(resourceOf(catalog, 'country').fields['co_code']).toBeUndefined();
  });

  it('orders formulas of lines before the sums over them', () => {
    expect(contract.formulaOrder).toEqual(['items.amount', 'total_amount']);
    expect(resourceOf(catalog, 'shipment').formulaOrder.at(-1)).toBe('margin');
  });

  it('checks completeness when an action leaves the initial state, not when it voids', () => {
    expect(contract.lifecycle?.actions['submit']?.complete).toBe(true);
    expect(contract.lifecycle?.actions['void']?.complete).toBe(false);
    expect(contract.lifecycle?.actions['to_shipment']?.complete).toBe(false);
  });

  it('seals what the first state opens to nobody', () => {
    const changed = exampleCatalog({
      export_contract: (text) =>
        text.replace('"edit": "*"', '"edit": { "SP": ["buyer_id"], "DM": ["sign_date"] }'),
    });
    const sealed = resourceOf(changed, 'export_contract').lifecycle?.sealed ?? [];
    expect(sealed).toContain('incoterm');
    // Lists are filled by actions, formulas by themselves.
    for (const open of ['buyer_id', 'sign_date', 'items', 'total_amount']) expect(sealed).not.toContain(open);
    expect(contract.lifecycle?.sealed).toEqual([]);
  });

  it('derives list and form when a file has none', () => {
    const goods = resourceOf(catalog, 'goods');
    expect(goods.list.columns).toEqual(['name_cn', 'hs_code', 'unit', 'cost_price', 'status']);
    expect(goods.list.filters).toEqual(['name_cn', 'unit', 'status']);
    expect(goods.edit).toEqual([
      { title: '基本信息', columns: 3, fields: ['name_cn', 'hs_code', 'unit', 'cost_price'] },
    ]);
  });

  it('shows what the form does not by what it is, the rest last', () => {
    const changed = exampleCatalog({
      export_contract: (text) =>
        text.replace(
          '"details": {',
          '"details": { "facts": [{ "title": "金额", "fields": ["total_amount"] }],',
        ),
    });
    const { sections } = resourceOf(changed, 'export_contract').details;
    expect(sections).toContainEqual({ title: '金额', columns: 3, fields: ['total_amount'] });
    const others = sections.find(({ title }) => title === '其他信息');
    expect(others !== undefined && 'fields' in others && others.fields.includes('total_amount')).toBe(false);
  });

  it('collects the paths that rules read', () => {
    const changed = exampleCatalog({
      export_contract: (text) =>
        text.replace(
          '{ "gt": "0" }',
          '{ "gt": "0" }, "parent.buyer_id.country_id.is_sanctioned": { "eq": false }, "goods_id.hs_code": { "null": false }',
        ),
    });
    expect(resourceOf(changed, 'export_contract').paths).toEqual([
      'buyer_id.country_id.is_sanctioned',
      'items.goods_id.hs_code',
    ]);
  });

  it('makes a number unique by itself', () => {
    expect(resourceOf(catalog, 'shipment').unique).toEqual([{ fields: ['shipment_no'] }]);
  });

  it('keeps secrets out of the record schema', () => {
    expect(JSON.stringify(recordSchema(resourceOf(catalog, 'person')))).not.toContain('password');
  });
});
