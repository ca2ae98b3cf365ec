import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { rollSailing } from './make-declarations.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { lastShare, type World } from './world.ts';

const BOOKED = 24;
const ENTRIES = 14;
const SUBMISSIONS = 14;

/** Papers of shipments: space booked, goods in the warehouse, documents handed in, folders on the shelf; and templates. */
export async function makePapers(world: World, shipments: readonly DemoShipment[]): Promise<void> {
  if (world.isOpening && !world.hasStrays) return;
  const of = (...fates: readonly string[]) => shipments.filter(({ fate }) => fates.includes(fate));
  if (world.hasStrays) await makeTemplates(world);
  for (const [place, shipment] of lastShare(world, of('approved', 'declared'), BOOKED))
    await bookSpace(world.stage.begin(`booking ${place}`, shipment.day), shipment.id, place);
  // A purchase that goes in several shipments enters the warehouse once, for the last of them.
  const bought = new Map(
    of('shipped', 'declared', 'approved').flatMap((shipment) => {
      const [purchase] = shipment.contract.purchases.values();
      return shipment.contract.mode === 'buyout' && purchase !== undefined
        ? [[purchase, shipment] as const]
        : [];
    }),
  );
  for (const [place, [purchase, shipment]] of lastShare(world, [...bought], ENTRIES))
    await storeGoods(world, { ...shipment, purchase, place });
  const [bank] = await world.stage.services.db.query<{ id: string }>(
    `select id from bank where status = 'active' order by id limit 1`,
  );
  for (const [place, shipment] of lastShare(world, of('shipped'), SUBMISSIONS))
    await handInPapers(world, { shipment, place, bank: bank?.id ?? '' });
  for (const [place, shipment] of of('cancelled').entries()) await shelve(world, shipment, place);
}

/** What bookings come to, in turn. */
const BOOKINGS = [
  'gated',
  'confirmed',
  'departed',
  'draft',
  'loaded',
  'cancelled',
  'arrived',
  'booked',
] as const;
const REACHED = ['draft', 'booked', 'confirmed', 'loaded', 'gated', 'departed', 'arrived'];
const STEPS = ['book', 'confirm', 'load', 'gate_in', 'depart', 'arrive'];

async function bookSpace(story: Story, shipment: string, place: number): Promise<void> {
  const { roll } = story;
  // What is being changed is booked afterwards.
  if ((await story.read('shipment', shipment))['status'] === 'amending') return;
  const sailing = rollSailing(story);
  const fate = BOOKINGS[place % BOOKINGS.length] ?? 'draft';
  const id = await madeBy(story, 'dc', { resource: 'shipment', id: shipment, action: 'to_logistics' });
  await story.update('dc', 'logistics_order', id, {
    carrier: roll.pick(['中远海运', '东方海外', '长荣海运']),
    vessel_voyage: `${sailing.vessel}/${sailing.voyage}`,
    containers: [
      { container_no: sailing.container_nos, type: '40HQ', seal_no: `DM${roll.between(100_000, 999_999)}` },
    ],
    quotes: [{ fee_item: 'port', currency: 'CNY', amount: `${roll.between(900, 1800)}.00` }],
    tracks: [{ node: '订舱', time: `${story.day()}T02:00:00Z`, place: '宁波' }],
  });
  const inputs: Readonly<Record<string, OpenRecord>> = {
    confirm: { so_no: `SO${roll.between(1_000_000, 9_999_999)}` },
    depart: { atd: story.day(), bl_no: sailing.bl_no },
    arrive: { ata: story.day() },
  };
  for (const action of STEPS.slice(0, fate === 'cancelled' ? 1 : REACHED.indexOf(fate)))
    await story.act('dc', 'logistics_order', { id, action, inputs: inputs[action] ?? {} });
  if (fate === 'cancelled')
    await story.act('dc', 'logistics_order', { id, action: 'cancel', opinion: '货期推迟，改下一航次' });
}

/** The goods of the purchases of a shipment enter the warehouse, now and then with something to correct, and leave it. */
async function storeGoods(
  world: World,
  stored: DemoShipment & { readonly purchase: string; readonly place: number },
): Promise<void> {
  const { contract, day, id: shipment, fate, purchase, place } = stored;
  const story = world.stage.begin(`entry ${place}`, day);
  const { owner } = contract.buyer;
  const { status } = await story.read('purchase_contract', purchase);
  if (status !== 'signed' && status !== 'executing') return;
  const id = await madeBy(story, owner, { resource: 'purchase_contract', id: purchase, action: 'to_entry' });
  const { items } = await story.read('warehouse_entry', id);
  await story.update('dc', 'warehouse_entry', id, {
    entry_date: story.day(),
    inspector: '孙验收',
    deliver_by: '供方司机',
    warehouse: '宁波北仑一号仓',
    items: (items as readonly OpenRecord[]).map((item) => ({
      id: item['id'],
      packages: story.roll.between(10, 90),
    })),
  });
  if (place % 6 === 2) return;
  await story.approve('dc', 'warehouse_entry', {
    id,
    ...(place % 6 === 3 ? { levels: 0 } : {}),
    ...(place % 6 === 4 ? { rejection: '实收件数与送货单不符' } : {}),
  });
  if (place % 6 === 5) await story.act('tm', 'warehouse_entry', { id, action: 'void', opinion: '重复录入' });
  if (place % 6 > 1 || fate !== 'approved' || contract.purchases.size > 1) return;
  const issue = await madeBy(story, 'dc', { resource: 'shipment', id: shipment, action: 'to_issue' });
  await story.update('dc', 'warehouse_entry', issue, {
    warehouse: '宁波北仑一号仓',
    vehicle_no: '浙B·D1024',
  });
  await story.approve('dc', 'warehouse_entry', { id: issue });
}

