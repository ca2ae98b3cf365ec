import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf, demoPicture } from './demo-files.ts';
import { accountNo, creditCode, mobileNo, residentId } from './demo-numbers.ts';
import { firmName, firmNameEn } from './firm-names.ts';
import { inLanes } from './lanes.ts';
import { personName } from './person-name.ts';
import type { Dice } from './random.ts';
import type { Story } from './story.ts';
import { TOWNS, type Town } from './towns.ts';
import { TRADES } from './trades.ts';
import { type DemoPartner, serialsOf, type World } from './world.ts';

/** The password of the partners' demo accounts. */
const PASSWORD = 'Demo-2026';
const OWNERS = ['sp', 'sp', 'sp2', 'sp', 'sp3'] as const;
const SCOPE =
  '货物进出口；日用品、纺织品、机电产品的生产与销售（依法须经批准的项目，经相关部门批准后方可开展经营活动）';

/** Partners in force with rates and agreements, then some that wait for approval. */
export async function makePartners(world: World): Promise<readonly DemoPartner[]> {
  const { first, scale, stage, start, whole } = world;
  let done = 0;
  const partners = await inLanes(serialsOf(world, 'partners'), world.lanes, async (serial) => {
    const story = stage.begin(
      `partner ${serial}`,
      addDays(start, Math.floor(((serial - first.partners) * 60) / scale.partners)),
    );
    const partner = await makePartner(world, story, serial);
    await story.approve(partner.owner, 'partner', { id: partner.id });
    await openForBusiness(world, story, partner);
    world.onStep('委托方', (done += 1), scale.partners);
    return partner;
  });
  if (world.hasStrays) await makeWaiting(world, whole.partners);
  return partners;
}

/** A partner's draft, with one account of its own. */
export async function makePartner(world: World, story: Story, serial: number): Promise<DemoPartner> {
  const { roll } = story;
  const town = TOWNS[(serial * 5) % TOWNS.length] ?? TOWNS[0];
  const trade = TRADES[(serial * 3) % TRADES.length] ?? TRADES[0];
  if (town === undefined || trade === undefined) throw new RangeError('no towns, no trades');
  const second = TRADES[(serial * 3 + 7) % TRADES.length] ?? trade;
  const owner = OWNERS[serial % OWNERS.length] ?? 'sp';
  const isPerson = serial % 13 === 12;
  const isManufacturer = !isPerson && serial % 4 !== 3;
  const name = isPerson
    ? personName(roll)
    : firmName(town, isManufacturer ? trade.firm[0] : '进出口', serial, '有限公司');
  const code = isPerson ? null : creditCode(roll, town.area);
  const modes = modesOf(serial, isPerson, isManufacturer);
  const values = {
    name,
    short_name: isPerson ? name : name.slice(2, 6),
    export_modes: modes,
    source: roll.pick(['sales', 'sales', 'referral', 'register']),
    service_id: world.stage.personId('cs'),
    doc_id: world.stage.personId('dc'),
    contacts: contactsOf(roll),
    banks: [bankLine(world, roll, { name, town })],
    accounts: accountsOf(roll, world.scale.partnerMobiles[serial] ?? null),
    ...(isPerson
      ? await privateFields(story, owner, town)
      : await firmFields(story, { owner, town, code, serial, isManufacturer, trade: trade.firm })),
  };
  const record = await story.create(owner, 'partner', values);
  return {
    id: String(record['id']),
    name,
    creditCode: code,
    town,
    owner,
    modes,
    isManufacturer,
    trades: [trade, second],
    serial,
  };
}

function modesOf(serial: number, isPerson: boolean, isManufacturer: boolean): readonly string[] {
  if (isPerson) return ['entrusted'];
  if (!isManufacturer) return ['buyout', 'entrusted'];
  return serial % 3 === 0 ? ['buyout', 'rebate_agent'] : ['rebate_agent', 'entrusted'];
}

async function firmFields(
  story: Story,
  firm: {
    readonly owner: string;
    readonly town: Town;
    readonly code: string | null;
    readonly serial: number;
    readonly isManufacturer: boolean;
    readonly trade: readonly [string, string];
  },
): Promise<OpenRecord> {
  const { roll } = story;
  return {
    corp_type: '1',
    name_en: firmNameEn(firm.town, firm.trade[1], firm.serial),
    credit_code: firm.code,
    enterprise_kind: firm.isManufacturer ? 'manufacturer' : 'trader',
    taxpayer_type: 'general',
    legal_person: personName(roll),
    reg_capital: `${roll.between(1, 20) * 50}.00`,
    reg_date: `${roll.between(2006, 2021)}-0${roll.between(1, 9)}-1${roll.between(0, 9)}`,
    reg_address: `${firm.town.name}市${firm.town.road}${roll.between(1, 988)}号`,
    business_scope: SCOPE,
    industry: firm.trade[0],
    customs_code: `${firm.town.area.slice(0, 4)}9${roll.between(10_000, 99_999)}`,
    tax_refund_class: roll.pick(['1', '2', '2', '3']),
    license_file: [await story.upload(firm.owner, '营业执照.png', demoPicture(roll))],
  };
}

