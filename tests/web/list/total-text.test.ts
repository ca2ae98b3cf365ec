import { expect, test } from 'vitest';
import { totalsOf, totalTexts } from '#web/pages/list/total-text.ts';
import { shipped, shippedDefinitions } from '../../resources/shipped-definitions.ts';

test('totals say on hover which records they count', () => {
  const { catalog } = shippedDefinitions();
  if (catalog === null) throw new Error('the shipped definitions do not load');
  const texts = totalTexts(
    { principal_left: { CNY: '3000.00' }, amount: { USD: '5.00', CNY: '1.00' } },
    { resource: shipped('financing'), catalog },
  );
  expect(texts['principal_left']).toEqual({
    text: '3,000.00 CNY',
    whole:
      '3,000.00 CNY\n只计（状态不为「已作废」，且状态为「已放款」或「部分还款」或「已逾期」或「已展期」）',
  });
  expect(texts['amount']).toMatchObject({
    text: '5.00 USD 等2币种',
    whole: '5.00 USD\n1.00 CNY\n只计状态不为「已作废」',
  });
});

test('the foot tells what is listed and not counted', () => {
  const list = { total: 12, isTotalCapped: false };
  expect(totalsOf(list, false, shipped('financing'))).toBe('合计（全部 12 条，不计已作废）');
  expect(totalsOf(list, true, shipped('company_bank_account'))).toBe('合计（符合条件的 12 条）');
});
