import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { inLanes } from './lanes.ts';
import { makeCredit } from './make-credits.ts';
import type { OwnRecords } from './make-own-records.ts';
import { TERM_DAYS } from './make-parties.ts';
import { makePurchases } from './make-purchases.ts';
import { seasonalDays } from './seasons.ts';
import type { Story } from './story.ts';
import {
  type ContractFate,
  type DemoContract,
  type DemoGoods,
  type DemoRelation,
  type DemoSupplier,
  serialsOf,
  type World,
} from './world.ts';

/** What contracts are made of. */
export interface ContractParts {
  readonly relations: readonly DemoRelation[];
  readonly own: OwnRecords;
  readonly sellerEn: string;
  /** The project of the company's own business. */
  readonly project: string;
}

const FIRST_DAY = 145;
/** The last of them are still being written or signed; those before have gone on to be shipped. */
const LAST_SHARE = 0.08;
const LAST_DAYS = 24;
const LAST_FATES: readonly ContractFate[] = [
  'draft',
  'pending',
  'waiting',
  'approved',
  'pending',
  'signed',
  'late',
  'rejected',
];
/** Yen have no cents, and prices in other currencies two. */
const WHOLE = new Set(['JPY']);

/** Export contracts in the order of their days, as far as their fate lets them come before shipment. */
export async function makeContracts(world: World, parts: ContractParts): Promise<readonly DemoContract[]> {
  const { first, scale, stage, start } = world;
  const going = seasonalDays(addDays(start, FIRST_DAY), 730 - FIRST_DAY - LAST_DAYS);
  const last = seasonalDays(addDays(start, 730 - LAST_DAYS), LAST_DAYS);
  const lastFrom = scale.contracts * (1 - LAST_SHARE);
  let done = 0;
  return inLanes(serialsOf(world, 'contracts'), world.lanes, async (serial) => {
    const place = serial - first.contracts;
    const isLast = place >= lastFrom;
    const day = isLast ? last((place - lastFrom) / (scale.contracts - lastFrom)) : going(place / lastFrom);
    const story = stage.begin(`contract ${serial}`, day);
    const contract = await makeContract(world, story, {
      parts,
      serial,
      fate: fateOf(serial, isLast),
    });
    world.onStep('外销合同', (done += 1), scale.contracts);
    return contract;
  });
}

function fateOf(serial: number, isLate: boolean): ContractFate {
  if (isLate) return LAST_FATES[serial % LAST_FATES.length] ?? 'draft';
  if (serial % 29 === 5) return 'void';
  if (serial % 31 === 7) return 'terminated';
  if (serial % 37 === 2) return 'rejected';
  if (serial % 53 === 11) return 'draft';
  return 'ship';
}

/** Relations by turns, those of partners before the company's own. */
function inTurn(relations: readonly DemoRelation[], serial: number): DemoRelation | undefined {
  const ofPartners = relations.filter(({ buyer }) => buyer.partner !== null);
  const own = relations.filter(({ buyer }) => buyer.partner === null);
  return [...ofPartners, ...own][serial % relations.length];
}

