import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import type { DemoPartner, World } from './world.ts';

const AMOUNTS = ['2400000.00', '2900000.00', '2800000.00', '900000.00'] as const;
const REASONS = [
  '旺季备货，出运集中，申请出运敞口额度',
  '主要买家改为 O/A 60 天结算',
  '新增两家美国客户，账期 45 天',
] as const;

/** Credit lines of every fourth partner: most granted, one running out, some applications that wait. */
export async function makeCreditLines({ stage }: World, partners: readonly DemoPartner[]): Promise<void> {
  for (const partner of partners.filter(({ serial }) => serial % 4 === 1)) {
    const place = Math.floor(partner.serial / 4);
    const isWaiting = place % 4 === 3;
    // The second one's year is over in three weeks.
    const start = addDays(stage.today, place === 1 ? -344 : isWaiting ? -2 : -30 - place * 9);
    const story = stage.begin(`credit ${place}`, start);
    const amount = AMOUNTS[place % AMOUNTS.length] ?? AMOUNTS[0];
    const record = await story.create(partner.owner, 'credit_line_application', {
      partner_id: partner.id,
      purpose: 'shipment_risk',
      apply_kind: 'new',
      apply_amount: amount,
      valid_from: start,
      valid_to: addDays(start, 365),
      guarantee_kind: place % 3 === 0 ? '信用' : '保证',
      ...(place % 3 === 0 ? {} : { guarantor: `${partner.name}法定代表人` }),
      last_year_export: `${story.roll.between(40, 400)}0000.00`,
      this_year_plan: `${story.roll.between(60, 500)}0000.00`,
      main_buyers: '美国、德国买家为主，T/T 后 45 至 60 天',
      reason: REASONS[place % REASONS.length],
      financials: [await story.upload(partner.owner, '财务报表.pdf', demoPdf([partner.name]))],
    });
    await story.approve(partner.owner, 'credit_line_application', {
      id: String(record['id']),
      fields: { score: story.roll.between(68, 92), approved_amount: amount, conditions: '按月报送应收账款' },
      ...(isWaiting ? { levels: 0 } : {}),
    });
  }
}
