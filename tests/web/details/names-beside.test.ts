import { expect, test } from 'vitest';
import { namesBeside } from '#web/pages/details/names-beside.ts';
import { partiesOf } from '#web/pages/details/parties-of.ts';
import { shipped } from '../../resources/shipped-definitions.ts';

test('a partner is called by its name, with its number beside it; a project the other way round', () => {
  const partner = shipped('partner');
  expect(partner.label).toBe('name');
  expect(
    namesBeside(partner, { name: '宁波海运有限公司', partner_no: 'AAWT00001', short_name: '海运' }),
  ).toEqual(['AAWT00001', '海运']);
  expect(namesBeside(shipped('project'), { project_no: 'AAXM001', name: '仓库改造' })).toEqual(['仓库改造']);
});

test('what is empty, no text, or the title once more stands nowhere', () => {
  const partner = shipped('partner');
  expect(namesBeside(partner, { name: '海运', short_name: '海运', partner_no: null })).toEqual([]);
  const contract = shipped('export_contract');
  expect(namesBeside(contract, { contract_no: 'AAWX1', buyer_id: 'b', partner_id: 'p' })).toEqual([]);
});

test('who stands in the head as a party is not named once more; an account is no party', () => {
  const receipt = shipped('receipt');
  const payer = 'AL WAHA GENERAL TRADING LLC';
  expect(namesBeside(receipt, { receipt_no: 'AASH1', payer_name: payer })).toEqual([payer]);
  expect(namesBeside(receipt, { receipt_no: 'AASH1', payer_name: payer }, [payer])).toEqual([]);
  const payment = shipped('payment_request');
  const _labels = { partner_id: '深圳博谷制衣有限公司', bank_account_id: '39012675528902844' };
  const paid = { partner_id: 'p', bank_account_id: 'b', _labels };
  expect(partiesOf(payment, paid).map(({ name }) => name)).toEqual(['partner_id']);
});
