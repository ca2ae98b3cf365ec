import { addDays } from '#engine/values/dates.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import { demoPdf } from './demo-files.ts';
import { inLanes } from './lanes.ts';
import type { Story } from './story.ts';
import { type Trade, TRADES } from './trades.ts';
import {
  type DemoBuyer,
  type DemoGoods,
  type DemoRelation,
  type DemoSupplier,
  serialsOf,
  type World,
} from './world.ts';

/** Legal units and declaration elements of an HS code. */
interface HsFacts {
  readonly id: string;
  readonly unit1: string;
  readonly unit2: string | null;
  readonly elements: readonly string[];
}

const COMMON_ELEMENTS = ['品名', '品牌类型', '出口享惠情况'] as const;
const KILOGRAMS = '035';
const THOUSANDS = '054';

/** Goods of the suppliers, in force; then some that wait. They are added to their suppliers. */
/** Yuan with VAT for a dollar's worth of goods: more than the dollar brings, the tax refund makes up for it and a little more. */
export const BOUGHT_AT = 7.49;

export async function makeGoods(world: World, suppliers: readonly DemoSupplier[]): Promise<void> {
  const { first, scale, stage, start } = world;
  const facts = await hsFacts(world);
  let done = 0;
  await inLanes(serialsOf(world, 'goods'), world.lanes, async (serial) => {
    const place = serial - first.goods;
    const supplier = suppliers[place % suppliers.length];
    if (supplier === undefined) return;
    const story = stage.begin(
      `goods ${serial}`,
      addDays(start, 105 + Math.floor((place * 20) / scale.goods)),
    );
    const goods = await makeOne(story, {
      supplier,
      serial,
      round: Math.floor(place / suppliers.length),
      facts,
    });
    await story.approve(supplier.owner, 'goods', { id: goods.id });
    supplier.goods.push(goods);
    world.onStep('商品', (done += 1), scale.goods);
  });
  if (!world.hasStrays) return;
  for (const place of [0, 1, 2, 3, 4]) {
    const supplier = suppliers[place * 3];
    if (supplier === undefined) continue;
    const story = stage.begin(`waiting goods ${place}`, addDays(stage.today, -place));
    const goods = await makeOne(story, { supplier, serial: 7 + place, round: 8, facts });
    if (place === 4)
      await story.approve(supplier.owner, 'goods', { id: goods.id, rejection: '申报要素不完整' });
    else if (place < 3) await story.approve(supplier.owner, 'goods', { id: goods.id, levels: 0 });
  }
}

async function makeOne(
  story: Story,
  item: {
    readonly supplier: DemoSupplier;
    readonly serial: number;
    /** How many goods the supplier has already. */
    readonly round: number;
    readonly facts: ReadonlyMap<string, HsFacts>;
  },
): Promise<DemoGoods> {
  const { roll } = story;
  const { supplier, serial, round, facts } = item;
  const trade = supplier.partner?.trades[round % 2] ?? TRADES[(serial * 5) % TRADES.length];
  const hs = trade === undefined ? undefined : facts.get(trade.hs);
  if (trade === undefined || hs === undefined) throw new RangeError('no trade');
  const [name, nameEn] = trade.names[Math.floor(round / 2) % trade.names.length] ?? ['', ''];
  const spec = `${trade.specs[serial % trade.specs.length] ?? ''} / ${String.fromCodePoint(65 + (serial % 26))}${100 + serial}`;
  const usd = Math.round((trade.price[0] + roll.next() * (trade.price[1] - trade.price[0])) * 100) / 100;
  const isOwnBrand = serial % 6 === 0;
  const brand = isOwnBrand ? roll.pick(['LUMIVO', 'HAORAN', 'TERRANI', 'KELIVE']) : '无品牌';
  const record = await story.create(supplier.owner, 'goods', {
    business_type: supplier.partner === null ? 'self' : 'agency',
    ...(supplier.partner === null ? {} : { partner_id: supplier.partner.id }),
    name,
    name_en: nameEn,
    spec,
    brand,
    brand_kind: isOwnBrand ? '1' : '0',
    pref_kind: '0',
    supplier_ids: [supplier.id],
    hs_code_id: hs.id,
    elements: elementLines(hs, trade, { name, brand, isOwnBrand, spec }),
    unit: trade.unit,
    unit1_factor: factor(hs.unit1, trade),
    ...(hs.unit2 === null ? {} : { unit2_factor: factor(hs.unit2, trade) }),
    is_dangerous: false,
    price_ref: (usd * BOUGHT_AT).toFixed(2),
  });
  return { id: String(record['id']), trade, name, nameEn, spec, usd };
}

