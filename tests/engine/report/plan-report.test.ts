import { describe, expect, it } from 'vitest';
import { planReport } from '#engine/report/plan-report.ts';
import type { ReportDefinition } from '#engine/report/report-definition.ts';

const REPORT: ReportDefinition = {
  report: 1,
  title: '敞口',
  route: '/fxck',
  roles: ['RK'],
  params: { by: { type: 'text', title: '汇总', options: { partner_id: '委托方', buyer_id: '国外客户' } } },
  rows: { from: 'shipment', by: ['{by}'] },
  columns: [
    { key: 'who', title: '汇总', value: '{by}' },
    { key: 'partner', title: '委托方', value: 'partner_id' },
    { key: 'buyer', title: '国外客户', value: 'buyer_id' },
    { key: 'risk', title: '风险金额', sum: 'risk' },
  ],
};

describe('columns of a report that is grouped by what was chosen', () => {
  it.each([
    ['partner_id', ['委托方', '国外客户', '风险金额']],
    ['buyer_id', ['国外客户', '委托方', '风险金额']],
  ])('by %s: each stands there once', (by, titles) => {
    const { plan, hidden } = planReport(REPORT, { by }, () => false);
    expect(plan.columns.map(({ title }) => title)).toEqual(titles);
    expect(hidden).toEqual([]);
  });
});
