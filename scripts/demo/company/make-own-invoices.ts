import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import { lastShare, type World } from './world.ts';

const APPLICATIONS = 6;
const CERTIFICATES = 3;
const RECEIVABLES = ['违约金', '滞箱费', '代垫费用', '其他'] as const;

interface Billed {
  readonly id: string;
  readonly partner: string;
  readonly partner_name: string;
  readonly day: string;
}

/** Invoices that the company itself draws up: for its fees, what others owe it; certificates of agency exports; papers filed. */
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
  await unlessRefused(() => filePapers(world));
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
  if (place % 6 === 5) return;
  const application = String(made['id']);
  await story.approve('cs', 'agent_invoice_application', {
    id: application,
    ...(place % 6 === 4 ? { levels: 0 } : {}),
  });
  if (place % 6 > 2) return;
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
  await story.approve(maker, 'sales_invoice', { id: invoice.id, ...(place % 6 === 2 ? { levels: 0 } : {}) });
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
  });
}

/** Scans of the papers of declared refunds; the first are filed, one is checked, of the last something is missing. */
async function filePapers(world: World): Promise<void> {
  const rows = await world.stage.services.db.query<{ id: string; day: string }>(
    `select id, refund_declared_date::text as day from document_filing where co_code = $1 and status = 'pending' order by filing_no limit 5`,
    [world.stage.company],
  );
  for (const [place, { id, day }] of rows.entries()) {
    const story = begin(world, `filing ${place}`, day, 5);
    const { docs } = await story.read('document_filing', id);
    const isWhole = place !== rows.length - 1;
    const scanned: OpenRecord[] = [];
    for (const [line, doc] of (docs as readonly OpenRecord[]).entries())
      scanned.push({
        id: doc['id'],
        doc_no: `DA${story.roll.between(1000, 9999)}`,
        ...(isWhole || line > 0
          ? { file: [await story.upload('dc', `${String(doc['doc_name'])}.pdf`, demoPdf(['FILED']))] }
          : {}),
      });
    await story.update('dc', 'document_filing', id, { docs: scanned });
    const { missing_docs: missing } = await story.read('document_filing', id);
    if (!isWhole || Number(missing) > 0) {
      await story.act('dc', 'document_filing', {
        id,
        action: 'mark_incomplete',
        opinion: '缺购销合同扫描件',
      });
      continue;
    }
    await story.act('dc', 'document_filing', { id, action: 'file' });
    if (place === 0)
      await story.act('fn', 'document_filing', {
        id,
        action: 'check',
        inputs: { check_note: '税务核查，单证齐全' },
      });
  }
}

function begin({ stage }: World, seed: string, day: string, later = 12): Story {
  const then = addDays(day, later);
  return stage.begin(seed, then > stage.today ? stage.today : then);
}
