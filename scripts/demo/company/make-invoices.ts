import { addDays } from '#engine/values/dates.ts';
import { addDecimals, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { dictionaryLabels } from '#server/records/read/dictionary-labels.ts';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import { demoPicture } from './demo-files.ts';
import { BOUGHT_AT } from './make-goods.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import { type DemoGoods, type DemoSupplier, lastShare, type World } from './world.ts';

const GOODS_INVOICES = 12;
/** Shipments of which every supplier has billed all: their refunds can be declared. */
const WHOLE_SHIPMENTS = 8;
const FEE_INVOICES = 10;
/** Beyond those of this year's shipments. */
const OLD_SERIALS = 100;
/** A digital special invoice: no code, twenty digits. */
const DIGITAL = '31';
const RATE = '0.13';
/** Yuan without tax for a dollar's worth of goods. */
const NET_YUAN = BOUGHT_AT / 1.13;

interface Invoices {
  readonly shipments: readonly DemoShipment[];
  /** Of the company, the purchaser. */
  readonly taxNo: string;
}

/** Invoices received for goods and for fees of the last shipments, as far as they come: registered, verified, matched. */
export async function makeInvoices(world: World, given: Invoices): Promise<void> {
  const shipped = given.shipments.filter(({ fate }) => fate === 'shipped');
  const bought = shipped.filter(({ contract }) => contract.purchases.size > 0);
  const last = lastShare(world, bought, GOODS_INVOICES);
  for (const [place, shipment] of last)
    await unlessRefused(() =>
      makeGoodsInvoice(world, { place, shipment, taxNo: given.taxNo, steps: 4 - (place % 5) }),
    );
  const before = bought.slice(0, bought.length - last.length);
  const isOld = ({ day }: DemoShipment): boolean => day < `${world.stage.today.slice(0, 4)}-01-01`;
  const recent = before.filter((shipment) => !isOld(shipment));
  // What left last year had to be declared this spring: of few a supplier never sent his invoice.
  const old = before.filter(isOld).filter((_shipment, place) => place % 9 !== 4);
  const whole = [
    ...lastShare(world, recent, WHOLE_SHIPMENTS),
    ...old.map((shipment, index) => [OLD_SERIALS + index, shipment] as const),
  ];
  for (const [index, shipment] of whole)
    for (const [part, supplierId] of [...shipment.contract.purchases.keys()].entries()) {
      const place = GOODS_INVOICES + index * 10 + part;
      await unlessRefused(() =>
        makeGoodsInvoice(world, { place, shipment, taxNo: given.taxNo, steps: 4, supplierId }),
      );
    }
  const forPartners = shipped.filter(({ contract }) => contract.buyer.partner !== null);
  for (const [place, shipment] of lastShare(world, forPartners, FEE_INVOICES))
    await makeFeeInvoice(world, { place, shipment, taxNo: given.taxNo });
}

interface Making {
  readonly place: number;
  readonly shipment: DemoShipment;
  readonly taxNo: string;
}

interface GoodsInvoice extends Making {
  /** How far it comes, of four. */
  readonly steps: number;
  /** The first one when not said. */
  readonly supplierId?: string;
}

async function makeGoodsInvoice(world: World, making: GoodsInvoice): Promise<void> {
  const { place, shipment, taxNo, steps } = making;
  const { contract } = shipment;
  const [first] = contract.purchases.keys();
  const supplierId = making.supplierId ?? first;
  const own = contract.lines.filter(({ supplier }) => supplier.id === supplierId);
  const supplier = own[0]?.supplier;
  if (supplier === undefined) return;
  const story = world.stage.begin(`goods invoice ${place}`, laterDay(world, shipment.day, 4 + (place % 5)));
  const goods = new Map(own.map((line) => [line.id, line.goods]));
  const packed = await story.read('shipment', shipment.id);
  const items = linesOf(packed['items']).flatMap((item) => {
    const of = goods.get(String(item['contract_line']));
    return of === undefined ? [] : [itemOf(of, item, unitNames(world))];
  });
  if (items.length === 0) return;
  const { owner } = contract.buyer;
  const isPictured = place % 2 === 0;
  const record = await story.create(owner, 'goods_invoice', {
    business_type: contract.buyer.partner === null ? 'self' : 'agency',
    invoice_type: DIGITAL,
    invoice_number: digitalNumber(story, supplier),
    billing_date: story.day(),
    supplier_id: supplier.id,
    net_amount: sumOf(items, 'amount'),
    tax_amount: sumOf(items, 'tax'),
    items: items.map(({ line: _line, packed: _packed, ...item }, index) => ({ row_no: index + 1, ...item })),
    ...(isPictured ? { images: [await story.upload(owner, '发票影像.png', demoPicture(story.roll))] } : {}),
  });
  await useGoodsInvoice(story, {
    steps,
    id: String(record['id']),
    taxNo,
    matches: await matchesOf(story, { shipment, supplierId: supplier.id, items }),
  });
}

/** Registered, found abnormal, verified, matched or certified. */
async function useGoodsInvoice(
  story: Story,
  invoice: {
    readonly steps: number;
    readonly id: string;
    readonly taxNo: string;
    readonly matches: readonly OpenRecord[];
  },
): Promise<void> {
  const { id, taxNo, steps } = invoice;
  if (steps === 0) return;
  if (steps === 1) {
    await story.act('fn', 'goods_invoice', { id, action: 'flag', opinion: '税务机关通知为异常凭证，待核实' });
    return;
  }
  await story.verify('fn', queryOf(await story.read('goods_invoice', id), taxNo));
  await story.act('dc', 'goods_invoice', { id, action: 'verify' });
  if (steps === 2 || invoice.matches.length === 0) return;
  await story.update('dc', 'goods_invoice', id, { matches: invoice.matches });
  await story.act('dc', 'goods_invoice', { id, action: 'match' });
  if (steps < 4) return;
  story.wait(3);
  await story.act('fn', 'goods_invoice', {
    id,
    action: 'certify',
    inputs: { cert_usage: 'refund', cert_period: story.day().slice(0, 7).replace('-', '') },
  });
}

interface Item extends OpenRecord {
  /** The line of the export contract. */
  readonly line: string;
  /** The line of the shipment. */
  readonly packed: string;
  readonly quantity: string;
  readonly amount: string;
}

function itemOf(goods: DemoGoods, packed: OpenRecord, units: ReadonlyMap<string, string>): Item {
  const quantity = String(packed['quantity']);
  const price = (goods.usd * NET_YUAN).toFixed(4);
  const amount = roundDecimal(multiplyDecimals(quantity, price), 2);
  return {
    line: String(packed['contract_line']),
    packed: String(packed['id']),
    goods_id: goods.id,
    commodity_name: goods.name,
    spec: goods.spec,
    unit: units.get(String(packed['unit'])) ?? String(packed['unit']),
    quantity,
    unit_price: price,
    amount,
    tax_rate: '13',
    tax: roundDecimal(multiplyDecimals(amount, RATE), 2),
  };
}

/** Units as an invoice prints them, by their codes. */
function unitNames({ stage }: World): ReadonlyMap<string, string> {
  const catalog = stage.services.definitions.catalog();
  const unit = catalog.resources['goods']?.fields['unit'];
  return unit === undefined ? new Map() : dictionaryLabels(catalog, unit);
}

/** What the invoice bills of the shipment, by the lines of the purchase contract. */
async function matchesOf(
  story: Story,
  given: {
    readonly shipment: DemoShipment;
    readonly supplierId: string;
    readonly items: readonly Item[];
  },
): Promise<readonly OpenRecord[]> {
  const purchase = given.shipment.contract.purchases.get(given.supplierId);
  if (purchase === undefined) return [];
  const bought = linesOf((await story.read('purchase_contract', purchase))['items']);
  return given.items.flatMap(({ line, packed, quantity, amount }) => {
    const found = bought.find((entry) => entry['export_line'] === line);
    return found === undefined
      ? []
      : [
          {
            purchase_line: found['id'],
            shipment_id: given.shipment.id,
            shipment_line: packed,
            quantity,
            net_amount: amount,
          },
        ];
  });
}

const ISSUERS = [
  ['forwarder', '海程国际货运代理有限公司', 'ocean'],
  ['broker', '宁波通衢报关有限公司', 'customs'],
  ['forwarder', '联帆物流有限公司', 'port'],
] as const;

async function makeFeeInvoice(world: World, { place, shipment, taxNo }: Making): Promise<void> {
  const story = world.stage.begin(`fee invoice ${place}`, laterDay(world, shipment.day, 6));
  const { owner, partner } = shipment.contract.buyer;
  const [kind, issuer, fee] = ISSUERS[place % ISSUERS.length] ?? ISSUERS[0];
  const net = `${story.roll.between(8, 90) * 100}.00`;
  const tax = roundDecimal(multiplyDecimals(net, '0.06'), 2);
  const record = await story.create(owner, 'business_invoice', {
    business_type: 'agency',
    invoice_type: DIGITAL,
    invoice_number: digitalNumber(story),
    billing_date: story.day(),
    issuer_kind: kind,
    issuer_name: issuer,
    partner_id: partner?.id,
    net_amount: net,
    tax_amount: tax,
    currency: 'CNY',
    allocations: [{ fee_item: fee, shipment_id: shipment.id, amount: addDecimals(net, tax) }],
    ...(place % 3 === 0
      ? { images: [await story.upload(owner, '业务发票.png', demoPicture(story.roll))] }
      : {}),
  });
  const id = String(record['id']);
  if (place % 5 === 4) return;
  await story.verify('dc', queryOf(await story.read('business_invoice', id), taxNo));
  await story.approve(owner, 'business_invoice', { id, ...(place % 5 === 3 ? { levels: 0 } : {}) });
}

/** What /cyfp is asked with for a digital invoice. */
function queryOf(record: OpenRecord, taxNo: string): InvoiceQuery {
  return {
    invoiceType: DIGITAL,
    purchaserTaxNo: taxNo,
    invoiceCode: '',
    invoiceNumber: String(record['invoice_number']),
    billingDate: String(record['billing_date']),
    totalAmount: '',
    amountTax: String(record['total_amount']),
    checkCode: '',
  };
}

/** Year, province, channel and serial (refdata/notes_tax_invoice_rules.md). */
function digitalNumber({ roll, day }: Story, supplier?: DemoSupplier): string {
  const province = supplier === undefined ? '33' : supplier.town.area.slice(0, 2);
  return `${day().slice(2, 4)}${province}2000000${roll.between(100_000_000, 999_999_999)}`;
}

function laterDay({ stage }: World, day: string, days: number): string {
  const later = addDays(day, days);
  return later > stage.today ? stage.today : later;
}

function sumOf(items: readonly OpenRecord[], name: string): string {
  return items.map((item) => String(item[name])).reduce(addDecimals, '0');
}

function linesOf(value: unknown): readonly OpenRecord[] {
  return Array.isArray(value) ? (value as readonly OpenRecord[]) : [];
}
