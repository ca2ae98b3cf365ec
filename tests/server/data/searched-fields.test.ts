import { expect, test } from 'vitest';
import { searchColumns, searchedFields } from '#server/records/derive/search-index.ts';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';

const { catalog } = shippedDefinitions();

function named(key: string): readonly string[] {
  const resource = catalog?.resources[key];
  return resource && catalog ? searchedFields(catalog, resource).map(({ name }) => name) : [];
}

test('a bank account is found by its currency, code or name', () => {
  const account = catalog?.resources['company_bank_account'];
  const record = {
    account_no: '8110762',
    currency: 'USD',
    _labels: { currency: '美元', bank_id: '招商银行' },
  };
  const found = account && catalog ? searchColumns(catalog, account, record)['search_text'] : '';
  for (const typed of ['8110762', 'usd', '美元', 'my', '招商银行']) expect(found).toContain(typed);
});

test('documents are not found by what they have in common with a thousand others', () => {
  expect(named('company_bank_account')).toContain('currency');
  expect(named('export_contract')).not.toContain('currency');
});
