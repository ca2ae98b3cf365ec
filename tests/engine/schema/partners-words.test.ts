import { describe, expect, it } from 'vitest';
import type { FieldDefinition } from '#engine/schema/definition.ts';
import { partnersCatalog } from '#engine/schema/partners-words.ts';
import { aCatalog, aContract, aCustomer, aLedger } from '../../support/definitions.ts';

const PROFIT: FieldDefinition = { type: 'money', title: '毛利', currency: 'CNY' };
const PAID: FieldDefinition = { type: 'money', title: '已收金额', partnerTitle: '已付金额', currency: 'CNY' };
const ROWS: FieldDefinition = {
  type: 'lines',
  title: '分摊',
  fields: { share: { type: 'integer', title: '分摊数', partnerTitle: '您的份数' } },
};
const own = { sections: [{ title: '本单', columns: 3, fields: ['contract_no', 'paid'] }], figures: ['paid'] };
const ours = aCatalog(
  aContract(
    { partnerTitle: '我的合同', details: { figures: ['profit'], partner: own } },
    { profit: PROFIT, paid: PAID, rows: ROWS },
  ),
  aCustomer({ details: { related: [{ resource: 'contract', by: 'buyer_id', title: '合同' }] } }),
  aLedger(),
);

describe('the catalog as customers read it', () => {
  const { contract } = partnersCatalog(ours).resources;

  it('names resources, fields and columns in their words', () => {
    expect(contract?.title).toBe('我的合同');
    expect(contract?.fields['paid']?.title).toBe('已付金额');
    expect(contract?.fields['rows']?.fields?.['share']?.title).toBe('您的份数');
    expect(contract?.fields['profit']?.title).toBe('毛利');
  });

  it('names the records below others by what those are called', () => {
    const { customer } = partnersCatalog(ours).resources;
    expect(customer?.details.related).toEqual([{ resource: 'contract', by: 'buyer_id', title: '我的合同' }]);
  });

  it('lays the details page out for them, with nothing else on it', () => {
    expect(contract?.details.sections).toEqual(own.sections);
    expect(contract?.details.figures).toEqual(['paid']);
    expect(contract?.details.panels).toEqual(ours.resources['contract']?.details.panels);
  });

  it('leaves the house its own words, and what has no others as it is', () => {
    const { contract: staffs } = ours.resources;
    expect([staffs?.title, staffs?.fields['paid']?.title, staffs?.details.figures]).toEqual([
      '合同',
      '已收金额',
      ['profit'],
    ]);
    expect(staffs?.details.sections.map(({ title }) => title)).toContain('基本信息');
    expect(partnersCatalog(ours).resources['ledger_entry']).toBe(ours.resources['ledger_entry']);
  });
});
