import { describe, expect, it } from 'vitest';
import { mergeHeads } from '#server/records/pick/merge-heads.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';

const { resources } = aCatalog(
  aContract(
    {},
    {
      payee: { type: 'text', title: '收款方', required: true },
      purpose: { type: 'text', title: '用途', max: 20, required: true },
      note: { type: 'text', title: '说明' },
    },
  ),
  aCustomer(),
);
const make = { map: { payee: 'name', purpose: "text('货款 ', name)", note: "text('出自', name)" } };

function merged(...heads: readonly Record<string, unknown>[]) {
  const { contract, customer } = resources;
  if (contract === undefined || customer === undefined) throw new TypeError('no such resource');
  return mergeHeads(contract, customer, heads, make);
}

describe('one head of several sources', () => {
  it('says one after the other what the make puts together and must be said', () => {
    const head = (name: string) => ({ payee: '甲', purpose: `货款 ${name}`, note: `出自${name}` });
    expect(merged(head('1'), head('2'), head('1'))).toEqual({
      payee: '甲',
      purpose: '货款 1；货款 2',
      note: null,
    });
  });

  it('leaves to the person what would be too long', () => {
    const head = (name: string) => ({ payee: '甲', purpose: `货款 ${name}` });
    expect(merged(head('一二三四五六七八'), head('八七六五四三二一'))).toEqual({
      payee: '甲',
      purpose: null,
    });
  });

  it('refuses words of a source itself that must be the same and are not', () => {
    expect(() => merged({ payee: '甲', purpose: '货款 1' }, { payee: '乙', purpose: '货款 1' })).toThrow(
      '所选客户的收款方不同，不能合为一份',
    );
  });
});
