import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { DemoShipment } from './make-shipments.ts';
import { partnerPayee, payFor, supplierPayee } from './pay-for.ts';
import type { Story } from './story.ts';
import type { DemoContract } from './world.ts';

/** How far the money of a shipment comes; what stands further down has gone through what stands before. */
export const FATES = [
  'arrived',
  'claimed',
  'pending',
  'held',
  'posted',
  'sold',
  'requested',
  'paid',
] as const;
export type MoneyFate = (typeof FATES)[number];

/** So much of an invoice may be kept by banks on the way and is still paid (RECEIPT_SHORT_RATE). */
const BORNE_SHARE = 0.005;

/** The bank wants to know within five working days what money came for. */
const DECLARED_DAYS = 3;

/** The money that a buyer sends for one or several shipments of one currency, at once. */
export class MoneyStory {
  private readonly contract: DemoContract;
  /** Yen have no cents. */
  private readonly digits: number;

  constructor(
    private readonly story: Story,
    private readonly shipments: readonly [DemoShipment, ...DemoShipment[]],
    private readonly own: OwnRecords,
  ) {
    this.contract = shipments[0].contract;
    this.digits = this.contract.currency === 'JPY' ? 0 : 2;
  }

  async play(fate: MoneyFate): Promise<void> {
    const reached = (step: MoneyFate): boolean => FATES.indexOf(fate) >= FATES.indexOf(step);
    const receipt = await this.arrive();
    if (!reached('claimed')) return;
    const claim = await this.claim(String(receipt['id']), String(receipt['amount']));
    if (!reached('pending')) return;
    const split = await this.split(receipt, claim, fate);
    if (!reached('posted')) return;
    if (reached('sold')) await this.sell(receipt, split);
    if (reached('requested')) await this.pay(fate);
  }

  /** The shipments as they stand. */
  private read(): Promise<readonly OpenRecord[]> {
    return Promise.all(this.shipments.map(({ id }) => this.story.read('shipment', id)));
  }

  private async arrive(): Promise<OpenRecord> {
    const { story, own, contract } = this;
    const shipments = await this.read();
    const bankCharge = story.roll.pick(['0.00', '50.00', '80.00']);
    const foreignCharge = story.roll.pick(
      this.digits === 0 ? ['0', '1500', '2500'] : ['0.00', '0.00', '15.00', '25.00'],
    );
    // What is kept of a small invoice would leave it open.
    const isBorne = Number(foreignCharge) <= Number(shipments.at(-1)?.['total_amount']) * BORNE_SHARE;
    return story.create('fn', 'receipt', {
      bank_ref: `IR${story.roll.between(100_000_000, 999_999_999)}`,
      bank_account_id: own.accounts.get(contract.currency),
      value_date: story.day(),
      gross_amount: sumOf(shipments, 'total_amount').toFixed(this.digits),
      foreign_charge: isBorne ? foreignCharge : (0).toFixed(this.digits),
      bank_charge_cny: bankCharge,
      ...(bankCharge === '0.00' ? {} : { charge_account_id: own.accounts.get('CNY') }),
      payer_name: contract.buyer.name,
      payer_country_id: contract.buyer.countryId,
      payer_bank: story.roll.pick(['DEUTSCHE BANK AG', 'HSBC BANK PLC', 'CITIBANK N.A.', 'MIZUHO BANK']),
      // What came in the last days is declared when its time comes.
      ...(story.day() < addDays(story.today, -DECLARED_DAYS) ? { bop_declare_date: story.day() } : {}),
      remittance_info: `INVOICE ${shipments.map((shipment) => String(shipment['invoice_no'])).join(' ')}`,
    });
  }

  private async claim(receipt: string, amount: string): Promise<string> {
    const { story } = this;
    const { buyer } = this.contract;
    await story.act(buyer.owner, 'receipt', {
      id: receipt,
      action: 'claim',
      inputs: {
        ...(buyer.partner === null ? { project_id: await this.project() } : { partner_id: buyer.partner.id }),
        buyer_id: buyer.id,
        amount,
      },
    });
    const { claims } = await story.read('receipt', receipt);
    const [claim] = claims as readonly OpenRecord[];
    return String(claim?.['id']);
  }

