import { addDays } from '#engine/values/dates.ts';
import { fileExport } from './file-export.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { lend } from './lend.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** How far a refund comes, in turn: from what waits for its invoices to what was paid. */
const FATES = ['received', 'partial', 'letter', 'accepted', 'declared', 'ready', 'collecting'] as const;
type Fate = (typeof FATES)[number];
/** The same for what left in an earlier year, whose day of declaration is over. */
const OLD_FATES = [
  'received',
  'received',
  'accepted',
  'received',
  'received',
  'letter',
  'received',
  'partial',
] as const;
const UNDECIDED: ReadonlySet<Fate> = new Set(['declared', 'ready']);
const RECENT_DAYS = 6;
const MOST = 24;
/** Of so many refunds one is advanced before it is declared. */
const ADVANCED_EVERY = 2;
/** A loan on a refund runs so long at most. */
const LENT_DAYS = 175;

interface Open {
  readonly id: string;
  readonly declared: string;
  readonly partner: string | null;
  readonly owner: string | null;
}

/** Refunds that the closed declarations made, as far as finance has got; the first of them are filed. */
export async function makeRefunds(world: World, own: Pick<OwnRecords, 'accounts'>): Promise<void> {
  const rows = await world.stage.services.db.query<Open & Record<string, unknown>>(
    `select r.id, d.export_date::text as declared, r.partner_id as partner, split_part(o.personid, '.', 1) as owner from tax_refund r join customs_declaration d on d.id = r.declaration_id
     join shipment s on s.id = r.shipment_id and s.status = 'shipped'
     left join partner p on p.id = r.partner_id and p.status = 'active' left join person o on o.id = p.sales_id
     where r.co_code = $2 and r.invoices_complete and r.status = 'collecting' and (r.received_fx_ok or r.receipt_deadline >= $1::date)
     and not exists (select 1 from tax_refund__items i join goods_invoice g on g.id = i.goods_invoice_id
       where i.parent_id = r.id and g.status <> 'certified') order by r.refund_no limit ${MOST}`,
    [world.stage.today, world.stage.company],
    'demo_refunds',
  );
  for (const [place, row] of rows.entries()) {
    const { today } = world.stage;
    const fates: readonly Fate[] = row.declared < `${today.slice(0, 4)}-01-01` ? OLD_FATES : FATES;
    const fate = fates[place % fates.length] ?? 'collecting';
    // What was declared and not decided yet was declared these days.
    const day = UNDECIDED.has(fate) ? addDays(today, -RECENT_DAYS) : addDays(row.declared, 30);
    const story = world.stage.begin(`refund ${place}`, day > today ? today : day);
    // Whose supplier the tax office asks about waits for the answer.
    await unlessRefused(() => carryOn({ world, story, own }, { row, place, fate }));
  }
}

interface Scene {
  readonly world: World;
  readonly story: Story;
  readonly own: Pick<OwnRecords, 'accounts'>;
}

interface Carried {
  readonly row: Open;
  readonly place: number;
  readonly fate: Fate;
}

/** Most of a refund, before it comes; what is not paid within the days of the loan is not lent on. */
async function lendOn(
  { world: { stage }, story }: Scene,
  { row: { id, partner, owner }, fate }: Carried,
): Promise<void> {
  const due = addDays(story.day(), LENT_DAYS);
  if (partner === null || owner === null || (fate !== 'received' && due <= addDays(stage.today, 5))) return;
  await lend(stage, {
    seed: `refund ${id}`,
    partner,
    owner,
    line: 'rebate',
    day: story.day(),
    values: { financing_type: 'rebate', refund_id: id, due_date: due, purpose: '退税到账前垫付货款' },
  });
}

async function carryOn(scene: Scene, carried: Carried): Promise<void> {
  const { world, story, own } = scene;
  const { place, fate } = carried;
  const { id } = carried.row;
  if (fate === 'collecting') return;
  const act = (action: string, inputs: OpenRecord = {}) =>
    story.act('fn', 'tax_refund', { id, action, inputs });
  const items = async (values: (item: OpenRecord, place: number) => OpenRecord) => {
    const list = (await story.read('tax_refund', id))['items'] as readonly OpenRecord[];
    return list.map((item, place) => ({ id: item['id'], ...values(item, place) }));
  };
  await story.update('fn', 'tax_refund', id, {
    items: await items((_, place) => ({ relation_seq: String(place + 1) })),
  });
  await act('ready');
  if (place % ADVANCED_EVERY === 0) await unlessRefused(() => lendOn(scene, carried));
  if (fate === 'ready') return;
  story.wait(3);
  await act('declare', { declare_ym: story.day().slice(0, 7).replace('-', '') });
  await fileExport(world, story, { refund: id, place });
  if (fate === 'declared') return;
  if (fate === 'letter') return askAbout(story, id);
  story.wait(12);
  await act('accept', {
    changes: { items: await items((item) => ({ approved_amount: item['refund_amount'] })) },
  });
  if (fate === 'accepted') return;
  story.wait(6);
  const expected = String((await story.read('tax_refund', id))['outstanding']);
  await act('receive', {
    receive_date: story.day(),
    amount: fate === 'partial' ? `${Math.floor(Number(expected) / 2)}.00` : expected,
    bank_account_id: own.accounts.get('CNY'),
    bank_ref: `TS${story.roll.between(100_000, 999_999)}`,
  });
}

/** The tax office asks about the supplier of a declared refund. */
async function askAbout(story: Story, id: string): Promise<void> {
  story.wait(5);
  const [item] = (await story.read('tax_refund', id))['items'] as readonly OpenRecord[];
  const invoice = await story.read('goods_invoice', String(item?.['goods_invoice_id']));
  await story.create('fn', 'refund_letter', {
    supplier_id: invoice['supplier_id'],
    tax_authority: '国家税务总局宁波市税务局',
    reply_authority: '供应商所在地税务局',
    sent_date: story.day(),
    lines: [{ goods_invoice_id: invoice['id'] }],
  });
}
