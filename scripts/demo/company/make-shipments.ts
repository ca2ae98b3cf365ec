import { bookVoyage, followVoyage } from './book-space.ts';
import { addDays } from '#engine/values/dates.ts';
import { inLanes } from './lanes.ts';
import { amendDeclared, declareShipment, rollSailing, type Sailing, WAITING } from './make-declarations.ts';
import type { OwnRecords } from './make-own-records.ts';
import { TERM_DAYS } from './make-parties.ts';
import type { Story } from './story.ts';
import { type DemoContract, type DemoLine, type World } from './world.ts';

/** How far a shipment comes. */
type ShipmentFate = 'draft' | 'pending' | 'rejected' | 'cancelled' | 'approved' | 'declared' | 'shipped';

interface Plan {
  readonly contract: DemoContract;
  readonly day: string;
  /** Which part of how many equal ones. */
  readonly part: number;
  readonly parts: number;
  readonly fate: ShipmentFate;
}

/** A shipment that was made. */
export interface DemoShipment {
  readonly id: string;
  readonly contract: DemoContract;
  readonly day: string;
  readonly fate: ShipmentFate;
}

const RECENT: readonly ShipmentFate[] = [
  'pending',
  'draft',
  'approved',
  'pending',
  'declared',
  'rejected',
  'approved',
];

/** Days from a contract until its first goods are ready, and from one part of them to the next. */
const FIRST_GOODS_DAYS = 9;
const NEXT_GOODS_DAYS = 15;

/** What was to leave in the last days is still under way; of few shipments at least this share. */
const UNDER_WAY_DAYS = 13;
const UNDER_WAY_SHARE = 0.07;
/** Before that so many days leave no month without sailings, however the orders fell; of few shipments this share. */
const LATELY_DAYS = 34;
const LATELY_SHARE = 0.12;

/** Shipments of the contracts in the order of their days. */
export async function makeShipments(
  world: World,
  given: { readonly contracts: readonly DemoContract[]; readonly own: OwnRecords; readonly project: string },
): Promise<readonly DemoShipment[]> {
  const plans = planned(world, given.contracts);
  let done = 0;
  return inLanes(plans, world.lanes, async (plan, place) => {
    const serial = world.first.shipments + place;
    const story = world.stage.begin(`shipment ${serial}`, plan.day);
    const id = await makeShipment(world, story, { ...plan, ...given, serial });
    world.onStep('出运明细单', (done += 1), plans.length);
    return { id, contract: plan.contract, day: story.day(), fate: plan.fate };
  });
}

/** Contracts in one to three parts, some not at all yet, until there are as many shipments as wanted. */
function planned(world: World, contracts: readonly DemoContract[]): readonly Plan[] {
  const { stage, scale, first } = world;
  const going = contracts.filter(({ fate }) => fate === 'ship');
  const perContract = scale.shipments / Math.max(1, going.length);
  const plans: Plan[] = [];
  let owed = 0;
  for (const [serial, contract] of going.entries()) {
    owed += perContract;
    const parts = Math.max(0, Math.min(3, Math.round(owed + (serial % 3) - 1)));
    owed -= parts;
    for (let part = 0; part < parts; part += 1) {
      const day = addDays(contract.day, FIRST_GOODS_DAYS + part * NEXT_GOODS_DAYS + (serial % 9));
      plans.push({ contract, part, parts, day: day > stage.today ? stage.today : day, fate: 'shipped' });
    }
  }
  plans.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const recent = addDays(stage.today, -UNDER_WAY_DAYS);
  const late = Math.min(
    Math.floor(plans.length * (1 - UNDER_WAY_SHARE)),
    plans.filter(({ day }) => day < recent).length,
  );
  const before = Math.floor(first.shipments * UNDER_WAY_SHARE);
  const lately = Math.max(1, Math.round(plans.length * LATELY_SHARE));
  return plans.map((plan, place) => {
    if (place % 47 === 9 && place < late) return { ...plan, fate: 'cancelled' };
    if (place < late - lately) return plan;
    if (place < late) {
      const ago = UNDER_WAY_DAYS + Math.floor(((late - place) * LATELY_DAYS) / lately);
      const day = addDays(stage.today, -ago);
      return day > plan.day ? { ...plan, day } : plan;
    }
    const day = addDays(stage.today, -Math.floor(((plans.length - place) * 21) / (plans.length - late)));
    return {
      ...plan,
      day: day < plan.contract.day ? plan.contract.day : day,
      fate: RECENT[(before + place - late) % RECENT.length] ?? 'draft',
    };
  });
}

export interface Making extends Plan {
  readonly serial: number;
  readonly own: OwnRecords;
  readonly project: string;
}