  private async split(receipt: OpenRecord, claim: string, fate: MoneyFate): Promise<OpenRecord> {
    const { story } = this;
    const { contract } = this;
    story.wait(1);
    const shares = await this.shares(Number(receipt['amount']));
    const [first] = shares;
    const held = fate === 'held' ? Math.floor((first?.amount ?? 0) / 2) : 0;
    const made = await story.create(contract.buyer.owner, 'receipt_split', {
      receipt_id: receipt['id'],
      claim_line: claim,
      split_date: story.day(),
      settle_rate: (Number(receipt['book_rate']) * 0.998).toFixed(6),
      lines: [
        ...shares.map(({ shipment, amount }, place) =>
          this.splitLine(shipment, place === 0 ? amount - held : amount, 'spot'),
        ),
        ...(held === 0 || first === undefined ? [] : [this.splitLine(first.shipment, held, 'hold')]),
      ],
    });
    const id = String(made['id']);
    await story.approve(contract.buyer.owner, 'receipt_split', {
      id,
      ...(fate === 'pending' ? { levels: 0 } : {}),
    });
    return story.read('receipt_split', id);
  }

  /** What came, by shipment: what banks on the way have kept is missing from the last one. */
  private async shares(
    received: number,
  ): Promise<readonly { readonly shipment: string; readonly amount: number }[]> {
    const shipments = await this.read();
    const kept = sumOf(shipments, 'total_amount') - received;
    return shipments.map((shipment, place) => ({
      shipment: String(shipment['id']),
      amount: Number(shipment['total_amount']) - (place === shipments.length - 1 ? kept : 0),
    }));
  }

  /** The bank buys the currency a few days later, a little dearer than the partner got. */
  private async sell(receipt: OpenRecord, split: OpenRecord): Promise<void> {
    const { story, own } = this;
    story.wait(2);
    const spot = (split['lines'] as readonly OpenRecord[]).filter((line) => line['settle_mode'] === 'spot');
    const amount = sumOf(spot, 'amount').toFixed(this.digits);
    const rate = (Number(split['settle_rate']) * 1.0007).toFixed(6);
    const made = await story.create('tr', 'fx_settlement', {
      deal_date: story.day(),
      value_date: story.day(),
      bank_account_id: receipt['bank_account_id'],
      cny_account_id: own.accounts.get('CNY'),
      amount,
      bank_rate: rate,
      amount_cny: (Number(amount) * Number(rate)).toFixed(2),
      bank_ref: `FX${story.roll.between(100_000_000, 999_999_999)}`,
      lines: spot.map((line) => ({
        source_kind: 'spot',
        split_id: split['id'],
        split_line: line['id'],
        amount: line['amount'],
      })),
    });
    await story.approve('tr', 'fx_settlement', { id: String(made['id']) });
  }

  /** Most of what the first shipment brought goes to the supplier, or of all of them to the partner where the goods are its own. */
  private async pay(fate: MoneyFate): Promise<void> {
    const { story, own, contract } = this;
    const shipments = await this.read();
    const [purchase] = contract.purchases.values();
    const isBought = contract.mode === 'buyout';
    if (isBought && purchase === undefined) return;
    const bought = isBought ? await story.read('purchase_contract', String(purchase)) : null;
    if (bought !== null && !['signed', 'executing'].includes(String(bought['status']))) return;
    // Terms that wait for the supplier's invoice are paid when it is in.
    if (bought !== null && bought['payment_terms'] !== 'on_receipt') return;
    const lines = shipments.slice(0, bought === null ? shipments.length : 1).map((shipment) => ({
      shipment_id: shipment['id'],
      ...(bought === null ? {} : { purchase_contract_id: bought['id'] }),
      amount: Math.min(Number(shipment['pool_sum']) * 0.9, Number(bought?.['unpaid'] ?? Infinity)).toFixed(2),
    }));
    if (lines.some(({ amount }) => Number(amount) <= 0)) return;
    const payee =
      bought === null
        ? await partnerPayee(story, String(contract.buyer.partner?.id))
        : await supplierPayee(story, String(bought['supplier_id']));
    const made = await story.create(contract.buyer.owner, 'payment_request', {
      ...(contract.buyer.partner === null
        ? { business_type: 'self', project_id: await this.project() }
        : { business_type: 'agency', partner_id: contract.buyer.partner.id }),
      pay_type: 'goods',
      ...payee,
      need_date: addDays(story.day(), 3),
      purpose: `支付${contract.no}货款`,
      goods_lines: lines,
    });
    const id = String(made['id']);
    await story.approve(contract.buyer.owner, 'payment_request', {
      id,
      ...(fate === 'requested' ? { levels: 1 } : {}),
    });
    if (fate === 'requested') return;
    await payFor(story, own, { id, fee: '20.00' });
  }

  /** The project of the company's own business. */
  private async project(): Promise<unknown> {
    const [first] = await this.read();
    return first?.['project_id'];
  }

  private splitLine(shipment: string, amount: number, mode: string): OpenRecord {
    return {
      nature: 'goods',
      shipment_id: shipment,
      settle_mode: mode,
      amount: amount.toFixed(this.digits),
    };
  }
}

function sumOf(records: readonly OpenRecord[], field: string): number {
  return records.reduce((sum, record) => sum + Number(record[field]), 0);
}
