import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import { grantLimit, policyOf } from './make-cover.ts';
import { makeCredit } from './make-credits.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { type DemoContract, lastShare, type World } from './world.ts';

/** Changes of shipments, insurance, blacklist, orders and credits that wait: some of each. */
export async function makeExtras(
  world: World,
  made: {
    readonly contracts: readonly DemoContract[];
    readonly shipments: readonly DemoShipment[];
    readonly sellerEn: string;
    /** Of the company's own business. */
    readonly project: string;
  },
): Promise<void> {
  // A shipment that is being changed cannot be insured.
  await makeInsurance(world, made.shipments);
  await makeVersions(world, made.shipments);
  if (world.hasStrays) await makeBlacklist(world);
  await makeOrders(world, made);
  await makeOpenCredits(world, made);
}

/** Versions of shipments: some approved, one at each level. */
async function makeVersions(world: World, shipments: readonly DemoShipment[]): Promise<void> {
  const { stage } = world;
  const approved = shipments.filter(({ fate }) => fate === 'approved').slice(0, 1);
  const shipped = shipments.filter(({ fate }) => fate === 'shipped');
  for (const [place, { id, contract, day, fate }] of lastShare(world, [...shipped, ...approved], 9)) {
    const start = fate === 'shipped' ? addDays(day, 3) : day;
    const story = stage.begin(`version ${place}`, start > stage.today ? stage.today : start);
    const { owner } = contract.buyer;
    const marks = `${contract.buyer.name.split(' ')[0] ?? ''} / ${contract.no}`;
    const version = await amendMarks(story, owner, { shipment: id, marks });
    if (place % 4 === 3) continue;
    const levels = place % 4 === 1 ? 0 : place % 4 === 2 ? 1 : undefined;
    await story.approve(owner, 'shipment_version', {
      id: version,
      ...(levels === undefined ? {} : { levels }),
    });
  }
}

/** The draft of a version of a shipment with other shipping marks, as its buyer asks; its id. */
export async function amendMarks(
  story: Story,
  owner: string,
  { shipment, marks }: { readonly shipment: string; readonly marks: string },
): Promise<string> {
  const amended = await story.act(owner, 'shipment', {
    id: shipment,
    action: 'amend',
    opinion: '客户要求修改唛头',
    inputs: { reason_kind: '客户要求' },
  });
  const [version] = amended['_created'] as readonly { readonly id: string }[];
  const id = version?.id ?? '';
  const file = await story.upload(owner, '客户来函.pdf', demoPdf(['PLEASE AMEND THE SHIPPING MARKS']));
  await story.update(owner, 'shipment_version', id, {
    reason: '客户要求修改唛头',
    changes: [{ field: 'marks', new_value: marks }],
    attachments: [file],
  });
  return id;
}

/** Credit insurance of shipments on open terms. */
async function makeInsurance(world: World, shipments: readonly DemoShipment[]): Promise<void> {
  const { stage } = world;
  const open = shipments.filter(
    ({ fate, contract }) => fate === 'shipped' && ['OA', 'TT_AFTER'].includes(contract.term),
  );
  const chosen = lastShare(world, open, 14);
  const policy = chosen.length === 0 ? '' : await policyOf(world);
  for (const [place, { id, contract, day }] of chosen) {
    const story = stage.begin(
      `insurance ${place}`,
      addDays(day, 1) > stage.today ? stage.today : addDays(day, 1),
    );
    const { owner, partner } = contract.buyer;
    const shipment = await story.read('shipment', id);
    await grantLimit(story, policy, {
      buyer: String(shipment['buyer_id']),
      term: contract.term,
      days: Number(shipment['term_days'] ?? 0),
      amount: Number(shipment['total_amount']),
    });
    const record = await story.create(owner, 'insurance_application', {
      business_type: partner === null ? 'self' : 'agency',
      kind: 'sinosure',
      shipment_id: id,
      currency: contract.currency,
      insured_amount: shipment['total_amount'],
      cover_ratio: '90',
      rate: '0.45',
      premium_bearer: partner === null ? 'company' : 'partner',
      payment_term: contract.term,
      term_days: Number(shipment['term_days'] ?? 0),
      ship_date: shipment['atd'] ?? shipment['etd'],
    });
    const application = String(record['id']);
    if (place % 5 === 4) continue;
    const isWaiting = place % 5 === 3;
    await story.approve(owner, 'insurance_application', {
      id: application,
      ...(isWaiting ? { levels: 0 } : {}),
    });
    if (isWaiting || place % 5 === 2) continue;
    await story.act('rk', 'insurance_application', {
      id: application,
      action: 'declare',
      inputs: { declared_date: story.day() },
    });
    if (place % 5 === 1) continue;
    story.wait(3);
    await story.act('rk2', 'insurance_application', {
      id: application,
      action: 'underwrite',
      inputs: { underwrite_no: `CB${story.roll.between(100000, 999999)}` },
    });
  }
}

