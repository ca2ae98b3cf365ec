import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { inLanes } from './lanes.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Story } from './story.ts';
import { lastShare, type World } from './world.ts';

/** How far the money of a shipment comes; what stands further down has gone through what stands before. */
const FATES = ['arrived', 'claimed', 'pending', 'held', 'posted', 'sold', 'requested', 'paid'] as const;
type MoneyFate = (typeof FATES)[number];

/** What becomes of the latest shipments, so that a small company too has something of each; then money that has gone all its way. */
const LATEST: readonly MoneyFate[] = [
  'arrived',
  'paid',
  'held',
  'sold',
  'pending',
  'claimed',
  'requested',
  'posted',
];

function fateOf(place: number): MoneyFate {
  return LATEST[place] ?? (place % 5 === 4 ? 'sold' : 'paid');
}

/** So many of a hundred shipments, that the first start stays quick. */
const SHARE = 0.12;

/** Receipts, splits, sales of currency and payments for shipments that have left, the latest in every state. */
export async function makeMoney(
  world: World,
  { shipments, own }: { readonly shipments: readonly DemoShipment[]; readonly own: OwnRecords },
): Promise<void> {
  const left = shipments.filter(
    ({ fate, contract }) =>
      fate === 'shipped' && contract.buyer.partner !== null && contract.currency !== 'JPY',
  );
  // A small company too has something of each.
  const count = Math.max(FATES.length, Math.round(world.whole.shipments * SHARE));
  const chosen = lastShare(world, left, count);
  let done = 0;
  await inLanes(chosen, world.lanes, async ([number, shipment]) => {
    const place = count - 1 - number;
    const story = world.stage.begin(`money ${place}`, addDays(shipment.day, 12));
    await new MoneyStory(story, shipment, own).play(fateOf(place));
    world.onStep('收付款', (done += 1), chosen.length);
  });
}

/** The money of one shipment. */
class MoneyStory {
  constructor(
    private readonly story: Story,
    private readonly shipment: DemoShipment,
    private readonly own: OwnRecords,
  ) {}

  async play(fate: MoneyFate): Promise<void> {
    const { story } = this;
    const reached = (step: MoneyFate): boolean => FATES.indexOf(fate) >= FATES.indexOf(step);
    const shipment = await story.read('shipment', this.shipment.id);
    const receipt = await this.arrive(shipment);
    if (!reached('claimed')) return;
    const claim = await this.claim(String(receipt['id']), String(receipt['amount']));
    if (!reached('pending')) return;
    const split = await this.split(receipt, claim, fate);
    if (!reached('posted')) return;
    if (reached('sold')) await this.sell(receipt, split);
    if (reached('requested')) await this.pay(fate);
  }

  private async arrive(shipment: OpenRecord): Promise<OpenRecord> {
    const { story, own } = this;
    const { contract } = this.shipment;
    const bankCharge = story.roll.pick(['0.00', '50.00', '80.00']);
    return story.create('fn', 'receipt', {
      bank_ref: `IR${story.roll.between(100_000_000, 999_999_999)}`,
      bank_account_id: own.accounts.get(contract.currency),
      value_date: story.day(),
      gross_amount: shipment['total_amount'],
      foreign_charge: story.roll.pick(['0.00', '0.00', '15.00', '25.00']),
      bank_charge_cny: bankCharge,
      ...(bankCharge === '0.00' ? {} : { charge_account_id: own.accounts.get('CNY') }),
      payer_name: contract.buyer.name,
      payer_country_id: contract.buyer.countryId,
      payer_bank: story.roll.pick(['DEUTSCHE BANK AG', 'HSBC BANK PLC', 'CITIBANK N.A.', 'MIZUHO BANK']),
      remittance_info: `INVOICE ${String(shipment['invoice_no'])}`,
    });
  }

  private async claim(receipt: string, amount: string): Promise<string> {
    const { story } = this;
    const { buyer } = this.shipment.contract;
    await story.act(buyer.owner, 'receipt', {
      id: receipt,
      action: 'claim',
      inputs: { partner_id: buyer.partner?.id, buyer_id: buyer.id, amount },
    });
    const { claims } = await story.read('receipt', receipt);
    const [claim] = claims as readonly OpenRecord[];
    return String(claim?.['id']);
  }

