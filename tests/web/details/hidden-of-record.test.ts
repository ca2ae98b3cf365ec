import { expect, test } from 'vitest';
import { hiddenOf, shownLines, shownSections } from '#web/pages/details/hidden-of-record.ts';
import { shipped } from '../../resources/shipped-definitions.ts';

const financing = shipped('financing');
const repayments = financing.fields['repayments'];
const sections = [
  { title: '还款', fields: ['principal_left', 'interest_paid'] },
  { title: '金额', fields: ['amount', 'principal_left'] },
  { title: '还款记录', lines: 'repayments', columns: ['repay_date', 'interest', 'penalty'] },
];

test('what the rules hide is on no section, and a section of which nothing is left goes', () => {
  const record = { id: 'f', _hidden: ['principal_left', 'interest_paid', 'repayments'] };
  expect(shownSections(sections, financing, record)).toEqual([{ title: '金额', fields: ['amount'] }]);
  expect(hiddenOf(record).has('principal_left')).toBe(true);
});

test('a record of which nothing is hidden keeps its sections', () => {
  expect(shownSections(sections, financing, { id: 'f' })).toBe(sections);
});

test('a column goes when it is hidden in every line, a cell alone says nothing', () => {
  const lines = [
    { id: 'a', interest: '1.00', penalty: '2.00' },
    { id: 'b', interest: '3.00', penalty: '4.00' },
  ];
  const record = {
    repayments: lines,
    _hidden: ['repayments.a.penalty', 'repayments.b.penalty', 'repayments.b.interest'],
  };
  expect(shownSections(sections.slice(2), financing, record)).toEqual([
    { title: '还款记录', lines: 'repayments', columns: ['repay_date', 'interest'] },
  ]);
  expect(repayments && shownLines(repayments, record)).toMatchObject([
    { interest: '1.00' },
    { interest: null },
  ]);
});
