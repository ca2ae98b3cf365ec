import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf, demoPicture } from './demo-files.ts';
import { creditCode, mobileNo } from './demo-numbers.ts';
import { firmName } from './firm-names.ts';
import { inLanes } from './lanes.ts';
import { bankLine } from './make-partners.ts';
import { type Market, MARKETS } from './markets.ts';
import { personName } from './person-name.ts';
import type { Story } from './story.ts';
import { TOWNS } from './towns.ts';
import { TRADES } from './trades.ts';
import { type DemoBuyer, type DemoPartner, type DemoSupplier, serialsOf, type World } from './world.ts';

const TERMS = [
  'TT_DEP',
  'TT_ADV',
  'TT_AFTER',
  'TT_DEP',
  'OA',
  'OA',
  'LC_SIGHT',
  'TT_ADV',
  'DP',
  'TT_DEP',
] as const;
/** People see their own records only: the own business is one person's. */
const OWN_SALES = 'sp';

/** Share of buyers and suppliers that are the company's own: its self-operated business. */
export function ownCount(count: number): number {
  return Math.max(1, Math.round(count / 9));
}

/** Foreign buyers of the partners and of the company itself, in force; then some that wait. */
export async function makeBuyers(
  world: World,
  partners: readonly DemoPartner[],
): Promise<readonly DemoBuyer[]> {
  const { first, scale, stage, start, whole } = world;
  const firms = MARKETS.flatMap((market) => market.firms.map((name) => ({ market, name })));
  const own = ownCount(scale.buyers);
  let done = 0;
  const one = async (serial: number, isWaiting: boolean): Promise<DemoBuyer> => {
    const firm = firms[(serial * 11 + (stage.company === 'AA' ? 0 : 5)) % firms.length];
    if (firm === undefined) throw new RangeError('no markets');
    const place = serial - first.buyers;
    const partner = place < own ? null : (partners[(place - own) % partners.length] ?? null);
    const day = isWaiting
      ? addDays(stage.today, -3)
      : addDays(start, 75 + Math.floor((place * 25) / scale.buyers));
    const story = stage.begin(`buyer ${serial}`, day);
    const buyer = await makeBuyer(world, story, { ...firm, partner, serial });
    if (!isWaiting) await story.approve(buyer.owner, 'buyer', { id: buyer.id });
    else if (serial % 4 !== 0) await story.approve(buyer.owner, 'buyer', { id: buyer.id, levels: 0 });
    world.onStep('国外客户', (done += 1), scale.buyers);
    return buyer;
  };
  const buyers = await inLanes(serialsOf(world, 'buyers'), world.lanes, (serial) => one(serial, false));
  if (!world.hasStrays) return buyers;
  // After the others of the list come names that nobody has yet.
  const left = firms.length - whole.buyers;
  await inLanes(
    Array.from({ length: Math.min(4, left) }, (_entry, place) => whole.buyers + place),
    2,
    (serial) => one(serial, true),
  );
  return buyers;
}

async function makeBuyer(
  world: World,
  story: Story,
  firm: {
    readonly market: Market;
    readonly name: string;
    readonly partner: DemoPartner | null;
    readonly serial: number;
  },
): Promise<DemoBuyer> {
  const { roll } = story;
  const { market, name, partner, serial } = firm;
  const { refs } = world;
  const owner = partner?.owner ?? OWN_SALES;
  const address = `${roll.between(2, 980)} ${roll.pick(['Quayside', 'Industrial Park', 'Market Street', 'Station Road', 'Harbour Avenue'])}, ${market.city}`;
  const term = TERMS[serial % TERMS.length] ?? 'TT_DEP';
  const record = await story.create(owner, 'buyer', {
    business_type: partner === null ? 'self' : 'agency',
    ...(partner === null ? {} : { partner_id: partner.id }),
    name_en: name.toUpperCase(),
    country_id: refs.of('country', market.iso2),
    city: market.city,
    address,
    buyer_kind: roll.pick(['进口商', '批发商', '零售商']),
    is_related: serial % 23 === 22,
    default_payment_term: term,
    default_term_days: TERM_DAYS[term] ?? null,
    default_currency: market.currency,
    consignee: `${name.toUpperCase()}\n${address.toUpperCase()}`,
    notify_party: 'SAME AS CONSIGNEE',
    marks: `${name.split(' ')[0]?.toUpperCase() ?? 'N/M'}\n${market.city.toUpperCase()}\nC/NO.1-UP\nMADE IN CHINA`,
    contacts: [
      {
        name: roll.pick([
          'Alex Morgan',
          'Maria Lindqvist',
          'David Okoro',
          'Elena Ricci',
          'Tom Becker',
          'Sara Haddad',
          'Kenji Mori',
          'Laura Vidal',
        ]),
        title: roll.pick(['Purchasing Manager', 'Import Manager', 'Director']),
        email: `buying${serial}@example.com`,
        phone: `+${roll.between(1, 98)} ${roll.between(1000000, 9999999)}`,
      },
    ],
  });
  return {
    id: String(record['id']),
    partner,
    owner,
    name: name.toUpperCase(),
    countryId: refs.of('country', market.iso2),
    portId: refs.of('dest_port', market.port),
    city: market.city,
    currency: market.currency,
    term,
  };
}

