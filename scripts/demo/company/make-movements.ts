import { unlessRefused } from './unless-refused.ts';
import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import { beginSettlement } from './make-commissions.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** A partner with money in its pool, and whoever looks after it. */
interface Funded {
  readonly partner: string;
  readonly name: string;
  readonly pool: string;
  readonly agreement: string | null;
}

/** What moves, charges and settles money that is in the pools: some of each, once a company. */
export async function makeMovements(world: World, own: Pick<OwnRecords, 'accounts'>): Promise<void> {
  const funded = await fundedPartners(world);
  const tell = (done: number): void => world.onStep('资金往来', done, STEPS.length);
  for (const [place, step] of STEPS.entries()) {
    await step(world, own, funded);
    tell(place + 1);
  }
}

type Step = (world: World, own: Pick<OwnRecords, 'accounts'>, funded: readonly Funded[]) => Promise<void>;

const STEPS: readonly Step[] = [
  makeReceipts,
  makeDeposits,
  makeTransfers,
  makeCharges,
  makeScheme,
  makePlans,
  makeStatements,
  makeSettlements,
];

async function fundedPartners({ stage }: World): Promise<readonly Funded[]> {
  return stage.services.db.query<Funded & Record<string, unknown>>(
    `select p.partner_id as partner, t.name, p.id as pool, (select a.id from cooperation_agreement a
       where a.partner_id = p.partner_id and a.status in ('effective', 'expiring') and not a.is_deleted order by a.start_date desc limit 1) as agreement
     from fund_pool p join partner t on t.id = p.partner_id
     where p.co_code = $1 and p.account_kind = 'general' and p.available > 20000 and t.status = 'active' order by p.available desc limit 6`,
    [stage.company],
    'demo_funded',
  );
}

function beginLate({ stage }: World, seed: string, daysAgo: number): Story {
  return stage.begin(seed, addDays(stage.today, -daysAgo));
}

/** Money of partners that comes from home; the last one waits. */
async function makeReceipts(
  world: World,
  own: Pick<OwnRecords, 'accounts'>,
  funded: readonly Funded[],
): Promise<void> {
  for (const [place, { partner, name }] of funded.slice(0, 4).entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `domestic ${place}`, 20 - 4 * place);
      const made = await story.create('fn', 'domestic_receipt', {
        kind: 'topup',
        value_date: story.day(),
        bank_account_id: own.accounts.get('CNY'),
        bank_ref: `DR${story.roll.between(100_000_000, 999_999_999)}`,
        payer_kind: 'partner',
        payer_name: name,
        partner_id: partner,
        amount: `${story.roll.between(3, 12)}0000.00`,
      });
      await story.approve('fn', 'domestic_receipt', {
        id: String(made['id']),
        ...(place === 3 ? { levels: 0 } : {}),
      });
    });
}

/** Deposits out of the pools, one of them given back in part. */
async function makeDeposits(
  world: World,
  _own: Pick<OwnRecords, 'accounts'>,
  funded: readonly Funded[],
): Promise<void> {
  const withAgreement = funded.filter(({ agreement }) => agreement !== null).slice(0, 3);
  for (const [place, { partner, agreement }] of withAgreement.entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `deposit ${place}`, 15 - 3 * place);
      const made = await story.create('fn', 'deposit', {
        kind: 'in_agree',
        partner_id: partner,
        agreement_id: agreement,
        amount: '10000.00',
        source: 'pool',
      });
      const id = String(made['id']);
      await story.approve('fn', 'deposit', { id, ...(place === 2 ? { levels: 0 } : {}) });
      if (place !== 0) return;
      story.wait(5);
      await story.act('fn', 'deposit', { id, action: 'give_back', inputs: { move_amount: '4000.00' } });
    });
}

/** Transfers between partners with their consent, and one that waits for risk control. */
async function makeTransfers(
  world: World,
  _own: Pick<OwnRecords, 'accounts'>,
  funded: readonly Funded[],
): Promise<void> {
  for (const [place, from] of funded.slice(0, 3).entries()) {
    const to = funded[place + 1];
    if (to === undefined) continue;
    await unlessRefused(async () => {
      const story = beginLate(world, `transfer ${place}`, 12 - 3 * place);
      const consent = await story.upload('fn', '划拨同意书.pdf', demoPdf(['CONSENT TO TRANSFER']));
      const made = await story.create('fn', 'fund_transfer', {
        kind: 'pool_to_pool',
        from_pool_id: from.pool,
        to_pool_id: to.pool,
        amount: `${story.roll.between(2, 9)}000.00`,
        consent_file: [consent],
      });
      await story.approve('fn', 'fund_transfer', {
        id: String(made['id']),
        ...(place === 2 ? { levels: 1 } : {}),
      });
    });
  }
}

/** Charges of the bank: carried by the company, or spread over pools. */
async function makeCharges(
  world: World,
  own: Pick<OwnRecords, 'accounts'>,
  funded: readonly Funded[],
): Promise<void> {
  for (const [place, kind] of (['bank', 'lc', 'other'] as const).entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `charge ${place}`, 10 - 3 * place);
      const payer = funded[place];
      const isOwn = place === 0 || payer === undefined;
      const amount = `${story.roll.between(80, 600)}.00`;
      const made = await story.create('tr', 'finance_charge', {
        kind,
        charge_date: story.day(),
        bank_account_id: own.accounts.get('CNY'),
        currency: 'CNY',
        amount,
        bearer: isOwn ? 'company' : 'partner',
        ...(isOwn ? {} : { allocations: [{ pool_id: payer.pool, amount }] }),
      });
      await story.approve('tr', 'finance_charge', {
        id: String(made['id']),
        ...(place === 2 ? { levels: 0 } : {}),
      });
    });
}

