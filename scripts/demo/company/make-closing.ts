import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { OwnRecords } from './make-own-records.ts';
import { payFor, supplierPayee } from './pay-for.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

const SETTLED = 8;

/** What the company keeps of what a shipment brought, where it bought the goods at its own risk. */
const MARGINS = [0.021, 0.034, 0.027, 0.046] as const;

interface Payed {
  readonly id: string;
  readonly partner: string;
  readonly owner: string;
  readonly bearer: string;
}

/**
 * Shipments whose money is all there are settled, those of the regular partners first, and the statements are confirmed,
 * disputed or wait for an answer. At the very end: what is settled takes no papers and no money any more.
 */
export async function makeClosing(
  world: World,
  { regulars, own }: { readonly regulars: readonly { readonly id: string }[]; readonly own: OwnRecords },
): Promise<void> {
  const { stage } = world;
  if (!isLast(world)) return;
  const rows = await stage.services.db.query<Payed & Record<string, unknown>>(
    `select s.id, s.partner_id as partner, split_part(o.personid, '.', 1) as owner, s.risk_bearer as bearer from shipment s join person o on o.id = s.sales_id
     where s.co_code = $1 and s.status = 'shipped' and s.recv_progress in ('full', 'over') and s.business_type = 'agency' and not s.is_deleted
       and not exists (select 1 from project_settlement x where x.shipment_id = s.id and not x.is_deleted)
     order by array_position($2::uuid[], s.partner_id) nulls last, s.shipment_no limit 40`,
    [stage.company, regulars.map(({ id }) => id)],
    'demo_closing',
  );
  let settled = 0;
  for (const [place, row] of rows.entries()) {
    if (settled >= SETTLED) return;
    await unlessRefused(async () => {
      const story = stage.begin(`closing ${place}`, addDays(stage.today, -3));
      if (row.bearer === 'company')
        await payTheRest(story, own, { ...row, margin: MARGINS[place % MARGINS.length] ?? MARGINS[0] });
      const made = await story.create(row.owner, 'project_settlement', {
        object_kind: 'shipment',
        shipment_id: row.id,
        settle_date: story.day(),
        refund_excluded: true,
        refund_excluded_reason: '退税由委托方自行办理',
      });
      const id = String(made['id']);
      await story.act(row.owner, 'project_settlement', { id, action: 'calculate' });
      await story.approve(row.owner, 'project_settlement', {
        id,
        ...(settled === SETTLED - 1 ? { rejection: '运杂费发票未到齐，请补齐后再结算' } : {}),
      });
      settled += 1;
      if (settled < SETTLED) await answer(world, { id, partner: row.partner, place: settled });
    });
  }
}

/** The supplier gets what is left of his price before the company reckons up what it earned. */
async function payTheRest(
  story: Story,
  own: OwnRecords,
  { id, owner, partner, margin }: Payed & { readonly margin: number },
): Promise<void> {
  const shipment = await story.read('shipment', id);
  const [item] = shipment['items'] as readonly OpenRecord[];
  const purchase = await story.read('purchase_contract', String(item?.['purchase_contract_id']));
  const earned = Number(shipment['received_book']) * margin;
  const amount = Math.min(Number(shipment['pool_sum']) - earned, Number(purchase['unpaid']));
  if (amount < 100) return;
  const made = await story.create(owner, 'payment_request', {
    business_type: 'agency',
    partner_id: partner,
    pay_type: 'goods',
    ...(await supplierPayee(story, String(purchase['supplier_id']))),
    need_date: addDays(story.day(), 2),
    purpose: `支付${String(shipment['shipment_no'])}货款尾款`,
    goods_lines: [{ shipment_id: id, purchase_contract_id: purchase['id'], amount: amount.toFixed(2) }],
  });
  await story.approve(owner, 'payment_request', { id: String(made['id']) });
  await payFor(story, own, { id: String(made['id']), fee: '20.00' });
}

/** One statement is confirmed, the next waits, the third is disputed. */
async function answer(
  { stage }: World,
  { id, partner, place }: { readonly id: string; readonly partner: string; readonly place: number },
): Promise<void> {
  if (place % 3 === 2) return;
  const actor = await stage.asPartner(partner);
  const story = stage.begin(`statement ${place}`, addDays(stage.today, -1));
  await story.act(
    actor,
    'project_settlement',
    place % 3 === 1
      ? { id, action: 'confirm' }
      : { id, action: 'dispute', inputs: { dispute_reason: '运杂费与货代账单不一致，请核对后重新确认' } },
  );
}

/** Whether no chapter follows. */
export function isLast({ first, scale, whole }: World): boolean {
  return first.shipments + scale.shipments >= whole.shipments;
}