/** How far the papers of a shipment come. */
const HANDED = ['sent', 'pending', 'sent', 'returned', 'sent', 'approved', 'draft', 'void'] as const;

/** Hands in the papers of a shipment that has left: to its buyer, or to the bank where a credit or collection asks so. */
async function handInPapers(
  world: World,
  {
    shipment,
    place,
    bank,
  }: { readonly shipment: DemoShipment; readonly place: number; readonly bank: string },
): Promise<void> {
  const { owner } = shipment.contract.buyer;
  const story = world.stage.begin(`papers ${place}`, shipment.day);
  const fate = HANDED[place % HANDED.length] ?? 'draft';
  const id = await madeBy(story, owner, { resource: 'shipment', id: shipment.id, action: 'to_submission' });
  const { docs, submission_kind, invoice_no } = await story.read('document_submission', id);
  const isBank = submission_kind === 'lc' || submission_kind === 'bank_collection';
  const filled: OpenRecord[] = [];
  for (const doc of docs as readonly OpenRecord[]) {
    const kind = String(doc['doc_kind']);
    const file = [await story.upload(owner, `${kind}.pdf`, demoPdf(['DOCUMENT', String(invoice_no)]))];
    filled.push({ id: doc['id'], file, originals: 3 });
  }
  await story.update(owner, 'document_submission', id, {
    submit_date: story.day(),
    ...(isBank ? { bank_id: bank } : {}),
    docs: filled,
  });
  if (fate === 'draft') return;
  if (fate === 'void') {
    await story.act(owner, 'document_submission', { id, action: 'void', opinion: '客户改为电放' });
    return;
  }
  await story.approve(owner, 'document_submission', {
    id,
    ...(fate === 'pending' ? { levels: 0 } : {}),
    ...(fate === 'returned' ? { rejection: '缺少装箱单正本，请补齐' } : {}),
  });
  if (fate !== 'sent') return;
  await story.update('dc', 'document_submission', id, {
    ...(isBank ? { bank_ref: `BP${story.roll.between(1_000_000, 9_999_999)}` } : { courier: 'DHL' }),
    tracking_no: String(story.roll.between(1_000_000_000, 9_999_999_999)),
  });
  await story.act('dc', 'document_submission', { id, action: 'send' });
}

/** Puts the folder of a cancelled shipment on the shelf, and now and then lends it. */
async function shelve(world: World, { id: shipment, day }: DemoShipment, place: number): Promise<void> {
  const story = world.stage.begin(`archive ${place}`, day);
  const [row] = await world.stage.services.db.query<{ id: string; clerk: string }>(
    `select f.id, (select p.id from person p where p.co_code = f.co_code and p.personid like 'fn.%' order by p.personid limit 1) as clerk
     from file_archive f where f.shipment_id = $1::uuid`,
    [shipment],
  );
  if (row === undefined) return;
  const { files } = await story.read('file_archive', row.id);
  await story.update('dc', 'file_archive', row.id, {
    volume_no: `2026-${String(place + 1).padStart(3, '0')}`,
    shelf: 'A3-2',
    page_count: 12,
    files: (files as readonly OpenRecord[]).map((file) => ({ id: file['id'], copies: 1 })),
  });
  await story.act('dc', 'file_archive', {
    id: row.id,
    action: 'archive',
    inputs: { archived_date: story.day() },
  });
  if (place % 2 === 0) return;
  const inputs = { borrower_id: row.clerk, due_date: addDays(world.stage.today, 7) };
  await story.act('dc', 'file_archive', { id: row.id, action: 'borrow', inputs });
}

const TEMPLATES = [
  ['invoice', '商业发票', 'export_invoice'],
  ['purchase', '采购合同', 'purchase_contract'],
  ['stock', '出入仓单', 'warehouse_entry'],
] as const;

/** Templates that the company prints and hands out. */
async function makeTemplates(world: World): Promise<void> {
  const story = world.stage.begin('templates', world.start);
  for (const [code, name, resource] of TEMPLATES)
    await story.create('tm', 'file_template', {
      code,
      name,
      resource,
      lang: resource === 'purchase_contract' ? 'zh' : 'en',
      is_default: true,
      body: `<h1>${name}</h1>`,
    });
  const form = await story.create('tm', 'file_template', {
    code: 'customer_form',
    name: '客户资料表',
    file: [await story.upload('tm', '客户资料表.pdf', demoPdf(['CUSTOMER FORM']))],
  });
  await story.create('tm', 'file_template', {
    code: 'customer_form',
    name: '客户资料表(新)',
    file: [await story.upload('tm', '客户资料表2.pdf', demoPdf(['CUSTOMER FORM 2']))],
  });
  await story.act('tm', 'file_template', { id: String(form['id']), action: 'disable' });
}

/** The draft that an action makes. */
async function madeBy(
  story: Story,
  actor: Parameters<Story['act']>[0],
  { resource, ...step }: { readonly resource: string; readonly id: string; readonly action: string },
): Promise<string> {
  const after = await story.act(actor, resource, step);
  const [made] = after['_created'] as readonly { readonly id: string }[];
  if (made === undefined) throw new RangeError(`${step.action} of ${resource} ${step.id} made nothing`);
  return made.id;
}
