import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';
import { refundSteps } from './refund-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let steps: ReturnType<typeof refundSteps>;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC', 'ad.aa': 'AD' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  steps = refundSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

/** Events that somebody was told of a record, each once. */
const toldOf = async (record: string, who: string): Promise<readonly string[]> => [
  ...new Set(await rules.toldOf(record, who)),
];

/** USD 1,000.00 for a shipment, posted: the split, its line and what is held of it. */
async function posted(of: Trader, shipment: string, settle_mode: 'spot' | 'hold') {
  const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '1000.00');
  const lines = [{ nature: 'goods', settle_mode, shipment_id: shipment, amount: '1000.00' }];
  const settle = settle_mode === 'spot' ? { settle_rate: '7.100000' } : {};
  const split = await money.split(receipt, claim, { ...settle, lines });
  const [found] = await rules.example.services.db.query<{ line: string; holding: string | null }>(
    `select l.id as line, h.id as holding from receipt_split__lines l left join fx_holding h on h.split_line = l.id
     where l.parent_id = $1::uuid`,
    [split],
  );
  return { receipt, split, line: found?.line ?? '', holding: found?.holding ?? '' };
}

describe('currency that waits', () => {
  it('asked for by its owner is a matter of the treasury', STORY, async () => {
    const of = await money.trader('申请结汇A');
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
    const { holding } = await posted(of, shipment, 'hold');
    const ask = (request_amount: string) =>
      rules.act('sp.aa', 'fx_holding', holding, 'request_settle', { inputs: { request_amount } });
    await must(ask('300.00'));
    expect(await rules.stored('fx_holding', holding)).toMatchObject({
      amount: '1000.00',
      requested_amount: '300.00',
    });
    expect(await refusal(ask('700.01'))).toEqual([400, '结汇金额超过暂挂余额']);
    await must(ask('700.00'));
    expect(await toldOf(holding, 'tr.aa')).toEqual(['HOLD_REQUESTED']);
  });

  it('and is not sold is told of after three working days, not three days', STORY, async () => {
    const { db } = rules.example.services;
    const today = companyToday(new Date());
    await must(
      rules.as('ad.aa', 'POST', '/data/calendar_day', {
        date: addDays(today, -1),
        kind: 'rest',
        name: '试验',
      }),
    );
    const of = await money.trader('待结汇A');
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
    const { split } = await posted(of, shipment, 'spot');
    const after = async (days: number): Promise<readonly string[]> => {
      await db.query('update receipt_split set split_date = $2 where id = $1::uuid', [
        split,
        addDays(today, -days),
      ]);
      await runDailyActions(rules.example.services);
      return toldOf(split, 'tr.aa');
    };
    expect(await after(3)).not.toContain('FX_UNSOLD');
    expect(await after(14)).toContain('FX_UNSOLD');
  });
});

describe('a refund', () => {
  it('whose goods were not paid in time is warned of as that, not as taken back', STORY, async () => {
    const { db } = rules.example.services;
    const { refund, shipment } = await steps.exported({ net: '1000.00', exportDate: '2025-03-01' });
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await db.query(
      `update shipment set received_goods = 0, received_amount = 0, unreceived = total_amount, recv_progress = 'none' where id = $1::uuid`,
      [shipment],
    );
    await db.query('update tax_refund set received_rows = 0, received_fx_ok = false where id = $1::uuid', [
      refund,
    ]);
    await runDailyActions(rules.example.services);
    expect((await steps.read(refund))['status']).toBe('receipt_hold');
    const told = await toldOf(refund, 'fn.aa');
    expect(told).toContain('REFUND_UNPAID');
    expect(told).not.toContain('REFUND_CLAWBACK');
  });

  it('of goods whose money goes back to the buyer is to be taken back', STORY, async () => {
    const { refund, of, shipment } = await steps.exported({
      ...{ net: '550000.00', fob: '1000.00', currency: 'USD', exportDate: '2026-06-01', isPaid: false },
    });
    const { receipt, split, line } = await posted(of, shipment, 'spot');
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '71500.00'));
    const back = await moves.draft('sp.aa', 'remittance_return', {
      ...{ receipt_id: receipt, source_kind: 'pool', split_id: split, split_line: line, amount: '100.00' },
      ...{
        rate: '7.140000',
        reason_kind: '多汇',
        reason: '客户多汇',
        declared_flag: true,
        refund_action: '追回退税',
      },
      ...{ payee_name: of.buyerName, payee_account: 'DE001', payee_bank: 'DEUTSCHE BANK', swift: 'DEUTDEFF' },
    });
    await rules.example.services.db.query(
      'update remittance_return set agreement_file = array[gen_random_uuid()] where id = $1::uuid',
      [back],
    );
    await must(rules.act('sp.aa', 'remittance_return', back, 'submit'));
    await money.approve('remittance_return', back, ['tm.aa', 'fn.aa', 'rk.aa']);
    const inputs = { paid_date: '2026-11-21', bank_account_id: money.accounts.cny, bank_ref: money.key(), actual_cny: '714.00' }; // prettier-ignore
    await must(rules.act('tr.aa', 'remittance_return', back, 'confirm', { inputs }));
    expect(await toldOf(refund, 'fn.aa')).toContain('REFUND_TO_RETURN');
  });

  it(
    'asked about by a letter shows its owner and the documents desk the letter they are told of',
    STORY,
    async () => {
      const { of, invoice } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
      const asked = { supplier_id: of.supplier, tax_authority: '税务局', sent_date: '2026-11-20', lines: [{ goods_invoice_id: invoice }] }; // prettier-ignore
      const letter = String((await must(rules.as('fn.aa', 'POST', '/data/refund_letter', asked)))['id']);
      const inputs = { reply_date: '2026-11-21', result_note: '业务真实' };
      await must(rules.act('fn.aa', 'refund_letter', letter, 'reply_normal', { inputs }));
      expect(await toldOf(letter, 'sp.aa')).toContain('LETTER_REPLIED');
      for (const who of ['sp.aa', 'dc.aa']) await must(rules.as(who, 'GET', `/data/refund_letter/${letter}`));
    },
  );
});

