import { addDays } from '#engine/values/dates.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import { lastShare, type World } from './world.ts';

const APPLICATIONS = 8;
const CERTIFICATES = 3;
const RECEIVABLES = ['违约金', '滞箱费', '代垫费用', '违约金', '其他'] as const;

interface Billed {
  readonly id: string;
  readonly partner: string;
  readonly partner_name: string;
  readonly day: string;
}

/** Invoices that the company itself draws up: for its fees, what others owe it; certificates of agency exports. */
export async function makeOwnInvoices(world: World, shipments: readonly DemoShipment[]): Promise<void> {
  if (world.isOpening && !world.hasStrays) return;
  const charged = await shipmentsWhere(world, shipments, `s.fee_sum < 0`);
  for (const [place, shipment] of lastShare(world, charged, APPLICATIONS))
    await unlessRefused(() => applyForInvoice(world, shipment, place));
  const closed = await shipmentsWhere(
    world,
    shipments,
    `s.export_mode = 'entrusted' and exists (select 1 from customs_declaration d where d.shipment_id = s.id and d.status = 'closed')
     and not exists (select 1 from customs_declaration d where d.shipment_id = s.id and d.status not in ('closed', 'withdrawn', 'rejected'))`,
  );
  for (const [place, shipment] of lastShare(world, closed, CERTIFICATES))
    await unlessRefused(() => certify(world, shipment, place));
  for (const [place, debtor] of lastShare(world, charged, RECEIVABLES.length))
    await unlessRefused(() => claim(world, debtor, { place, reason: RECEIVABLES[place] ?? '其他' }));
}

/** Those of some shipments that belong to partners and have left, by a condition on `s`. */
async function shipmentsWhere(
  world: World,
  shipments: readonly DemoShipment[],
  condition: string,
): Promise<readonly Billed[]> {
  return world.stage.services.db.query<Billed & Record<string, unknown>>(
    `select s.id, s.partner_id as partner, p.name as partner_name, s.atd::text as day from shipment s join partner p on p.id = s.partner_id
     where s.id = any($1::uuid[]) and s.status = 'shipped' and not s.is_deleted and (${condition}) order by s.shipment_no`,
    [shipments.map(({ id }) => id)],
  );
}

/** Customer service asks for an invoice over the fees; finance approves, writes the number, and it is issued. */
async function applyForInvoice(world: World, { id, partner, day }: Billed, place: number): Promise<void> {
  const story = begin(world, `fee application ${place}`, day);
  const made = await story.create('cs', 'agent_invoice_application', {
    partner_id: partner,
    kind: 'fee_invoice',
    invoice_type: '32',
    email: `caiwu${place + 1}@example.cn`,
    items: [{ shipment_id: id }],
  });
  if (place % 8 === 5) return;
  const application = String(made['id']);
  await story.approve('cs', 'agent_invoice_application', {
    id: application,
    ...(place % 8 === 4 ? { levels: 0 } : {}),
  });
  if (place % 8 === 3 || place % 8 === 4) return;
  const [invoice] = await world.stage.services.db.query<{ id: string; maker: string }>(
    `select i.id, split_part(p.personid, '.', 1) as maker from sales_invoice i join person p on p.id = i.created_by
     where i.application_id = $1::uuid`,
    [application],
  );
  if (invoice === undefined) return;
  const { maker } = invoice;
  const number = `${story.day().slice(2, 4)}332000000${story.roll.between(100_000_000, 999_999_999)}`;
  await story.update(maker, 'sales_invoice', invoice.id, {
    invoice_number: number,
    billing_date: story.day(),
  });
  // Whoever let it come into being hands it in, and the other one of finance decides: without one it stays a draft.
  if (!world.stage.has('fn2')) return;
  await story.approve(maker, 'sales_invoice', {
    id: invoice.id,
    ...(place % 8 === 2 ? { levels: 0 } : {}),
    ...(place % 8 === 6 ? { rejection: '购买方税号与开票资料不一致' } : {}),
  });
  if (place % 8 !== 7) return;
  const inputs = { red_letter_no: `3302${story.roll.between(10_000_000, 99_999_999)}` };
  await story.act(maker, 'sales_invoice', { id: invoice.id, action: 'void', inputs });
}

/** The certificate of an agency export: the partner claims the refund himself. */
async function certify(world: World, { id, partner, day }: Billed, place: number): Promise<void> {
  const story = begin(world, `certificate ${place}`, day);
  const made = await story.create('cs', 'agent_invoice_application', {
    partner_id: partner,
    kind: 'export_cert',
    email: `guanwu${place + 1}@example.cn`,
    items: [{ shipment_id: id }],
  });
  if (place === 0) return;
  await story.approve('cs', 'agent_invoice_application', {
    id: String(made['id']),
    ...(place === 1 ? { levels: 0 } : {}),
    fields: { cert_no: `DLCK${story.roll.between(100_000, 999_999)}`, cert_date: story.day() },
  });
}

/** What a partner owes besides his pool. */
async function claim(
  world: World,
  { partner, partner_name, day }: Billed,
  { place, reason }: { readonly place: number; readonly reason: string },
): Promise<void> {
  const story = begin(world, `receivable ${place}`, day);
  const made = await story.create('fn', 'other_receivable_invoice', {
    business_type: 'agency',
    partner_id: partner,
    debtor_name: partner_name,
    reason,
    bill_date: story.day(),
    due_date: addDays(story.day(), 30),
    net_amount: `${story.roll.between(2, 40) * 100}.00`,
    tax_rate: '6',
    collect_by: 'cash',
  });
  if (place === 0 || !world.stage.has('fn2')) return;
  await story.approve('fn', 'other_receivable_invoice', {
    id: String(made['id']),
    ...(place === 1 ? { levels: 0 } : {}),
    ...(place === RECEIVABLES.length - 1 ? { rejection: '滞箱费单据未附，请补齐' } : {}),
  });
}

function begin({ stage }: World, seed: string, day: string, later = 12): Story {
  const then = addDays(day, later);
  return stage.begin(seed, then > stage.today ? stage.today : then);
}
