import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { draftBy } from './draft-by.ts';
import { isReached } from './ends.ts';
import { type ContractParts, makeContract } from './make-contracts.ts';
import { makeHeldMoney } from './make-held-money.ts';
import { handInPapers } from './make-papers.ts';
import { type DemoShipment, makeShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { ContractFate, DemoContract, DemoRelation, World } from './world.ts';

interface Desk {
  readonly world: World;
  readonly parts: ContractParts;
  /** Those whose partners fewest count on come first. */
  readonly relations: readonly DemoRelation[];
  readonly late: ReadonlySet<string>;
}

/** Divisible by everything that a shipment's number decides: nothing besides happens to it. */
const SERIAL = 30_000;

/** Trades of the last weeks that stand where all others have passed through already. */
export async function makeOpenTrades(world: World, parts: ContractParts): Promise<void> {
  const late = await latePartners(world);
  const desk = { world, parts, late, relations: mostQuiet(world, parts.relations, late) };
  for (const [place, step] of STEPS.entries()) {
    await unlessRefused(() => step(desk));
    world.onStep('在途业务', place + 1, STEPS.length);
  }
}

const STEPS: readonly ((desk: Desk) => Promise<void>)[] = [
  buyInParts,
  declareOne,
  (desk) => openCredit(desk, 'accepted'),
  (desk) => openCredit(desk, 'presented'),
  (desk) => openCredit(desk, 'shipped'),
];

/** Not of the log-ins, who follow every document of theirs; those without a late loan come first. */
function mostQuiet(
  { scale }: World,
  relations: readonly DemoRelation[],
  late: Desk['late'],
): Desk['relations'] {
  const others = relations.filter(
    ({ buyer: { partner, currency } }) =>
      partner !== null && partner.serial >= scale.partnerMobiles.length && currency !== 'JPY',
  );
  const isLate = ({ buyer: { partner } }: DemoRelation): boolean => late.has(partner?.id ?? '');
  return [...others.filter((one) => !isLate(one)), ...others.filter(isLate)];
}

/** Whose next money goes into a loan that is late. */
async function latePartners({ stage }: World): Promise<Desk['late']> {
  const late = await stage.services.db.query<{ partner: string }>(
    `select distinct partner_id as partner from financing where co_code = $1 and status = 'overdue'`,
    [stage.company],
    'demo_late_partners',
  );
  return new Set(late.map(({ partner }) => partner));
}

interface Wanted {
  readonly term: string;
  readonly mode: string;
  readonly fate: ContractFate;
  readonly daysAgo: number;
}

/** A contract of a partner who trades that way; null where none does. */
async function openContract(
  { world, parts, relations }: Desk,
  seed: string,
  { term, mode, fate, daysAgo }: Wanted,
): Promise<DemoContract | null> {
  const relation = relations.find(({ buyer }) => buyer.partner?.modes.includes(mode) === true);
  if (relation === undefined || relation.buyer.partner === null) return null;
  const buyer = { ...relation.buyer, term, partner: { ...relation.buyer.partner, modes: [mode] } };
  const story = world.stage.begin(`open trade ${seed}`, addDays(world.stage.today, -daysAgo));
  const only = { ...parts, relations: [{ ...relation, buyer }] };
  return makeContract(world, story, { parts: only, fate, serial: SERIAL });
}

/** A part of a contract's goods on its way. */
async function ship(
  { world, parts }: Desk,
  contract: DemoContract,
  shipped: Pick<DemoShipment, 'fate'> & { readonly part: number; readonly parts: number },
): Promise<DemoShipment> {
  const story = world.stage.begin(`open shipment ${contract.no}`, addDays(contract.day, 2));
  const making = { ...shipped, contract, day: story.day(), serial: SERIAL };
  const id = await makeShipment(world, story, { ...making, own: parts.own, project: parts.project });
  return { id, contract, day: story.day(), fate: shipped.fate };
}

const PURCHASES = ['approved', 'pending', 'rejected'] as const;

/** What a contract needs is bought in three parts: one is approved, one waits, one was sent back. */
async function buyInParts(desk: Desk): Promise<void> {
  const { world } = desk;
  const missing: (typeof PURCHASES)[number][] = [];
  for (const state of PURCHASES)
    if (!(await isReached(world, { resource: 'purchase_contract', state }))) missing.push(state);
  if (missing.length === 0) return;
  const contract = await openContract(desk, 'purchases', {
    ...{ term: 'TT_ADV', mode: 'buyout', fate: 'approved', daysAgo: 14 },
  });
  if (contract === null) return;
  const story = world.stage.begin('open purchases', addDays(world.stage.today, -5));
  for (const [place, state] of missing.entries()) {
    const id = await buy(story, contract, PURCHASES.length - place);
    await story.approve(contract.buyer.owner, 'purchase_contract', {
      id,
      ...(state === 'pending' ? { levels: 0 } : {}),
      ...(state === 'rejected' ? { rejection: '采购单价高于上次成交价，请与供方重新议价' } : {}),
    });
  }
}

/** A draft of one of so many parts of what is not bought yet. */
async function buy(story: Story, contract: DemoContract, parts: number): Promise<string> {
  const { owner } = contract.buyer;
  const id = await draftBy(story, owner, {
    resource: 'export_contract',
    id: contract.id,
    action: 'to_purchase',
  });
  const { items } = await story.read('purchase_contract', id);
  await story.update(owner, 'purchase_contract', id, {
    ...{
      sign_place: '宁波',
      delivery_date: addDays(story.day(), 30),
      delivery_place: '供方仓库交货，需方自提',
    },
    ...{
      advance_ratio: '0',
      payment_terms: 'on_invoice',
      quality_terms: '按需方确认的样品及技术要求，出运前验货',
    },
    invoice_terms: '货物出运后10日内开具13%增值税专用发票',
    items: (items as readonly OpenRecord[]).map((item) => ({
      id: item['id'],
      quantity: String(Math.ceil(Number(item['quantity']) / parts)),
    })),
  });
  return id;
}

/** Customs have released the goods, the ship has not left yet; what the buyer has paid in advance is kept in dollars. */
async function declareOne(desk: Desk): Promise<void> {
  const { world, parts } = desk;
  const contract = await openContract(desk, 'declared', {
    ...{ term: 'TT_ADV', mode: 'entrusted', fate: 'ship', daysAgo: 20 },
  });
  if (contract === null) return;
  if (!(await isReached(world, { resource: 'shipment', state: 'declared' })))
    await unlessRefused(() => ship(desk, contract, { fate: 'declared', part: 0, parts: 2 }));
  if (desk.late.has(contract.buyer.partner?.id ?? '')) return;
  await makeHeldMoney(world, { contract, own: parts.own });
}

/** A usance credit whose goods have left and whose money is not due yet. */
async function openCredit(desk: Desk, state: 'shipped' | 'presented' | 'accepted'): Promise<void> {
  const { world } = desk;
  if (await isReached(world, { resource: 'letter_of_credit', state })) return;
  const contract = await openContract(desk, `credit ${state}`, {
    ...{ term: 'LC_USANCE', mode: 'entrusted', fate: 'ship', daysAgo: 34 },
  });
  if (contract === null) return;
  const shipment = await ship(desk, contract, { fate: 'shipped', part: 0, parts: 1 });
  if (state === 'shipped') return;
  const [bank] = await world.stage.services.db.query<{ id: string }>(
    `select id from bank where status = 'active' order by id limit 1`,
  );
  await handInPapers(world, { shipment, bank: bank?.id ?? '', fate: 'sent' });
  if (state === 'presented') return;
  const story = world.stage.begin(`credit ${state}`, addDays(world.stage.today, -1));
  const maturity = addDays(shipment.day, 90);
  await story.act('dc', 'letter_of_credit', {
    id: contract.lc ?? '',
    action: 'accept',
    inputs: { maturity },
  });
}
