import { expect, it } from 'vitest';
import { taintHidden } from '#engine/access/hidden-fields.ts';
import type { FieldDefinition } from '#engine/schema/definition.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';
import { resourceOf } from '../schema/example-files.ts';

const money = (formula: string): FieldDefinition => ({
  type: 'money',
  title: '金额',
  currency: 'CNY',
  formula,
});

const catalog = aCatalog(
  aContract(
    {},
    {
      margin: { type: 'money', title: '毛利', currency: 'CNY' },
      from_before: money('before.margin'),
      from_condition: money('sum(costs.paid, costs.price > 0)'),
      from_choice: money('if(margin > 0, 1, 0)'),
      from_line: money('last(costs.running)'),
      from_text: { type: 'text', title: '说明', formula: "text('毛利 ', margin)" },
      from_lines_there: money('sum(buyer_id.terms.discount)'),
      clean: money('sum(costs.paid) + count'),
      costs: {
        type: 'lines',
        title: '成本',
        fields: {
          price: { type: 'money', title: '进价', currency: 'CNY' },
          paid: { type: 'money', title: '已付', currency: 'CNY' },
          running: money('coalesce(above.running, 0) + above.price'),
          from_before: money('paid - before.price'),
          from_all: money('sum(parent.costs.price)'),
          share: money('spread(parent.count, price)'),
          clean: money('above.paid + parent.count'),
        },
      },
    },
  ),
  aCustomer({
    fields: {
      name: { type: 'text', title: '名称' },
      terms: {
        type: 'lines',
        title: '条件',
        fields: { discount: { type: 'money', title: '折扣', currency: 'CNY' } },
      },
    },
  }),
);

const hiddenOf = (): ReadonlySet<string> => new Set(['terms.discount']);

it('a denied field taints what is computed from it by the line above, the record before, conditions and shares', () => {
  const contract = resourceOf(catalog, 'contract');
  const hidden = taintHidden(contract, new Set(['margin', 'costs.price']), { catalog, hiddenOf });
  const visible = ['clean', 'costs.clean', 'costs.paid', 'count'];
  expect([...hidden].toSorted()).toEqual([
    'costs.from_all',
    'costs.from_before',
    'costs.price',
    'costs.running',
    'costs.share',
    'from_before',
    'from_choice',
    'from_condition',
    'from_line',
    'from_lines_there',
    'from_text',
    'margin',
  ]);
  for (const path of visible) expect(hidden.has(path)).toBe(false);
});