/** An export contract on one of the relations, as far as its fate lets it come before shipment. */
export async function makeContract(
  world: World,
  story: Story,
  {
    parts,
    fate,
    serial,
  }: { readonly parts: ContractParts; readonly fate: ContractFate; readonly serial: number },
): Promise<DemoContract> {
  const { roll } = story;
  // In an opening the partners come first, so that each of them has something to look at.
  const drawn = (world.isOpening ? inTurn(parts.relations, serial) : undefined) ?? roll.pick(parts.relations);
  const { buyer } = drawn;
  const ofBuyer = parts.relations.filter((other) => other.buyer.id === buyer.id);
  const produced = ofBuyer.filter(({ supplier }) => supplier.isSelf);
  const mode =
    buyer.partner === null
      ? 'buyout'
      : roll.pick(modesOn(world, story.day(), modesWith(buyer.partner.modes, produced)));
  // Refunds are claimed for what the partner makes itself.
  const fitting = mode === 'rebate_agent' ? produced : ofBuyer;
  const relation = fitting.includes(drawn) ? drawn : (fitting[0] ?? drawn);
  const suppliers = fitting.map(({ supplier }) => supplier);
  const items = linesOf(world, story, { suppliers, first: relation.supplier, currency: buyer.currency });
  const incoterm = roll.pick(['FOB', 'FOB', 'FOB', 'CIF', 'CFR']);
  const loadingPort = relation.supplier.town.loadingPort;
  const day = story.day();
  const place = incoterm === 'FOB' ? (PORT_NAMES[loadingPort] ?? 'NINGBO') : buyer.city.toUpperCase();
  const record = await story.create(buyer.owner, 'export_contract', {
    business_type: buyer.partner === null ? 'self' : 'agency',
    ...(buyer.partner === null ? {} : { partner_id: buyer.partner.id }),
    export_mode: mode,
    relation_id: relation.id,
    buyer_id: buyer.id,
    buyer_po: `PO${day.slice(2, 4)}${roll.between(10000, 99999)}`,
    sign_date: day,
    sign_place: '宁波',
    seller_name_en: parts.sellerEn,
    currency: buyer.currency,
    incoterm,
    incoterm_place: place,
    payment_term: buyer.term,
    ...(buyer.term === 'TT_DEP' ? { deposit_ratio: '30' } : {}),
    ...(buyer.term in TERM_DAYS
      ? { term_days: TERM_DAYS[buyer.term], due_base: '提单日' }
      : { term_days: null }),
    more_less: '5',
    port_loading_id: world.refs.of('loading_port', loadingPort),
    port_dest_id: buyer.portId,
    dest_country_id: buyer.countryId,
    latest_shipment: addDays(day, roll.between(75, 150)),
    packing: 'EXPORT STANDARD CARTONS',
    ...(incoterm === 'CIF' ? { insurance_by: 'BY SELLER FOR 110% OF INVOICE VALUE, ALL RISKS' } : {}),
    documents: 'B/L, INVOICE, PACKING LIST',
    bank_account_id: parts.own.accounts.get(buyer.currency) ?? parts.own.accounts.get('USD'),
    items: items.map(({ values }, index) => ({ line_no: index + 1, ...values })),
  });
  const id = String(record['id']);
  const owner = buyer.owner;
  const stored = Array.isArray(record['items']) ? (record['items'] as readonly OpenRecord[]) : [];
  const base = {
    id, no: String(record['contract_no']), buyer, mode, currency: buyer.currency, incoterm, place, term: buyer.term,
    loadingPort, total: Number(record['total_amount']), fate,
    lines: items.map(({ values: _values, ...line }, index) => ({ ...line, id: String(stored[index]?.['id']) })),
  }; // prettier-ignore
  await bringOn(story, { id, owner, fate, buyer: buyer.name, no: base.no });
  const isGoing = fate === 'ship' || fate === 'signed';
  const purchases =
    isGoing && mode === 'buyout'
      ? await makePurchases(story, { contract: base, project: parts.project })
      : new Map<string, string>();
  const lc =
    isGoing && buyer.term.startsWith('LC_')
      ? await makeCredit(world, story, { contract: base, sellerEn: parts.sellerEn })
      : null;
  return { ...base, purchases, lc, day: story.day() };
}

/** Without goods of its own making a partner claims no refunds through the company. */
function modesWith(modes: readonly string[], produced: readonly DemoRelation[]): readonly string[] {
  const others = modes.filter((mode) => mode !== 'rebate_agent');
  return produced.length === 0 && others.length > 0 ? others : modes;
}

/** Refunds are claimed for partners since this year; whoever does nothing else did so before. */
function modesOn({ stage }: World, day: string, modes: readonly string[]): readonly string[] {
  const others = modes.filter((mode) => mode !== 'rebate_agent');
  return day.slice(0, 4) < stage.today.slice(0, 4) && others.length > 0 ? others : modes;
}

