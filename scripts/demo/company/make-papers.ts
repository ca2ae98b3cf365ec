import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { bookSpace } from './book-space.ts';
import { draftBy } from './draft-by.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
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
  const bank = world.refs.of('bank_name', '中国银行');
  const others = of('shipped').filter((shipment) => !isCredit(shipment));
  for (const [place, shipment] of lastShare(world, others, SUBMISSIONS))
    await handInPapers(world, {
      shipment,
      bank,
      fate: HANDED[place % HANDED.length] ?? 'draft',
    });
  // What a credit pays is presented within its days.
  for (const shipment of of('shipped').filter(isCredit))
    await unlessRefused(() => handInPapers(world, { shipment, bank, fate: 'sent' }));
  for (const [place, shipment] of of('cancelled').entries()) await shelve(world, shipment, place);
}

const isCredit = ({ contract }: DemoShipment): boolean => contract.lc !== null;

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
  const id = await draftBy(story, owner, { resource: 'purchase_contract', id: purchase, action: 'to_entry' });
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
  // What is about to leave has come in.
  const turn = fate === 'approved' ? 0 : place % 6;
  if (turn === 2) return;
  await story.approve('dc', 'warehouse_entry', {
    id,
    ...(turn === 3 ? { levels: 0 } : {}),
    ...(turn === 4 ? { rejection: '实收件数与送货单不符' } : {}),
  });
  if (turn === 5) await story.act('tm', 'warehouse_entry', { id, action: 'void', opinion: '重复录入' });
  if (turn === 1) await sendBack(story, owner, purchase);
  if (fate !== 'approved' || contract.purchases.size > 1) return;
  const issue = await draftBy(story, 'dc', { resource: 'shipment', id: shipment, action: 'to_issue' });
  await story.update('dc', 'warehouse_entry', issue, {
    warehouse: '宁波北仑一号仓',
    vehicle_no: '浙B·D1024',
  });
  await story.approve('dc', 'warehouse_entry', { id: issue });
}

/** A few pieces that were not good enough go back to the supplier. */
async function sendBack(story: Story, owner: Actor, purchase: string): Promise<void> {
  const { items } = await story.read('purchase_contract', purchase);
  const [line] = items as readonly OpenRecord[];
  const made = await story.create(owner, 'warehouse_entry', {
    ...{
      doc_type: 'return',
      purchase_contract_id: purchase,
      entry_date: story.day(),
      warehouse: '宁波北仑一号仓',
    },
    items: [
      {
        purchase_line: line?.['id'],
        goods_id: line?.['goods_id'],
        unit: line?.['unit'],
        quantity: '5',
        packages: 1,
        qc_result: '不合格',
      },
    ],
  });
  await story.approve(owner, 'warehouse_entry', { id: String(made['id']) });
}

/** How far the papers of a shipment come. */
const HANDED = ['sent', 'pending', 'sent', 'returned', 'sent', 'approved', 'draft', 'void'] as const;

/** Hands in the papers of a shipment that has left: to its buyer, or to the bank where a credit or collection asks so. */
export async function handInPapers(
  world: World,
  {
    shipment,
    bank,
    fate,
  }: { readonly shipment: DemoShipment; readonly bank: string; readonly fate: (typeof HANDED)[number] },
): Promise<void> {
  const { owner } = shipment.contract.buyer;
  const { atd } = await world.stage.begin('papers', shipment.day).read('shipment', shipment.id);
  const story = world.stage.begin(`papers ${shipment.id}`, typeof atd === 'string' ? atd : shipment.day);
  const id = await draftBy(story, owner, { resource: 'shipment', id: shipment.id, action: 'to_submission' });
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
