import { aShipment, day } from './support/bought-shipment.ts';
import {
  change,
  create,
  expect,
  expectStatus,
  type Fields,
  find,
  list,
  newest,
  recordOf,
  run,
  scanOf,
} from './support/flow-api.ts';
import { act, agree, show, staff } from './support/flow-desk.ts';
import { test } from './support/test.ts';

const SERIAL = Date.now();
/** Due after 60 days, and the notice 60 days after that: it was due yesterday. */
const SAILED = day(-121);

test('a shipment is insured on its buyer’s limit; a loss told one day late is claimed, and the insurer pays a part', async ({
  browser,
}) => {
  const desk = await staff(browser, ['sp', 'dm', 'tm', 'rk', 'rk2', 'fn', 'fn2']);
  const { shipment } = await aShipment(desk);
  const policy = await newest(desk.rk, 'insurance_policy', { status: { eq: 'approved' } });
  const buyer = String((shipment['_labels'] as Fields)['buyer_id']);

  await test.step('risk control asks for a limit on the buyer, a colleague enters what the insurer grants', async () => {
    await show(desk.rk, `/details/cbxydj?id=${String(policy['id'])}`);
    await act(desk.rk, '申请限额', {
      国外客户: buyer,
      支付方式: '赊销O/A',
      信用期限: '60',
      申请限额: '90000',
    });
    const { limits } = await recordOf(desk.rk, 'insurance_policy', String(policy['id']));
    const asked = list(limits).findLast((line) => line['buyer_id'] === shipment['buyer_id']);
    expect(asked?.['status']).toBe('applying');
    await run(desk.rk2, 'insurance_policy', String(policy['id']), {
      action: 'grant_limit',
      inputs: {
        limit_line: asked?.['id'],
        limit_no: `SX${SERIAL}`,
        limit_amount: '80000',
        cover_ratio: '90',
      },
    });
  });

  const cover =
    await test.step('sales insures the shipment; the share that is covered comes from the policy', async () => {
      const made = await create(desk.sp, 'insurance_application', {
        business_type: 'agency',
        kind: 'sinosure',
        shipment_id: shipment['id'],
        rate: '0.35',
        payment_term: 'OA',
        term_days: 60,
        ship_date: SAILED,
      });
      expect(made['cover_ratio']).toBe('90.0000');
      const id = String(made['id']);
      await show(desk.sp, `/details/tbdt?id=${id}`);
      await act(desk.sp, '提交');
      await agree(desk.rk, 'insurance_application', id);
      await show(desk.rk, `/details/tbdt?id=${id}`);
      await act(desk.rk, '申报', { 申报日期: day(-115) });
      await act(desk.rk, '承保', { 承保情况通知书号: `CB${SERIAL}` });
      await expectStatus(desk.rk, 'insurance_application', id, 'underwritten');
      return id;
    });

  const amount = String((await recordOf(desk.rk, 'insurance_application', cover))['insured_amount']);

  await test.step('the notice comes one day late: it is refused, and passes with a reason as what it is', async () => {
    const { rk } = desk;
    const inputs = { loss_reason: 'default', loss_notice_date: day(0), loss_amount: amount };
    await expect(run(rk, 'insurance_application', cover, { action: 'notify_loss', inputs })).rejects.toThrow(
      '报损日期超过报损截止日',
    );
    await run(rk, 'insurance_application', cover, {
      action: 'notify_late',
      inputs,
      opinion: '买家失联，保险人已同意受理',
    });
    await show(rk, `/details/tbdt?id=${cover}`);
    await expect(rk.getByText('已报损').filter({ visible: true }).first()).toBeVisible();
    const told = await recordOf(rk, 'insurance_application', cover);
    expect([told['status'], told['late_notice'], told['loss_notice_due']]).toEqual([
      'claim_notice',
      true,
      day(-1),
    ]);
  });

  await test.step('it is claimed with its papers; finance takes in what the insurer pays, never more than is covered', async () => {
    const { rk, fn } = desk;
    await change(rk, 'insurance_application', cover, {
      attachments: [await scanOf(rk, 'insurance_application', 'attachments')],
    });
    await show(rk, `/details/tbdt?id=${cover}`);
    await act(rk, '索赔');
    const most = Number((await recordOf(fn, 'insurance_application', cover))['max_indemnity']);
    expect(most).toBeCloseTo(Number(amount) * 0.9, 2);
    await show(fn, `/details/tbdt?id=${cover}`);
    await act(fn, '赔付', { 赔付金额: (most / 2).toFixed(2) });
    const [receipt] = await find(fn, 'domestic_receipt', { insurance_id: { eq: cover } });
    expect([receipt?.['kind'], receipt?.['status']]).toEqual(['indemnity', 'draft']);
    await expectStatus(fn, 'insurance_application', cover, 'indemnified');
  });

  await test.step('the limit is free again, and the page of risks no longer names the shipment as covered', async () => {
    const { limits } = await recordOf(desk.rk, 'insurance_policy', String(policy['id']));
    expect(list(limits).find((line) => line['limit_no'] === `SX${SERIAL}`)?.['used']).toBe('0.00');
    await show(desk.rk, '/yjbb/fxck');
    await expect(desk.rk.getByText('风险金额(CNY)').filter({ visible: true }).first()).toBeVisible();
  });
});
