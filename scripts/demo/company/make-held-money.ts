import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { DemoContract, World } from './world.ts';

/** What of an advance payment is sold: all of it, a half, all and taken back. */
const HELD = ['1200.00', '1000.00', '800.00'] as const;
const HALF = '500.00';
/** What is left of the advance: it was divided onto the wrong contract and is sent back. */
const REST = '300.00';
const ADVANCE = '3300.00';
const MISTAKEN = '600.00';

interface Given {
  readonly contract: DemoContract;
  readonly own: Pick<OwnRecords, 'accounts'>;
}

/**
 * A buyer pays in advance and the partner waits for a better rate: what is held is sold wholly, by halves, and once by
 * mistake; a second payment was divided too soon.
 */
export async function makeHeldMoney(world: World, given: Given): Promise<void> {
  const desk = new HeldMoney(world, given);
  await desk.sell(await desk.hold());
  await unlessRefused(() => desk.takeBack());
}

interface Holding {
  readonly [column: string]: string;
  readonly id: string;
  readonly amount: string;
  /** What the bank gave for one unit when it was held. */
  readonly rate: string;
}

class HeldMoney {
  constructor(
    private readonly world: World,
    private readonly given: Given,
  ) {}

  /** The advance with its parts that are held, and one that is sent back. */
  async hold(): Promise<readonly Holding[]> {
    const story = this.begin('advance', 12);
    const receipt = await this.receive(story, ADVANCE);
    const split = await this.divide(story, receipt, HELD);
    await story.approve(this.owner, 'receipt_split', { id: split });
    const wrong = await this.divide(story, receipt, [REST]);
    await story.approve(this.owner, 'receipt_split', {
      id: wrong,
      rejection: '不是该合同的预收款，请与客户核对',
    });
    return this.world.stage.services.db.query<Holding>(
      `select h.id, h.amount::text, coalesce(s.buy_rate, s.book_rate)::text as rate
       from fx_holding h join receipt_split s on s.id = h.split_id where s.id = $1::uuid order by h.amount desc`,
      [split],
      'demo_holdings',
    );
  }

  /** What is held is sold, the third of it by mistake. */
  async sell([whole, half, back]: readonly Holding[]): Promise<void> {
    if (whole === undefined || half === undefined || back === undefined) return;
    const story = this.begin('sale', 8);
    await story.approve('tr', 'fx_settlement', {
      id: await this.deal(story, [whole, { ...half, amount: HALF }]),
    });
    const mistaken = await this.deal(story, [back]);
    await story.approve('tr', 'fx_settlement', { id: mistaken });
    await story.approve('fn', 'fx_settlement', {
      ...{ id: mistaken, action: 'reverse', opinion: '委托方要求继续持有，银行已撤销成交' },
    });
    const again = await this.deal(story, [back]);
    await story.approve('tr', 'fx_settlement', { id: again, rejection: '委托方尚未确认汇率' });
    const last = this.begin('last sale', 1);
    await last.approve('tr', 'fx_settlement', {
      id: await this.deal(last, [{ ...half, amount: HALF }]),
      levels: 0,
    });
  }

  /** Divided and taken back: the buyer meant another order. */
  async takeBack(): Promise<void> {
    const story = this.begin('mistaken advance', 6);
    const split = await this.divide(story, await this.receive(story, MISTAKEN), [MISTAKEN]);
    await story.approve(this.owner, 'receipt_split', { id: split });
    await story.approve('fn', 'receipt_split', {
      ...{ id: split, action: 'reverse', opinion: '客户来函更正，该笔款属于另一订单' },
    });
  }

  private get owner(): string {
    return this.given.contract.buyer.owner;
  }

  private begin(seed: string, daysAgo: number): Story {
    const { stage } = this.world;
    return stage.begin(`held ${seed}`, addDays(stage.today, -daysAgo));
  }

  /** Money of the contract's buyer, claimed. */
  private async receive(story: Story, amount: string): Promise<OpenRecord> {
    const { contract, own } = this.given;
    const { buyer } = contract;
    const receipt = await story.create('fn', 'receipt', {
      ...{
        bank_account_id: own.accounts.get(contract.currency),
        value_date: story.day(),
        gross_amount: amount,
      },
      ...{ payer_name: buyer.name, payer_country_id: buyer.countryId, payer_bank: 'COMMERZBANK AG' },
      bank_ref: `IR${story.roll.between(100_000_000, 999_999_999)}`,
      remittance_info: `ADVANCE PAYMENT ${contract.no}`,
    });
    const inputs = { partner_id: buyer.partner?.id, buyer_id: buyer.id, amount };
    await story.act(buyer.owner, 'receipt', { id: String(receipt['id']), action: 'claim', inputs });
    return story.read('receipt', String(receipt['id']));
  }

  /** Parts of a receipt as advance payments of the contract, all held. */
  private async divide(story: Story, receipt: OpenRecord, amounts: readonly string[]): Promise<string> {
    const [claim] = receipt['claims'] as readonly OpenRecord[];
    const made = await story.create(this.owner, 'receipt_split', {
      ...{ receipt_id: receipt['id'], claim_line: claim?.['id'], split_date: story.day() },
      lines: amounts.map((amount) => ({
        ...{ nature: 'advance', contract_id: this.given.contract.id, settle_mode: 'hold', amount },
      })),
    });
    return String(made['id']);
  }

  /** The bank buys what is held at the day's rate; the partner gets a little less. */
  private async deal(story: Story, holdings: readonly Holding[]): Promise<string> {
    const { contract, own } = this.given;
    const amount = holdings.reduce((sum, holding) => sum + Number(holding.amount), 0).toFixed(2);
    const rate = holdings[0]?.rate ?? '';
    const made = await story.create('tr', 'fx_settlement', {
      ...{ deal_date: story.day(), value_date: story.day(), amount, bank_rate: rate },
      ...{ bank_account_id: own.accounts.get(contract.currency), cny_account_id: own.accounts.get('CNY') },
      amount_cny: (Number(amount) * Number(rate)).toFixed(2),
      bank_ref: `FX${story.roll.between(100_000_000, 999_999_999)}`,
      lines: holdings.map((holding) => ({
        ...{ source_kind: 'hold', holding_id: holding.id, amount: holding.amount },
        customer_rate: (Number(rate) * 0.998).toFixed(6),
      })),
    });
    return String(made['id']);
  }
}
