import { describe, expect, it } from 'vitest';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { describeFormula } from '#engine/filter/describe-formula.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';
import { resourceOf } from '../schema/example-files.ts';

const catalog = {
  ...aCatalog(
    aContract(
      {},
      {
        more_less: { type: 'percent', title: '溢短装' },
        mode: { type: 'text', title: '方式', options: { sea: '海运', air: '空运' } },
      },
    ),
    aCustomer(),
  ),
  parameters: { MIN_CASH: '资金下限' },
};
const head = { resource: resourceOf(catalog, 'contract'), catalog };
const line = { ...head, lines: 'items' };

describe('describeFormula', () => {
  it.each([
    ['amount * (1 + more_less)', '金额 × (1 + 溢短装)'],
    ['amount - (amount - 2)', '金额 - (金额 - 2)'],
    ['amount / (count * 2)', '金额 ÷ (件数 × 2)'],
    ['amount + count * 2', '金额 + 件数 × 2'],
    ["sum(items.quantity, items.goods_name == '样品')", '明细的数量的合计（明细的品名为「样品」）'],
    ['max(items.quantity)', '明细的数量的最大'],
    ['min(amount, 5)', '金额与5的最小'],
    ["if(mode == 'sea', amount, 0)", '（方式为「海运」时取金额，否则取0）'],
    ["coalesce(amount, 0) >= param('MIN_CASH')", '金额（为空时取0）不小于系统参数「资金下限」'],
    ["param('VAT_RATE', sign_date) * 2", '系统参数「VAT_RATE」（按签约日期） × 2'],
    ['addWorkdays(sign_date, 5)', '签约日期加5个工作日'],
    ['addMonths(sign_date, -3)', '签约日期减3个月'],
    ["addDays(today(), 0 - param('MIN_CASH'))", '今天减去系统参数「资金下限」的天数'],
    ['addMonths(today(), count * 2)', '今天加上(件数 × 2)的月数'],
    ["buyer_id.name != null && !contains(contract_no, 'X')", '客户的名称不为空且不满足（合同号包含「X」）'],
    ['floor(amount, 0)', '向下取整（金额、0）'],
    ['before.amount + source.amount', '变更前的金额 + 来源单据的金额'],
    ['company.name == user.name', '本公司名称为登录人的设置'],
  ])('%s', (formula, sentence) => {
    expect(describeFormula(parseExpression(formula), head)).toBe(sentence);
  });

  it('speaks of the line above and of the head', () => {
    expect(describeFormula(parseExpression('above.quantity + parent.amount'), line)).toBe(
      '上一行的数量 + 金额',
    );
  });

  it('stands in the sentence of a filter, as written when it does not parse', () => {
    expect(describeFilter({ amount: { lte: { '=': 'amount * (1 + more_less)' } } }, head)).toBe(
      '金额不大于金额 × (1 + 溢短装)',
    );
    expect(describeFilter({ amount: { lte: { '=': 'amount +' } } }, head)).toBe('金额不大于amount +');
  });
});