it('a contract of 代办退税 warns of a partner who may not have his tax refunded so', STORY, async () => {
  const of = await money.trader('代办提醒A', { export_mode: 'rebate_agent' });
  const contract = await money.contract(of, { export_mode: 'rebate_agent', status: 'draft' });
  const told = async (): Promise<readonly unknown[]> => {
    const { version } = await rules.stored('export_contract', contract);
    const asked = { id: contract, version, action: 'submit' };
    const { plan } = await must(rules.as('sp.aa', 'POST', '/data/export_contract/preview', asked));
    const { problems } = plan as { problems: readonly { message: string; level?: string }[] };
    return problems.map(({ message, level }) => [message, level]);
  };
  const warning = ['代办退税的委托方须为一般纳税人的生产企业，并已办理代办退税备案', 'warning'];
  expect(await told()).toContainEqual(warning);
  const { db } = rules.example.services;
  await db.query('update partner set refund_filed = true where id = $1::uuid', [of.partner]);
  expect(await told()).not.toContainEqual(warning);
  await db.query(`update partner set taxpayer_type = 'small' where id = $1::uuid`, [of.partner]);
  expect(await told()).toContainEqual(warning);
});

it(
  'a claim that is given to somebody else is told to who had it, who has it, and finance',
  STORY,
  async () => {
    const [mine, theirs] = [await money.trader('改派通知A'), await money.trader('改派通知B')];
    await rules.example.services.db.query('update partner set sales_id = $2::uuid where id = $1::uuid', [
      theirs.partner,
      await rules.idOf('dm.aa'),
    ]);
    const receipt = await money.receipt({ gross_amount: '100.00', payer_name: mine.buyerName });
    const claim = await money.claim(receipt, mine, '100.00');
    const claimed = async () =>
      Promise.all(
        ['sp.aa', 'dm.aa', 'fn.aa', 'rk.aa'].map(
          async (who) =>
            (await rules.toldOf(receipt, who)).filter((event) => event === 'RECEIPT_CLAIMED').length,
        ),
      );
    const before = await claimed();
    expect(before).toEqual([0, 0, 1, 0]);
    await must(
      rules.act('tm.aa', 'receipt', receipt, 'reassign', {
        opinion: '认错了',
        inputs: { changes: { claims: [{ id: claim, partner_id: theirs.partner, buyer_id: theirs.buyer }] } },
      }),
    );
    expect(await claimed()).toEqual([1, 1, 2, 0]);
    const [notice] = await rules.example.services.db.query<{ content: string }>(
      `select distinct content from sys_notice where event = 'RECEIPT_CLAIMED' and record_id = $1::uuid and content like '%改派%'`,
      [receipt],
    );
    expect(notice?.content).toMatch(/^收汇\S+的认领已由\S+登记：改派认领$/);
  },
);

it('money for the company’s own business is told to whose buyer paid it', STORY, async () => {
  const { given, toldOf: told, example } = rules;
  const payer_name = 'OWNBUSINESS WORKS GMBH';
  await given('buyer', {
    ...{
      name_en: payer_name,
      country_id: example.masters.country,
      address: 'Hafenstr. 9',
      is_related: false,
    },
    ...{ business_type: 'self', sales_id: await rules.idOf('dm.aa'), dept_code: 'AA', status: 'active' },
  });
  const receipt = await money.receipt({ gross_amount: '100.00', payer_name });
  expect([await told(receipt, 'dm.aa'), await told(receipt, 'sp.aa')]).toEqual([['RECEIPT_ARRIVED'], []]);
});
