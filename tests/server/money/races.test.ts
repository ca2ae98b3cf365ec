import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { cutBefore } from '../support/cut-connection.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, type Trader } from './money-steps.ts';
import { type Funded as MovedFunds, type MovementSteps, movementSteps } from './movement-steps.ts';

const WRITERS = 20;
/** A long story on a busy machine. */
const STORY = { timeout: 600_000 };
const SPOT = { settle_mode: 'spot' };

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

/** How many of them did it, and what the others were told, each once; nobody meets a fault of the server. */
async function outcome(
  attempts: readonly Promise<{ readonly status: number; readonly msg: string }>[],
): Promise<readonly [done: number, told: readonly string[]]> {
  const answers = await Promise.all(attempts);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const refused = answers.filter(({ status }) => status !== 200).map(({ msg }) => msg);
  return [answers.length - refused.length, [...new Set(refused)]];
}

const times = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, index) => work(index)));

type Funds = MovedFunds & { readonly agreement: string };
let funds: Promise<Funds> | null = null;

async function fundsOf(): Promise<Funds> {
  const of = await moves.funded('宁波断线乙C', '10000.00');
  const [agreement] = await rules.example.services.db.query<{ id: string }>(
    'select id from cooperation_agreement where partner_id = $1::uuid',
    [of.partner],
  );
  return { ...of, agreement: agreement?.id ?? '' };
}

function raise(name: string): never {
  throw new Error(`no case of ${name}`);
}

interface Funded {
  readonly of: Trader;
  readonly contract: string;
  readonly receipt: string;
  readonly claim: string;
}