const BLACKLIST = [
  {
    kind: 'buyer',
    name: '沙海洋行',
    name_en: 'SANDSEA OVERSEAS TRADING',
    iso2: 'AE',
    source: '信保拒赔',
    reason: '三次拖欠货款，信保拒赔',
  },
  {
    kind: 'supplier',
    name: '义乌顺捷饰品商行',
    name_en: null,
    iso2: 'CN',
    source: '公司内部',
    reason: '虚开发票线索，已移交稽查',
  },
  {
    kind: 'buyer',
    name: '北角贸易',
    name_en: 'NORTHCAPE GENERAL IMPEX',
    iso2: 'NG',
    source: '公司内部',
    reason: '提单放单后失联',
  },
  {
    kind: 'forwarder',
    name: '速航货运代理',
    name_en: null,
    iso2: 'CN',
    source: '公司内部',
    reason: '扣单加价',
  },
  {
    kind: 'buyer',
    name: '奥斯坦进口',
    name_en: 'OSTAN IMPORT EXPORT',
    iso2: 'TR',
    source: 'EU',
    reason: '列入欧盟限制名单（示例）',
  },
] as const;

async function makeBlacklist({ stage, start, refs }: World): Promise<void> {
  for (const [place, { iso2, ...entry }] of BLACKLIST.entries()) {
    const isRecent = place >= 3;
    const story = stage.begin(
      `blacklist ${place}`,
      isRecent ? addDays(stage.today, -3) : addDays(start, 100 + place * 40),
    );
    const record = await story.create('tm', 'blacklist', { ...entry, country_id: refs.of('country', iso2) });
    const id = String(record['id']);
    await story.approve('tm', 'blacklist', { id, ...(isRecent ? { levels: 0 } : {}) });
    if (place !== 2) continue;
    story.wait(300);
    await story.approve('rk', 'blacklist', { id, action: 'release', opinion: '已全额付清', levels: 1 });
  }
}

const ORDERS = 12;

/** Orders in all states before a contract, of the company's own buyers too. */
async function makeOrders(
  world: World,
  { contracts, project }: { readonly contracts: readonly DemoContract[]; readonly project: string },
): Promise<void> {
  const { stage, refs } = world;
  const own = contracts.filter(({ buyer }) => buyer.partner === null).slice(-1);
  const agency = contracts.filter(({ buyer }) => buyer.partner !== null);
  for (const [place, contract] of lastShare(world, [...agency, ...own], ORDERS)) {
    const { buyer, lines } = contract;
    const story = stage.begin(`order ${place}`, addDays(stage.today, -6 * (ORDERS - place)));
    const record = await story.create(buyer.owner, 'export_order', {
      ...(buyer.partner === null
        ? { business_type: 'self', estimate_id: (await story.read('project', project))['estimate_id'] }
        : { business_type: 'agency', partner_id: buyer.partner.id }),
      buyer_id: buyer.id,
      buyer_po: `PO-${story.roll.between(10000, 99999)}`,
      order_date: story.day(),
      incoterm: contract.incoterm,
      incoterm_place: contract.place,
      payment_term: contract.term,
      currency: contract.currency,
      dest_country_id: buyer.countryId,
      port_loading_id: refs.of('loading_port', contract.loadingPort),
      port_dest_id: buyer.portId,
      delivery_date: addDays(story.day(), 90),
      items: lines.slice(0, 6).map(({ goods, supplier, quantity, price }) => ({
        goods_id: goods.id,
        supplier_id: supplier.id,
        quantity: String(quantity),
        unit: goods.trade.unit,
        unit_price: price,
      })),
    });
    const id = String(record['id']);
    const step = place % 6;
    if (step === 0) continue;
    await story.act(buyer.owner, 'export_order', { id, action: 'submit' });
    if (step === 1) continue;
    if (step === 2)
      await story.act('cs', 'export_order', { id, action: 'return', opinion: '交期无法满足，请客户确认' });
    else await story.act(buyer.owner, 'export_order', { id, action: 'confirm' });
    if (step === 4) await story.act(buyer.owner, 'export_order', { id, action: 'convert' });
    if (step === 5) await story.act(buyer.owner, 'export_order', { id, action: 'cancel' });
  }
}

/** Credits that came in these days and wait for examination. */
async function makeOpenCredits(
  world: World,
  { contracts, sellerEn }: { readonly contracts: readonly DemoContract[]; readonly sellerEn: string },
): Promise<void> {
  const { stage } = world;
  const open = contracts
    .filter(({ fate, lc }) => (fate === 'signed' || fate === 'approved') && lc === null)
    .slice(-1);
  for (const [place, contract] of open.entries()) {
    const story = stage.begin(`credit ${place}`, addDays(stage.today, -8));
    await makeCredit(world, story, { contract, sellerEn, levels: place % 2 });
  }
}
