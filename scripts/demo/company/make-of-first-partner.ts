import { beginLate, rowsOf } from './late-story.ts';
import { type Fee, feeValues, PAYEE } from './make-payments.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

const ASKED: readonly Fee[] = [
  { type: 'freight', item: 'port', purpose: '支付港杂费' },
  { type: 'freight', item: 'inland', purpose: '支付拖车费' },
];

/** What the partner of the first login has on hand: payments that he asks for himself, cover, freight, an invoice. */
export async function makeOfFirstPartner(world: World): Promise<void> {
  const { stage } = world;
  const [asked] = await rowsOf(
    world,
    `select s.id, s.partner_id as partner, split_part(o.personid, '.', 1) as owner, 
       s.currency, s.total_amount::text as amount, s.payment_term as term, s.term_days::text as days, s.etd::text as etd
     from shipment s join person o on o.id = s.sales_id join partner__accounts a on a.parent_id = s.partner_id and a.mobile = $2
     where s.co_code = $1 and s.status = 'shipped' and not s.is_deleted order by s.shipment_no desc limit 1`,
    [world.scale.partnerMobiles[0] ?? ''],
  );
  if (asked === undefined) return;
  const actor = await stage.asPartner(asked.partner);
  const { id, partner, owner } = asked;
  for (const [place, fee] of ASKED.entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `asked fee ${place}`, 6 - place * 2);
      const made = await story.create(actor, 'payment_request', {
        partner_id: partner,
        ...PAYEE,
        ...feeValues(story, fee, id),
      });
      if (place === 0) await story.approve(actor, 'payment_request', { id: String(made['id']), levels: 1 });
    });
  const story = beginLate(world, 'first partner', 4);
  await unlessRefused(async () => {
    await story.create(owner, 'insurance_application', {
      business_type: 'agency',
      kind: 'sinosure',
      shipment_id: id,
      currency: asked['currency'],
      insured_amount: asked['amount'],
      cover_ratio: '90',
      rate: '0.45',
      premium_bearer: 'partner',
      payment_term: asked['term'],
      term_days: Number(asked['days'] ?? 0),
      ship_date: asked['etd'],
    });
  });
  await unlessRefused(async () => {
    const [booked] = await rowsOf(
      world,
      `select id, partner_id as partner, forwarder_id as owner from shipment
       where co_code = $1 and partner_id = $2 and status = 'approved' and not is_deleted limit 1`,
      [partner],
    );
    if (booked !== undefined)
      await story.create('dc', 'logistics_order', { shipment_id: booked.id, forwarder_id: booked.owner });
  });
  await unlessRefused(async () => {
    await story.create('cs', 'agent_invoice_application', {
      partner_id: partner,
      kind: 'fee_invoice',
      invoice_type: '32',
      email: 'caiwu@example.cn',
      items: [{ shipment_id: id }],
    });
  });
}