/** Approval and signature, as far as the fate goes. */
async function bringOn(
  story: Story,
  contract: {
    readonly id: string;
    readonly owner: string;
    readonly fate: ContractFate;
    readonly buyer: string;
    readonly no: string;
  },
): Promise<void> {
  const { id, owner, fate } = contract;
  const resource = 'export_contract';
  if (fate === 'draft') return;
  if (fate === 'rejected')
    return story.approve(owner, resource, {
      id,
      rejection: story.roll.pick(['单价与报价单不一致，请核对', '收汇方式请与客户重新确认', '缺少客户订单']),
    });
  const levels = LEVELS[fate];
  await story.approve(owner, resource, { id, ...(levels === undefined ? {} : { levels }) });
  if (fate === 'void') {
    story.wait(3);
    await story.act('tm', resource, { id, action: 'void', opinion: '客户取消订单' });
  }
  // Not every customer sends the signed copy back before the goods leave.
  const isSigned = fate === 'signed' || (fate === 'ship' && story.roll.isHit(0.45));
  if (!isSigned && fate !== 'terminated') return;
  story.wait(story.roll.between(1, 4));
  const scan = await story.upload(
    owner,
    '双签合同.pdf',
    demoPdf(['SALES CONTRACT', contract.no, contract.buyer]),
  );
  await story.update(owner, resource, id, { signed_file: [scan] });
  await story.act(owner, resource, { id, action: 'sign' });
  if (fate !== 'terminated') return;
  story.wait(20);
  await story.act('tm', resource, { id, action: 'terminate', opinion: '客户推迟项目，双方同意终止' });
}

/** Levels that have decided where a contract waits. */
const LEVELS: Readonly<Partial<Record<ContractFate, number>>> = { pending: 0, waiting: 1, late: 3 };

export const PORT_NAMES: Readonly<Record<string, string>> = {
  CNNBG: 'NINGBO', CNSHG: 'SHANGHAI', CNQDG: 'QINGDAO', CNXMG: 'XIAMEN', CNYTN: 'YANTIAN', CNGZG: 'GUANGZHOU',
}; // prettier-ignore

interface NewLine {
  readonly goods: DemoGoods;
  readonly supplier: DemoSupplier;
  readonly quantity: number;
  readonly price: string;
  readonly packages: number;
  readonly values: OpenRecord;
}

/** Mostly a few lines, sometimes up to thirty; goods come again in other colours. */
function linesOf(
  world: World,
  story: Story,
  from: {
    readonly suppliers: readonly DemoSupplier[];
    readonly first: DemoSupplier;
    readonly currency: string;
  },
): readonly NewLine[] {
  const { roll } = story;
  const count = roll.isHit(0.02)
    ? roll.between(12, 30)
    : roll.isHit(0.12)
      ? roll.between(4, 8)
      : roll.between(1, 3);
  const rate = world.refs.usdFor(from.currency);
  return Array.from({ length: count }, (_entry, place) => {
    const supplier = place === 0 || count < 4 ? from.first : roll.pick(from.suppliers);
    const goods = roll.pick(supplier.goods);
    const { trade } = goods;
    const usd = roll.between(3, 40) * (count > 6 ? 300 : 900);
    const packages = Math.max(1, Math.min(1200, Math.round(usd / goods.usd / trade.perCarton)));
    const quantity = packages * trade.perCarton;
    const price = (goods.usd / rate).toFixed(WHOLE.has(from.currency) ? 0 : 2);
    const net = quantity * trade.weight;
    const colour = count > 3 ? ` ${roll.pick(['BLACK', 'WHITE', 'NAVY', 'GREY', 'RED', 'GREEN'])}` : '';
    return {
      goods, supplier, quantity, price, packages,
      values: {
        goods_id: goods.id,
        name_en: goods.nameEn,
        spec: `${goods.spec}${colour}`,
        supplier_id: supplier.id,
        quantity: String(quantity),
        unit: trade.unit,
        unit_price: price,
        packages,
        net_weight: net.toFixed(2),
        gross_weight: (net * 1.08 + packages * 0.3).toFixed(2),
        volume: (packages * 0.058).toFixed(3),
      },
    }; // prettier-ignore
  });
}