  private async split(receipt: OpenRecord, claim: string, fate: MoneyFate): Promise<OpenRecord> {
    const { story } = this;
    const { id: shipment, contract } = this.shipment;
    story.wait(1);
    const amount = Number(receipt['amount']);
    const held = fate === 'held' ? Math.floor(amount / 2) : 0;
    const line = { nature: 'goods', shipment_id: shipment };
    const made = await story.create(contract.buyer.owner, 'receipt_split', {
      receipt_id: receipt['id'],
      claim_line: claim,
      split_date: story.day(),
      settle_rate: (Number(receipt['book_rate']) * 0.998).toFixed(6),
      lines: [
        { ...line, settle_mode: 'spot', amount: (amount - held).toFixed(2) },
        ...(held === 0 ? [] : [{ ...line, settle_mode: 'hold', amount: held.toFixed(2) }]),
      ],
    });
    const id = String(made['id']);
    await story.approve(contract.buyer.owner, 'receipt_split', {
      id,
      ...(fate === 'pending' ? { levels: 0 } : {}),
    });
    return story.read('receipt_split', id);
  }

  /** The bank buys the currency a few days later, a little dearer than the partner got. */
  private async sell(receipt: OpenRecord, split: OpenRecord): Promise<void> {
    const { story, own } = this;
    story.wait(2);
    const amount = String(split['total']);
    const rate = (Number(split['settle_rate']) + 0.005).toFixed(6);
    const [line] = split['lines'] as readonly OpenRecord[];
    const made = await story.create('tr', 'fx_settlement', {
      deal_date: story.day(),
      value_date: story.day(),
      bank_account_id: receipt['bank_account_id'],
      cny_account_id: own.accounts.get('CNY'),
      amount,
      bank_rate: rate,
      amount_cny: (Number(amount) * Number(rate)).toFixed(2),
      bank_ref: `FX${story.roll.between(100_000_000, 999_999_999)}`,
      lines: [{ source_kind: 'spot', split_id: split['id'], split_line: line?.['id'], amount }],
    });
    await story.approve('tr', 'fx_settlement', { id: String(made['id']) });
  }

  /** Most of what the shipment brought goes to the supplier, or to the partner where the goods are its own. */
  private async pay(fate: MoneyFate): Promise<void> {
    const { story, own } = this;
    const { contract } = this.shipment;
    const shipment = await story.read('shipment', this.shipment.id);
    const [purchase] = contract.purchases.values();
    const isBought = contract.mode === 'buyout';
    if (isBought && purchase === undefined) return;
    const bought = isBought ? await story.read('purchase_contract', String(purchase)) : null;
    if (bought !== null && !['signed', 'executing'].includes(String(bought['status']))) return;
    // Terms that wait for the supplier's invoice are paid when it is in.
    if (bought !== null && bought['payment_terms'] !== 'on_receipt') return;
    const most = Number(shipment['pool_sum']) * 0.9;
    const amount = bought === null ? most : Math.min(most, Number(bought['unpaid']));
    const payee =
      bought === null ? this.partnerPayee() : await this.supplierPayee(String(bought['supplier_id']));
    const made = await story.create(contract.buyer.owner, 'payment_request', {
      business_type: 'agency',
      pay_type: 'goods',
      partner_id: contract.buyer.partner?.id,
      ...payee,
      need_date: addDays(story.day(), 3),
      purpose: `支付${contract.no}货款`,
      goods_lines: [
        {
          shipment_id: this.shipment.id,
          ...(bought === null ? {} : { purchase_contract_id: bought['id'] }),
          amount: amount.toFixed(2),
        },
      ],
    });
    const id = String(made['id']);
    await story.approve(contract.buyer.owner, 'payment_request', {
      id,
      ...(fate === 'requested' ? { levels: 1 } : {}),
    });
    if (fate === 'requested') return;
    await story.act('tr', 'payment_request', { id, action: 'pay' });
    await story.act('tr', 'payment_request', {
      id,
      action: 'confirm',
      inputs: {
        paid_date: story.day(),
        bank_account_id: own.accounts.get('CNY'),
        bank_ref: `OP${story.roll.between(100_000_000, 999_999_999)}`,
        bank_fee: '20.00',
      },
    });
  }

  private partnerPayee(): OpenRecord {
    const { partner } = this.shipment.contract.buyer;
    return {
      payee_kind: 'partner',
      payee_name: partner?.name,
      payee_account: `3302${this.story.roll.between(100_000_000, 999_999_999)}`,
      payee_bank: '中国工商银行宁波市分行',
      cnaps: '102332000013',
    };
  }

  private async supplierPayee(id: string): Promise<OpenRecord> {
    const { story } = this;
    const known = await story.read('supplier', id);
    const [bank] = known['banks'] as readonly OpenRecord[];
    if (bank?.['verified'] !== true)
      await story.act('fn', 'supplier', { id, action: 'verify_bank', inputs: { method: 'letter' } });
    return { payee_kind: 'supplier', supplier_id: id, supplier_account: bank?.['id'] };
  }
}