async function makeScheme(world: World): Promise<void> {
  await unlessRefused(async () => {
    const story = world.stage.begin('commission', addDays(world.start, 30));
    const made = await story.create('fn', 'commission_scheme', {
      name: '业务员提成（按毛利）',
      person_kind: 'salesperson',
      base: 'profit',
      progressive: true,
      overdue_factor: '0.5',
      valid_from: story.day(),
      tiers: [
        { from_amount: '0', to_amount: '50000', rate: '10' },
        { from_amount: '50000', to_amount: '200000', rate: '15' },
        { from_amount: '200000', rate: '20' },
      ],
    });
    await story.approve('fn', 'commission_scheme', { id: String(made['id']) });
  });
}

/** The plan of last week and of this one, with what is asked for. */
async function makePlans(world: World): Promise<void> {
  const { stage } = world;
  const [department] = await stage.services.db.query<{ id: string }>(
    'select id from department where co_code = $1 and manager_id is not null and not is_deleted order by sort_no, id limit 1',
    [stage.company],
    'demo_department',
  );
  if (department === undefined) return;
  const day = new Date(`${stage.today}T00:00:00Z`).getUTCDay();
  const monday = addDays(stage.today, -((day + 6) % 7));
  for (const [place, start] of [addDays(monday, -7), monday].entries())
    await unlessRefused(async () => {
      const story = stage.begin(`plan ${place}`, addDays(start, -3));
      const requests = await stage.services.db.query<{
        id: string;
        pay_type: string;
        amount_cny: string;
        payee_name: string;
      }>(
        `select id, pay_type, amount_cny::text, payee_name from payment_request where co_code = $1 and not is_deleted
         and status in ('pending', 'approved', 'paying', 'paid') and amount_cny > 0 order by created_at desc offset $2 limit 3`,
        [stage.company, place * 3],
        'demo_planned',
      );
      const made = await story.create('tr', 'fund_plan', {
        dept_id: department.id,
        week_start: start,
        opening: '3000000.00',
        ins: [
          { kind: '收汇', expect_date: addDays(start, 2), amount: '800000.00' },
          { kind: '退税', expect_date: addDays(start, 3), amount: '120000.00' },
        ],
        outs: requests.map(({ id, pay_type, amount_cny, payee_name }) => ({
          pay_type,
          payment_request_id: id,
          payee: payee_name,
          plan_date: addDays(start, 1),
          amount: amount_cny,
        })),
      });
      await story.approve('tr', 'fund_plan', {
        id: String(made['id']),
        ...(place === 1 ? { levels: 1 } : {}),
      });
    });
}

/** How the company's bank writes its statements, and the latest one: most of it matches, a fee is not in the book. */
async function makeStatements(world: World, own: Pick<OwnRecords, 'accounts'>): Promise<void> {
  const { stage } = world;
  const account = own.accounts.get('CNY') ?? '';
  await unlessRefused(async () => {
    const story = stage.begin('statement', stage.today);
    const known = await story.read('company_bank_account', account);
    await story.create('fn', 'bank_format', {
      name: '工行网银导出',
      bank_id: known['bank_id'],
      date_title: '交易日期',
      amount_kind: 'two',
      in_title: '收入金额',
      out_title: '支出金额',
      ref_title: '流水号',
      party_title: '对方户名',
      summary_title: '摘要',
    });
    const entries = await stage.services.db.query<{ day: string; amount: string; ref: string | null }>(
      `select business_date::text as day, amount::text, bank_ref as ref from bank_entry
       where account_id = $1::uuid order by created_at desc limit 12`,
      [account],
      'demo_entries',
    );
    const rows = entries
      .toReversed()
      .map(({ day, amount, ref }) =>
        amount.startsWith('-')
          ? `${day},,${amount.slice(1)},${ref ?? ''},,`
          : `${day},${amount},,${ref ?? ''},,`,
      );
    const text = [
      '交易日期,收入金额,支出金额,流水号,对方户名,摘要',
      ...rows,
      `${stage.today},,35.00,F0001,,账户管理费`,
    ];
    const file = await story.upload('tr', '工行对账单.csv', Buffer.from(text.join('\n')));
    await story.create('tr', 'bank_statement', { account_id: account, file: [file] });
  });
}

/** Settlements of shipments whose money is all there: calculated, or at one of their levels. */
async function makeSettlements(world: World): Promise<void> {
  const { stage } = world;
  const rows = await stage.services.db.query<{ id: string; owner: string }>(
    `select s.id, split_part(o.personid, '.', 1) as owner from shipment s join person o on o.id = s.sales_id where s.co_code = $1 and s.status = 'shipped' and s.recv_progress in ('full', 'over')
       and s.business_type = 'agency' and s.risk_bearer = 'partner' and not s.is_deleted order by s.shipment_no limit 12`,
    [stage.company],
    'demo_settled',
  );
  let done = 0;
  for (const [place, { id, owner }] of rows.entries()) {
    if (done >= 5) return;
    await unlessRefused(async () => {
      const story = stage.begin(`settlement ${place}`, addDays(stage.today, -4));
      const settlement = await beginSettlement(story, owner, id);
      done += 1;
      // None is approved: what is settled takes no papers and no money any more, and later chapters go on with it.
      if (done === 1) return;
      await story.approve(owner, 'project_settlement', {
        id: settlement,
        levels: done % 2,
      });
    });
  }
}