/** The declaration elements with their values, in their order. */
function elementLines(
  hs: HsFacts,
  trade: Trade,
  goods: {
    readonly name: string;
    readonly brand: string;
    readonly isOwnBrand: boolean;
    readonly spec: string;
  },
): readonly { readonly element: string; readonly value: string }[] {
  const known: Readonly<Record<string, string>> = {
    ...trade.elements,
    品名: goods.name,
    品牌类型: goods.isOwnBrand ? '1' : '0',
    出口享惠情况: '0',
    品牌: goods.brand,
    型号: goods.spec,
    规格: goods.spec,
  };
  const names = hs.elements.length > 0 ? hs.elements : [...COMMON_ELEMENTS, ...Object.keys(trade.elements)];
  return names.map((element) => ({ element, value: known[element] ?? '无' }));
}

function factor(unit: string, trade: Trade): string {
  if (unit === KILOGRAMS) return trade.weight.toFixed(4);
  return unit === THOUSANDS ? '0.001' : '1';
}

async function hsFacts(world: World): Promise<ReadonlyMap<string, HsFacts>> {
  const rows = await world.stage.services.db.query(
    'select id, code, unit1, unit2, elements from hs_code where code = any($1)',
    [TRADES.map(({ hs }) => hs)],
  );
  return new Map(
    rows.map((row) => [
      rowText(row, 'code'),
      {
        id: rowText(row, 'id'),
        unit1: rowText(row, 'unit1'),
        unit2: typeof row['unit2'] === 'string' ? row['unit2'] : null,
        elements: typeof row['elements'] === 'string' ? row['elements'].split(';') : [],
      },
    ]),
  );
}

/** Relations between every buyer and the suppliers of the same partner (at most two), each with that supplier's goods. */
export async function makeRelations(
  world: World,
  parties: { readonly buyers: readonly DemoBuyer[]; readonly suppliers: readonly DemoSupplier[] },
): Promise<readonly DemoRelation[]> {
  const { stage, start } = world;
  const pairs = parties.buyers.flatMap((buyer) =>
    parties.suppliers
      .filter((supplier) => supplier.partner?.id === buyer.partner?.id && supplier.goods.length > 0)
      .slice(0, 2)
      .map((supplier) => ({ buyer, supplier })),
  );
  let done = 0;
  const relations = await inLanes(pairs, world.lanes, async ({ buyer, supplier }, place) => {
    const story = stage.begin(
      `relation ${place}`,
      addDays(start, 128 + Math.floor((place * 8) / pairs.length)),
    );
    const id = await makeRelation(story, { buyer, supplier });
    await story.approve(buyer.owner, 'relation', { id });
    world.onStep('关联关系', (done += 1), pairs.length);
    return { id, buyer, supplier };
  });
  if (!world.hasStrays) return relations;
  const waiting = parties.buyers.flatMap((buyer) =>
    parties.suppliers
      .filter((supplier) => supplier.partner?.id === buyer.partner?.id && supplier.goods.length > 0)
      .slice(2, 3)
      .map((supplier) => ({ buyer, supplier })),
  );
  for (const [place, pair] of waiting.slice(0, 3).entries()) {
    const story = stage.begin(`waiting relation ${place}`, addDays(stage.today, -2));
    const id = await makeRelation(story, pair);
    await story.approve(pair.buyer.owner, 'relation', { id, levels: place % 2 });
  }
  return relations;
}

async function makeRelation(
  story: Story,
  { buyer, supplier }: { readonly buyer: DemoBuyer; readonly supplier: DemoSupplier },
): Promise<string> {
  const { roll } = story;
  const proof = demoPdf(['PURCHASE ORDER', `Buyer: ${buyer.name}`, `Date: ${story.day()}`]);
  const record = await story.create(buyer.owner, 'relation', {
    business_type: buyer.partner === null ? 'self' : 'agency',
    ...(buyer.partner === null ? {} : { partner_id: buyer.partner.id }),
    buyer_id: buyer.id,
    supplier_id: supplier.id,
    business_desc: roll.pick([
      '展会结识，已寄样确认，长期返单',
      '老客户介绍，看厂后下单',
      '线上平台询盘，经样品确认后成交',
    ]),
    annual_amount: `${roll.between(5, 90) * 10_000}.00`,
    payment_term: buyer.term,
    ports: [buyer.portId],
    valid_to: addDays(story.day(), 1095),
    goods_lines: supplier.goods.map(({ id, usd }) => ({
      goods_id: id,
      supplier_price: (usd * 7 * 0.92).toFixed(2),
    })),
    evidence: [await story.upload(buyer.owner, '客户订单.pdf', proof)],
  });
  return String(record['id']);
}