/** One shipment of a contract, as far as its fate lets it come; its id. */
export async function makeShipment(world: World, story: Story, making: Making): Promise<string> {
  const { contract, fate } = making;
  const owner = contract.buyer.owner;
  const record = await story.create(owner, 'shipment', shipmentValues(world, story, making));
  const id = String(record['id']);
  const { serial } = making;
  if (fate === 'draft') return id;
  if (fate === 'rejected') {
    await story.approve(owner, 'shipment', { id, rejection: '件数与装箱单不符，请核对' });
    return id;
  }
  await story.approve(owner, 'shipment', {
    id,
    ...(fate === 'pending' ? { levels: story.roll.between(0, 1) } : {}),
  });
  if (fate === 'cancelled')
    await story.act('tm', 'shipment', { id, action: 'cancel', opinion: '客户改期，另行出运' });
  if (fate !== 'approved' && fate !== 'declared' && fate !== 'shipped') return id;
  const sailing = rollSailing(story);
  const plan = { shipment: id, loadingPort: contract.loadingPort, sailing };
  const waiting = WAITING[Math.floor(serial / 2) % WAITING.length] ?? 'draft';
  const declaration = await declareShipment(world, story, {
    ...plan,
    fate: fate === 'approved' ? waiting : 'released',
  });
  const isPaperDone = fate === 'shipped' && serial % 3 > 0;
  const order = fate === 'shipped' && serial % 5 === 2 ? await bookVoyage(story, id, sailing) : null;
  if (fate === 'shipped') await sail(story, id, sailing);
  else if (fate === 'declared' && serial % 3 === 1)
    await amendDeclared(story, { shipment: id, declaration, owner });
  if (isPaperDone) await finishPapers(world, story, { shipment: id, declaration });
  if (order !== null) await followVoyage(story, order, sailing);
  return id;
}

function shipmentValues(world: World, story: Story, making: Making): Readonly<Record<string, unknown>> {
  const { contract, own } = making;
  const { buyer } = contract;
  const { roll } = story;
  const isSelf = buyer.partner === null;
  const etd = addDays(story.day(), roll.between(6, 10));
  const items = contract.lines.flatMap((line) => itemValues(world, contract, line, making));
  const amount = items.reduce((sum, item) => sum + Number(item.quantity) * Number(item.unit_price), 0);
  const forwarder = roll.pick(own.forwarders.filter((entry) => entry.isSelf === isSelf));
  const digits = contract.currency === 'JPY' ? 0 : 2;
  const isFreight = contract.incoterm !== 'FOB';
  return {
    business_type: isSelf ? 'self' : 'agency',
    ...(isSelf ? { project_id: making.project } : { partner_id: buyer.partner?.id }),
    export_mode: contract.mode,
    buyer_id: buyer.id,
    currency: contract.currency,
    incoterm: contract.incoterm,
    incoterm_place: contract.place,
    payment_term: contract.term,
    term_days: TERM_DAYS[contract.term] ?? 0,
    ...(contract.lc === null ? {} : { lc_id: contract.lc }),
    invoice_date: story.day(),
    bank_account_id: own.accounts.get(contract.currency),
    forwarder_id: forwarder.id,
    customs_broker_id: own.broker,
    port_loading_id: world.refs.of('loading_port', contract.loadingPort),
    exit_port_id: world.refs.of('exit_port', contract.loadingPort),
    port_dest_id: buyer.portId,
    dest_country_id: buyer.countryId,
    trade_country_id: buyer.countryId,
    consignee: `${buyer.name}\n${buyer.city.toUpperCase()}`,
    notify_party: 'SAME AS CONSIGNEE',
    etd,
    eta: addDays(etd, roll.between(12, 34)),
    container_type: roll.pick(['40HQ', '40GP', '20GP', 'LCL']),
    container_quantity: 1,
    ...(isFreight ? { freight: (amount * 0.03).toFixed(digits) } : {}),
    ...(contract.incoterm === 'CIF' ? { insurance_fee: (amount * 0.0022).toFixed(digits) } : {}),
    items,
  };
}

function itemValues(world: World, contract: DemoContract, line: DemoLine, { part, parts }: Plan) {
  const { goods, supplier } = line;
  const { trade } = goods;
  const each = Math.floor(line.packages / parts);
  const packages = part === parts - 1 ? line.packages - each * (parts - 1) : each;
  if (packages === 0) return [];
  const quantity = packages * trade.perCarton;
  const net = quantity * trade.weight;
  const purchase = contract.purchases.get(supplier.id);
  return [
    {
      contract_id: contract.id,
      contract_line: line.id,
      goods_id: goods.id,
      name_cn: goods.name,
      name_en: goods.nameEn,
      supplier_id: supplier.id,
      ...(contract.mode === 'buyout' && purchase !== undefined ? { purchase_contract_id: purchase } : {}),
      quantity: String(quantity),
      unit: trade.unit,
      unit_price: line.price,
      packages,
      package_kind: '22',
      net_weight: net.toFixed(2),
      gross_weight: (net * 1.08 + packages * 0.3).toFixed(2),
      volume: (packages * 0.058).toFixed(3),
      source_place_id: world.refs.of('source_place', supplier.town.sourcePlace),
    },
  ];
}

/** On board: the documents' clerk fills in the bill of lading, then it has left. */
async function sail(story: Story, id: string, sailing: Sailing): Promise<void> {
  const { roll } = story;
  story.wait(roll.between(4, 8));
  await story.update('dc', 'shipment', id, {
    atd: story.day(),
    eta: addDays(story.day(), roll.between(12, 34)),
    ...sailing,
  });
  await story.act('dc', 'shipment', { id, action: 'ship' });
}

/** The invoice is confirmed, and customs have closed the declaration. */
async function finishPapers(
  { stage }: World,
  story: Story,
  papers: { readonly shipment: string; readonly declaration: string },
): Promise<void> {
  const [invoice] = await stage.services.db.query<{ id: string }>(
    'select id from export_invoice where shipment_id = $1::uuid',
    [papers.shipment],
    'demo_invoice',
  );
  if (invoice !== undefined) await story.act('dc', 'export_invoice', { id: invoice.id, action: 'confirm' });
  await story.act('dc', 'customs_declaration', { id: papers.declaration, action: 'close' });
}