async function funded(name: string, usd: string): Promise<Funded> {
  const of = await money.trader(name, { export_mode: 'buyout' });
  const contract = await money.contract(of, { export_mode: 'buyout' });
  const receipt = await money.receipt({ gross_amount: usd, payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, usd);
  return { of, contract, receipt, claim };
}

describe('twenty at once', () => {
  it('split a claim: as many as fit, to the cent', STORY, async () => {
    const { contract, receipt, claim } = await funded('宁波并发甲', '10000.00');
    const drafts = await times(() =>
      money.draftSplit(receipt, claim, {
        settle_rate: '7.100000',
        lines: [{ ...SPOT, nature: 'advance', contract_id: contract, amount: '1200.00' }],
      }),
    );
    const submit = (id: string) => rules.act('fn.aa', 'receipt_split', id, 'submit');
    expect(await outcome(drafts.map(submit))).toEqual([8, ['可分割金额不足']]);
    expect(await rules.stored('receipt__claims', claim)).toMatchObject({ left_amount: '400.00' });
  });

  it('ask one pool for payments, and approve what opens one account for all', STORY, async () => {
    const { of, contract, receipt, claim } = await funded('宁波并发乙', '4000.00');
    const splits = await Promise.all(
      Array.from({ length: 4 }, () =>
        money.draftSplit(receipt, claim, {
          settle_rate: '7.100000',
          lines: [{ ...SPOT, nature: 'advance', contract_id: contract, amount: '1000.00' }],
        }),
      ),
    );
    for (const id of splits) await must(rules.act('fn.aa', 'receipt_split', id, 'submit'));
    // The account does not exist yet: all four want to open it.
    expect(await outcome(splits.map((id) => money.decide('fn2.aa', 'receipt_split', id)))).toEqual([4, []]);
    const pools = await rules.example.services.db.query(
      `select id from fund_pool where partner_id = $1::uuid and account_kind = 'general'`,
      [of.partner],
    );
    expect(pools).toHaveLength(1);
    expect(await money.pool(of)).toEqual(['28200.00', '0.00', '28200.00']);

    const purchase = await money.purchase(of, contract);
    const payments = await times(() =>
      money.payment(of, {
        pay_type: 'advance',
        goods_lines: [{ purchase_contract_id: purchase, amount: '3000.00' }],
      }),
    );
    const submit = (id: string) => rules.act('sp.aa', 'payment_request', id, 'submit');
    expect(await outcome(payments.map(submit))).toEqual([9, ['可用余额不足']]);
    expect(await money.pool(of)).toEqual(['28200.00', '27000.00', '1200.00']);
  });

  it('sell one holding', STORY, async () => {
    const { of, contract, receipt, claim } = await funded('宁波并发丙', '20000.00');
    const shipment = await money.shipment(of, contract, { quantity: '2000' }, { export_mode: 'buyout' });
    const split = await money.split(receipt, claim, {
      settle_rate: '7.100000',
      lines: [{ nature: 'goods', shipment_id: shipment, settle_mode: 'hold', amount: '20000.00' }],
    });
    const [holding] = await rules.example.services.db.query<{ id: string }>(
      'select id from fx_holding where split_id = $1::uuid',
      [split],
    );
    const slips = await times(async () => {
      const made = await must(
        rules.as('tr.aa', 'POST', '/data/fx_settlement', {
          deal_date: '2026-11-20',
          value_date: '2026-11-20',
          bank_account_id: money.accounts.usd,
          cny_account_id: money.accounts.cny,
          amount: '3000.00',
          bank_rate: '7.148800',
          amount_cny: '21446.40',
          bank_ref: money.key(),
          lines: [{ source_kind: 'hold', holding_id: holding?.id, amount: '3000.00' }],
        }),
      );
      return String(made['id']);
    });
    const submit = (id: string) => rules.act('tr.aa', 'fx_settlement', id, 'submit');
    expect(await outcome(slips.map(submit))).toEqual([6, ['结汇金额超过暂挂余额']]);
  });
});

describe('a connection that dies anywhere in a posting', () => {
  it('leaves nothing or everything, and the same decision goes through afterwards', STORY, async () => {
    const { of, contract, receipt, claim } = await funded('宁波断线甲', '4000.00');
    const split = await money.draftSplit(receipt, claim, {
      settle_rate: '7.100000',
      lines: [{ ...SPOT, nature: 'advance', contract_id: contract, amount: '4000.00' }],
    });
    await must(rules.act('fn.aa', 'receipt_split', split, 'submit'));
    const state = await must(rules.as('fn2.aa', 'GET', `/approval/record/receipt_split/${split}`));
    const task = state['task'] as { id: string; version: number };
    const decide = () =>
      rules.as('fn2.aa', 'POST', `/approval/${task.id}/approve`, { version: task.version, opinion: '同意' });
    let cuts = 0;
    for (let statement = 2; ; statement += 1) {
      const mend = cutBefore(statement);
      const answer = await decide().finally(mend);
      if (answer.status === 200) break;
      cuts += 1;
      expect([statement, answer.status]).toEqual([statement, 503]);
      expect([statement, await money.entries(split)]).toEqual([statement, []]);
      expect((await rules.stored('receipt_split', split))['status']).toBe('pending');
    }
    // It really died between any two statements.
    expect(cuts).toBeGreaterThan(30);
    expect(await money.entries(split)).toEqual([
      ['RCV_SETTLE', '28400.00'],
      ['AGENCY_FEE', '-200.00'],
    ]);
    expect(await money.pool(of)).toEqual(['28200.00', '0.00', '28200.00']);
    const vouchers = await rules.example.services.db.query(
      'select id from finance_voucher where source_id = $1',
      [split],
    );
    expect(vouchers).toHaveLength(1);
  });

  interface Waiting {
    readonly resource: string;
    readonly values: (of: Funds) => Promise<Fields>;
    readonly maker: string;
    readonly last: string;
    readonly entries: readonly (readonly [string, string])[];
  }
  const WAITING: Readonly<Record<string, Waiting>> = {
    'a transfer': {
      resource: 'fund_transfer',
      maker: 'sp.aa',
      last: 'fn.aa',
      values: async (of) => ({
        ...{ kind: 'shipment_to_shipment', from_pool_id: of.pool, to_pool_id: of.pool, amount: '100.00' },
        from_shipment_id: of.shipment,
        to_shipment_id: await money.shipment(of, of.contract, { quantity: '1' }),
      }),
      entries: [
        ['TRANSFER_OUT', '-100.00'],
        ['TRANSFER_IN', '100.00'],
      ],
    },
    'a receipt from home': {
      resource: 'domestic_receipt',
      maker: 'fn.aa',
      last: 'fn2.aa',
      values: async (of) => ({
        ...{ kind: 'topup', payer_kind: 'partner', partner_id: of.partner, amount: '200.00' },
        payer_name: '宁波断线乙C',
        ...{ value_date: '2026-11-20', bank_account_id: money.accounts.cny, bank_ref: money.key() },
      }),
      entries: [['DOM_RCV', '200.00']],
    },
    'a deposit': {
      resource: 'deposit',
      maker: 'sp.aa',
      last: 'fn.aa',
      values: async (of) => ({
        ...{ kind: 'in_agree', partner_id: of.partner, amount: '300.00', source: 'pool' },
        agreement_id: of.agreement,
      }),
      entries: [
        ['DEPOSIT_OUT', '-300.00'],
        ['DEPOSIT_IN', '300.00'],
      ],
    },
    'a charge of the bank': {
      resource: 'finance_charge',
      maker: 'tr.aa',
      last: 'fn.aa',
      values: async (of) => ({
        ...{
          charge_date: '2026-11-20',
          bank_account_id: money.accounts.cny,
          currency: 'CNY',
          amount: '40.00',
        },
        ...{
          bearer: 'partner',
          allocations: [{ pool_id: of.pool, shipment_id: of.shipment, amount: '40.00' }],
        },
      }),
      entries: [['FIN_CHARGE', '-40.00']],
    },
  };

  it.each(Object.keys(WAITING))('leaves %s whole too', STORY, async (name) => {
    const { resource, maker, last, values, entries } = WAITING[name] ?? raise(name);
    const of = await (funds ??= fundsOf());
    const id = await moves.draft(maker, resource, await values(of));
    await must(rules.act(maker, resource, id, 'submit'));
    const state = await must(rules.as(last, 'GET', `/approval/record/${resource}/${id}`));
    const task = state['task'] as { id: string; version: number };
    const before = await money.pool(of);
    let cuts = 0;
    for (let statement = 3; ; statement += 11) {
      const mend = cutBefore(statement);
      const body = { version: task.version, opinion: '同意' };
      const answer = await rules.as(last, 'POST', `/approval/${task.id}/approve`, body).finally(mend);
      if (answer.status === 200) break;
      cuts += 1;
      expect([statement, answer.status, await money.entries(id)]).toEqual([statement, 503, []]);
      expect(await money.pool(of)).toEqual(before);
    }
    expect(cuts).toBeGreaterThan(2);
    expect(await money.entries(id)).toEqual(entries);
    expect(await moves.vouchers(id)).not.toEqual([]);
  });
});

describe('a connection that dies anywhere in a settlement, a commission, a return, a month end', () => {
  interface Cut {
    readonly id: string;
    readonly run: () => Promise<{ readonly status: number }>;
    readonly entries: readonly (readonly [string, string])[];
  }

  const decided = async (who: string, resource: string, id: string): Promise<Cut['run']> => {
    const state = await must(rules.as(who, 'GET', `/approval/record/${resource}/${id}`));
    const task = state['task'] as { id: string; version: number };
    return () =>
      rules.as(who, 'POST', `/approval/${task.id}/approve`, { version: task.version, opinion: '同意' });
  };

  let known: Promise<string> | null = null;
  const scheme = (): Promise<string> =>
    (known ??= rules.given('commission_scheme', {
      ...{ name: '断线提成', person_kind: 'salesperson', base: 'profit', progressive: true },
      ...{ overdue_factor: '0.5', valid_from: '2026-01-01', status: 'active' },
      tiers: [{ from_amount: '0', rate: '10' }],
    }));

  const CUTS: Readonly<Record<string, () => Promise<Cut>>> = {
    'a settlement': async () => {
      const of = await moves.funded('宁波断线丁E', '10000.00', { rate: { min_fee: '3000.00' } });
      const shipped = `update shipment set status = 'shipped', atd = '2026-11-01' where id = $1::uuid`;
      await rules.example.services.db.query(shipped, [of.shipment]);
      const slip = {
        ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_account_id: money.accounts.usd },
        ...{ cny_account_id: money.accounts.cny, amount: '10000.00', bank_rate: '7.105000' },
        ...{ amount_cny: '71050.00', bank_ref: money.key() },
        lines: [{ source_kind: 'spot', split_id: of.split, split_line: of.splitLine, amount: '10000.00' }],
      };
      await moves.done('tr.aa', 'fx_settlement', slip, ['fn.aa']);
      const settled = { object_kind: 'shipment', shipment_id: of.shipment, settle_date: '2026-11-22' };
      const id = await moves.draft('sp.aa', 'project_settlement', settled);
      await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
      await must(rules.act('sp.aa', 'project_settlement', id, 'submit'));
      await money.approve('project_settlement', id, ['dm.aa']);
      return {
        id,
        run: await decided('fn.aa', 'project_settlement', id),
        entries: [['FEE_TRUEUP', '-2500.00']],
      };
    },
    'the approval of a commission': async () => {
      const month = { period: '202607', start_date: '2026-07-01', end_date: '2026-07-31', status: 'closed' };
      await rules.given('accounting_period', month);
      const id = await moves.draft('fn.aa', 'commission_statement', {
        ...{ period: '202607', person_id: rules.example.masters.sales, scheme_id: await scheme() },
        ...{ adjust: '800', adjust_reason: '试验' },
      });
      await must(rules.act('fn.aa', 'commission_statement', id, 'calculate'));
      await must(rules.act('fn.aa', 'commission_statement', id, 'submit'));
      await money.approve('commission_statement', id, ['fn2.aa']);
      return { id, run: await decided('gm.aa', 'commission_statement', id), entries: [] };
    },
    'the payment of a commission': async () => {
      const scope = { sales_id: rules.example.masters.sales, dept_code: 'AA' };
      const id = await rules.given('commission_statement', {
        ...{ ...scope, period: '202606', person_id: rules.example.masters.sales, scheme_id: await scheme() },
        ...{ adjust: '1200', adjust_reason: '试验', status: 'approved' },
      });
      const { version } = await rules.stored('commission_statement', id);
      const inputs = { bank_account_id: money.accounts.cny, paid_date: '2026-11-20' };
      const run = () =>
        rules.as('fn.aa', 'POST', `/data/commission_statement/${id}/actions/pay`, { version, inputs });
      return { id, run, entries: [] };
    },
    'a return': async () => {
      const of = await moves.funded('宁波断线戊F', '5000.00');
      const id = await moves.draft('sp.aa', 'remittance_return', {
        ...{ receipt_id: of.receipt, source_kind: 'pool', split_id: of.split, split_line: of.splitLine },
        ...{
          rate: '7.140000',
          reason_kind: '多汇',
          reason: '客户多汇',
          payee_name: of.buyerName,
          amount: '2000.00',
        },
        ...{ payee_account: 'DE001', payee_bank: 'DEUTSCHE BANK', swift: 'DEUTDEFF' },
      });
      const attach =
        'update remittance_return set agreement_file = array[gen_random_uuid()] where id = $1::uuid';
      await rules.example.services.db.query(attach, [id]);
      await must(rules.act('sp.aa', 'remittance_return', id, 'submit'));
      await money.approve('remittance_return', id, ['tm.aa', 'fn.aa', 'rk.aa']);
      const { version } = await rules.stored('remittance_return', id);
      const paid = { paid_date: '2026-11-21', bank_account_id: money.accounts.cny };
      const inputs = { ...paid, bank_ref: money.key(), actual_cny: '14280.00' };
      const run = () =>
        rules.as('tr.aa', 'POST', `/data/remittance_return/${id}/actions/confirm`, { version, inputs });
      return { id, run, entries: [['RETURN_REMIT', '-14280.00']] };
    },
    'a month end': async () => {
      const { given, example } = rules;
      const rows = await example.services.db.query<{ key: string; code: string }>(
        `select posting_key as key, code from account where co_code = 'AA' and posting_key in ('BANK_FC', 'REV_OTHER')`,
        [],
      );
      const codes = new Map(rows.map(({ key, code }) => [key, code]));
      const rate = { currency: 'USD', kind: 'mid', date: '2026-08-31', rate: '7.062000', source: '手工' };
      await given('currency_rate', rate);
      const month = { period: '202608', start_date: '2026-08-01', end_date: '2026-08-31', status: 'open' };
      const id = await given('accounting_period', month);
      const usd = { currency: 'USD', fc_amount: '1000.00', bank_account_id: money.accounts.usd };
      await given('finance_voucher', {
        ...{ voucher_date: '2026-08-10', event_code: 'MANUAL', status: 'generated' },
        entries: [
          { posting_key: 'BANK_FC', subject_code: codes.get('BANK_FC'), debit: '7105.00', ...usd },
          {
            posting_key: 'REV_OTHER',
            subject_code: codes.get('REV_OTHER'),
            credit: '7105.00',
            currency: 'CNY',
          },
        ],
      });
      const { version } = await rules.stored('accounting_period', id);
      const at = `/data/accounting_period/${id}/actions/revalue`;
      return { id, run: () => rules.as('fn.aa', 'POST', at, { version }), entries: [] };
    },
  };

  it.each(Object.keys(CUTS))('leaves %s whole', STORY, async (name) => {
    const { id, run, entries } = await (CUTS[name] ?? raise(name))();
    const before = [await moves.bank(money.accounts.cny), await moves.vouchers(id)];
    let cuts = 0;
    for (let statement = 4; ; statement += 17) {
      const mend = cutBefore(statement);
      const answer = await run().finally(mend);
      if (answer.status === 200) break;
      cuts += 1;
      expect([statement, answer.status, await money.entries(id)]).toEqual([statement, 503, []]);
      expect([await moves.bank(money.accounts.cny), await moves.vouchers(id)]).toEqual(before);
    }
    expect(cuts).toBeGreaterThan(1);
    expect(await money.entries(id)).toEqual(entries);
    expect(await moves.vouchers(id)).not.toEqual(before[1]);
  });
});

it('afterwards the books hold in every way that the night looks for', async () => {
  const { db } = rules.example.services;
  await checkInvariants(rules.example.services, INVARIANTS);
  const told = await db.query<{ content: string }>(
    `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
  );
  expect(told).toEqual([]);
});