async function privateFields(story: Story, owner: string, town: Town): Promise<OpenRecord> {
  const { roll } = story;
  return {
    corp_type: '2',
    id_no: residentId(roll, town.area),
    id_file: [await story.upload(owner, '身份证.png', demoPicture(roll))],
  };
}

function contactsOf(roll: Dice): readonly OpenRecord[] {
  return Array.from({ length: roll.between(1, 3) }, (_entry, place) => ({
    name: personName(roll),
    position: roll.pick(['总经理', '外贸经理', '财务', '跟单']),
    mobile: mobileNo(roll),
    email: `contact${roll.between(100, 999)}@example.com`,
    is_default: place === 0,
  }));
}

/** One account; those with a mobile number of the demo can sign in at once. */
function accountsOf(roll: Dice, known: string | null): readonly OpenRecord[] {
  const name = personName(roll);
  return [known === null ? { mobile: mobileNo(roll), name } : { mobile: known, name, password: PASSWORD }];
}

/** An account at a branch of the demo's banks. */
export function bankLine(
  world: World,
  roll: Dice,
  { name, town }: { readonly name: string; readonly town: Town },
): OpenRecord {
  const branch = roll.pick(world.refs.branches(town.bankCity));
  return { account_name: name, account_no: accountNo(roll, '62', 19), cnaps_id: branch.id, is_default: true };
}

/** Bank account checked, rate and agreements in force. */
export async function openForBusiness(
  world: World,
  story: Story,
  partner: DemoPartner & { readonly until?: string },
): Promise<readonly Agreement[]> {
  const { roll } = story;
  await story.act('fn', 'partner', {
    id: partner.id,
    action: 'verify_bank',
    inputs: { method: roll.pick(['transfer', 'letter']) },
  });
  const rate = await story.create(partner.owner, 'partner_rate', {
    partner_id: partner.id,
    ...roll.pick(FEES),
    fin_daily_rate: '0.025',
    fin_grace_days: 3,
    rebate_adv_ratio: '90',
    rebate_service_rate: '3',
    valid_from: story.day(),
  });
  await story.approve(partner.owner, 'partner_rate', { id: String(rate['id']) });
  const agreements: Agreement[] = [];
  for (const mode of partner.modes)
    agreements.push(await agree(world, story, { partner, mode, rate: String(rate['id']) }));
  return agreements;
}

const FEES = [
  { fee_basis: 'per_usd', fee_rate: '0.09', min_fee: '500.00' },
  { fee_basis: 'pct_fob', fee_rate: '2.2', min_fee: '600.00' },
  { fee_basis: 'pct_cny', fee_rate: '1.4', min_fee: '500.00' },
  { fee_basis: 'per_shipment', fee_rate: '2600' },
] as const;
const AGREEMENTS: Readonly<Record<string, string>> = {
  entrusted: 'agency',
  rebate_agent: 'service',
  buyout: 'buyout',
};

async function agree(
  world: World,
  story: Story,
  {
    partner,
    mode,
    rate,
  }: {
    readonly partner: DemoPartner & { readonly until?: string };
    readonly mode: string;
    readonly rate: string;
  },
): Promise<Agreement> {
  const day = story.day();
  const lastDay = partner.serial % 9 === 8 ? addDays(world.stage.today, 20) : addDays(day, 1090);
  const agreement = await story.create(partner.owner, 'cooperation_agreement', {
    partner_id: partner.id,
    agreement_type: AGREEMENTS[mode],
    export_mode: mode,
    start_date: day,
    end_date: partner.until ?? lastDay,
    rate_id: rate,
    receipt_days: 180,
    deposit_required: '0.00',
  });
  const signed = { id: String(agreement['id']), no: String(agreement['agreement_no']) };
  await signAgreement(story, partner.owner, signed);
  return signed;
}

/** An agreement by its number. */
export interface Agreement {
  readonly id: string;
  readonly no: string;
}

/** A draft is approved, signed by both and in force. */
export async function signAgreement(story: Story, owner: string, { id, no }: Agreement): Promise<void> {
  const day = story.day();
  await story.approve(owner, 'cooperation_agreement', { id });
  const pages = demoPdf(['COOPERATION AGREEMENT', `No. ${no}`, `Valid from ${day}`]);
  const scan = await story.upload('tm', '合作协议签章件.pdf', pages);
  await story.update('tm', 'cooperation_agreement', id, { scan: [scan], sign_date: story.day() });
  await story.act('tm', 'cooperation_agreement', { id, action: 'activate' });
}

/** Recent ones at every level of their approval. */
async function makeWaiting(world: World, from: number): Promise<void> {
  const { stage } = world;
  for (const [place, levels] of [0, 0, 1, 2, null].entries()) {
    const story = stage.begin(`waiting partner ${place}`, addDays(stage.today, -6 - place));
    const partner = await makePartner(world, story, from + place + 40);
    if (levels !== null) await story.approve(partner.owner, 'partner', { id: partner.id, levels });
  }
  const story = stage.begin('rejected partner', addDays(stage.today, -12));
  const partner = await makePartner(world, story, from + 46);
  await story.approve(partner.owner, 'partner', {
    id: partner.id,
    rejection: '营业执照照片不清晰，请重新上传',
  });
}