/** Credit days that go with a payment term. */
export const TERM_DAYS: Readonly<Record<string, number>> = { TT_AFTER: 30, OA: 60, DA: 60, LC_USANCE: 90 };

/** Suppliers: the producing partners themselves, factories of the others, and those of the company's own business. */
export async function makeSuppliers(
  world: World,
  partners: readonly DemoPartner[],
): Promise<readonly DemoSupplier[]> {
  const { first, scale, stage, start, whole } = world;
  const own = ownCount(scale.suppliers);
  let done = 0;
  const one = async (serial: number, isWaiting: boolean): Promise<DemoSupplier> => {
    const place = serial - first.suppliers - own;
    const partner = place < 0 ? null : (partners[place % partners.length] ?? null);
    const isFirst = place < partners.length;
    const day = isWaiting
      ? addDays(stage.today, -4)
      : addDays(start, 75 + Math.floor(((serial - first.suppliers) * 25) / scale.suppliers));
    const story = stage.begin(`supplier ${serial}`, day);
    const supplier = await makeSupplier(world, story, {
      partner,
      serial,
      // A partner of an earlier chapter is among the suppliers already.
      isSelf: isFirst && partner?.isManufacturer === true && partner.serial >= first.partners,
    });
    if (isWaiting) await story.approve(supplier.owner, 'supplier', { id: supplier.id, levels: 0 });
    else {
      await story.approve(supplier.owner, 'supplier', { id: supplier.id });
      await story.act('fn', 'supplier', {
        id: supplier.id,
        action: 'verify_bank',
        inputs: { method: 'transfer' },
      });
    }
    world.onStep('供应商', (done += 1), scale.suppliers);
    return supplier;
  };
  const suppliers = await inLanes(serialsOf(world, 'suppliers'), world.lanes, (serial) => one(serial, false));
  if (world.hasStrays)
    await inLanes([whole.suppliers, whole.suppliers + 1], 2, (serial) => one(serial, true));
  return suppliers;
}

async function makeSupplier(
  world: World,
  story: Story,
  firm: { readonly partner: DemoPartner | null; readonly serial: number; readonly isSelf: boolean },
): Promise<DemoSupplier> {
  const { roll } = story;
  const { partner, serial, isSelf } = firm;
  const town = (isSelf ? partner?.town : TOWNS[(serial * 7 + 3) % TOWNS.length]) ?? TOWNS[0];
  const trade = partner?.trades[serial % 2] ?? TRADES[(serial * 5) % TRADES.length] ?? TRADES[0];
  if (town === undefined || trade === undefined) throw new RangeError('no towns, no trades');
  const name =
    isSelf && partner !== null
      ? partner.name
      : firmName(town, trade.firm[0], serial + 61, serial % 3 === 0 ? '厂' : '有限公司');
  const owner = partner?.owner ?? OWN_SALES;
  const address = `${town.name}市${town.road}${roll.between(1, 688)}号`;
  const record = await story.create(owner, 'supplier', {
    business_type: partner === null ? 'self' : 'agency',
    ...(partner === null ? {} : { partner_id: partner.id, is_partner_self: isSelf }),
    name,
    credit_code: isSelf && partner?.creditCode !== null ? partner?.creditCode : creditCode(roll, town.area),
    enterprise_kind: 'manufacturer',
    taxpayer_type: 'general',
    legal_person: personName(roll),
    reg_capital: `${roll.between(1, 30) * 100}.00`,
    reg_date: `${roll.between(2003, 2020)}-1${roll.between(0, 2)}-0${roll.between(1, 9)}`,
    address,
    source_place_id: world.refs.of('source_place', town.sourcePlace),
    main_products: trade.names.map(([cn]) => cn).join('、'),
    tax_credit_level: serial % 17 === 16 ? 'C' : roll.pick(['A', 'B', 'B', 'M']),
    monthly_capacity: `${roll.between(2, 40) * 5000}`,
    site_visit_date: addDays(story.day(), -roll.between(5, 60)),
    invoice_title: name,
    invoice_tel: `${address} 0${roll.between(20, 99)}0-${roll.between(20000000, 89999999)}`,
    banks: [bankLine(world, roll, { name, town })],
    contacts: [{ name: personName(roll), mobile: mobileNo(roll), position: '业务经理' }],
    license_file: [await story.upload(owner, '营业执照.png', demoPicture(roll))],
    taxpayer_file: [
      await story.upload(owner, '一般纳税人证明.pdf', demoPdf(['GENERAL TAXPAYER', `Supplier ${serial}`])),
    ],
  } satisfies OpenRecord);
  return { id: String(record['id']), partner, isSelf, owner, name, town, goods: [] };
}
