import { describe, expect, it } from 'vitest';
import {
  checkCnaps,
  checkContainerNumber,
  checkCreditCode,
  checkResidentId,
  checkSwift,
  checkUnifiedCreditCode,
} from '#trade/check-digits.ts';

const VECTORS = [
  {
    name: 'unified social credit code',
    check: checkUnifiedCreditCode,
    valid: ['91310115MA0DEM0077', '91440305MA1TEA1174', '91330203MA7XYAA274', '91350206MA5BCDE37Y'],
    invalid: [
      '91310115MA0DEM0070',
      '91440305MA1TEA1170',
      '91350206MA5BCDE370',
      '91310115MA0I000000',
      '123',
      'MA0DEMO08',
    ],
  },
  {
    name: 'legacy organisation code',
    check: checkCreditCode,
    valid: ['MA0DEMO08', 'MA1TEST10', '580000014', '741100025', '91310115MA0DEM0077'],
    invalid: ['MA0DEMO00', 'MA1TEST11', '580000010', '741100020'],
  },
  {
    name: 'resident identity number',
    check: checkResidentId,
    valid: ['11010519491231002X', '310115199003070017', '440305198504121233'],
    invalid: ['110105194912310020', '310115199003070010', '440305198504121230', '110105194913310020'],
  },
  {
    name: 'CNAPS number',
    check: checkCnaps,
    valid: ['102290091233', '308584090018', '104332097770', '102100099996', '104100000004'],
    invalid: ['102290091230', '308584090010', '104332097771'],
  },
  { name: 'container number', check: checkContainerNumber, valid: ['CSQU3054383'], invalid: ['CSQU3054384'] },
  {
    name: 'SWIFT code',
    check: checkSwift,
    valid: ['BKCHCNBJ', 'ICBKCNBJXXX'],
    invalid: ['BKCHCN', 'bkchcnbj'],
  },
];

describe.each(VECTORS)('$name', ({ check, valid, invalid }) => {
  it.each(valid)('accepts %s', (text) => expect(check(text)).toBeNull());
  it.each(invalid)('refuses %s with a Chinese message', (text) =>
    expect(check(text)).toMatch(/[\u4e00-\u9fff]/),
  );
});

it.each([
  ['91310115MA0I000000', '统一社会信用代码中没有字母I（不用I、O、S、V、Z），请核对'],
  ['91310115ma0dem0077', '统一社会信用代码中的字母应为大写'],
  ['91310115-A0DEM0077', '统一社会信用代码只含数字和大写字母，不能有“-”'],
  ['91310115MA0DEM007', '应为18位统一社会信用代码'],
])('of the credit code %s it says what is wrong', (text, said) => {
  expect(checkUnifiedCreditCode(text)).toBe(said);
});
