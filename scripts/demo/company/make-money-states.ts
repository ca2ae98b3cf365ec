import { addDays } from '#engine/values/dates.ts';
import { addDecimals, sumDecimals } from '#engine/values/decimal.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { beginSettlement } from './make-commissions.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** Where a document of the demo stops. */
interface End {
  /** So many levels of its approval are decided: none is a draft, `all` goes through. Default: all. */
  readonly levels?: number | 'none';
  readonly rejection?: string;
  /** What somebody does with it afterwards. */
  readonly then?: readonly {
    readonly by: Actor;
    readonly action: string;
    readonly opinion?: string;
    readonly inputs?: OpenRecord;
    /** It is approved before it counts. */
    readonly isApproved?: true;
  }[];
}

const REJECTED: End = { rejection: '金额与附件不符，请核对后重新提交' };
const DRAFT: End = { levels: 'none' };

interface Kind {
  readonly resource: string;
  readonly by: Actor;
  readonly daysAgo: number;
  readonly ends: readonly End[];
  readonly values: (story: Story, place: number) => Promise<OpenRecord | null>;
}

/** What moves money around the ledger stands in every state that it knows: some of each, once a company. */
export async function makeMoneyStates(
  world: World,
  { accounts }: Pick<OwnRecords, 'accounts'>,
): Promise<void> {
  const kinds = [
    ...(await poolKinds(world, accounts)),
    returnKind(world, accounts),
    schemeKind(),
    ...(await planKinds(world)),
  ];
  for (const [place, kind] of kinds.entries()) {
    for (const [at, end] of kind.ends.entries())
      await unlessRefused(() => bring(world, kind, { end, place: at }));
    world.onStep('资金单据的各种状态', place + 1, kinds.length);
  }
  await unlessRefused(() => undoSettlement(world));
  await unlessRefused(() => passVouchersOn(world));
  await unlessRefused(() => confirmStatement(world, accounts));
}

async function bring(
  { stage }: World,
  kind: Kind,
  { end, place }: { readonly end: End; readonly place: number },
): Promise<void> {
  const { resource, by } = kind;
  const story = stage.begin(`state ${resource} ${place}`, addDays(stage.today, -kind.daysAgo));
  const values = await kind.values(story, place);
  if (values === null) return;
  const id = String((await story.create(by, resource, values))['id']);
  if (end.levels === 'none' && end.then === undefined) return;
  if (end.levels !== 'none')
    await story.approve(by, resource, {
      id,
      ...(end.levels === undefined ? {} : { levels: end.levels }),
      ...(end.rejection === undefined ? {} : { rejection: end.rejection }),
    });
  for (const { by: actor, isApproved, ...step } of end.then ?? [])
    await (isApproved === true
      ? story.approve(actor, resource, { id, ...step })
      : story.act(actor, resource, { id, ...step }));
}

interface Pool extends Record<string, unknown> {
  readonly id: string;
  readonly partner: string;
  readonly name: string;
  readonly agreement: string | null;
}

/** Receipts, transfers, deposits of partners who have money, and charges of the company's own. */
async function poolKinds({ stage }: World, accounts: OwnRecords['accounts']): Promise<readonly Kind[]> {
  const pools = await stage.services.db.query<Pool>(
    `select p.id, p.partner_id as partner, t.name, (select a.id from cooperation_agreement a where a.partner_id = p.partner_id
         and a.status in ('effective', 'expiring') and not a.is_deleted order by a.start_date desc limit 1) as agreement
     from fund_pool p join partner t on t.id = p.partner_id where p.co_code = $1 and p.account_kind = 'general'
       and p.available > 5000 and t.status = 'active' order by p.available desc limit 6`,
    [stage.company],
    'demo_pools',
  );
  const [first, second = first] = pools;
  const bound = pools.find(({ agreement }) => agreement !== null);
  if (first === undefined || second === undefined || bound === undefined) return [];
  const bank_account_id = accounts.get('CNY');
  return [
    {
      ...{ resource: 'domestic_receipt', by: 'fn', daysAgo: 3, ends: [DRAFT, REJECTED] },
      values: async (story) => ({
        ...{ kind: 'topup', payer_kind: 'partner', partner_id: first.partner, payer_name: first.name },
        ...{ bank_account_id, value_date: story.day(), amount: `${story.roll.between(2, 9)}000.00` },
        bank_ref: `DR${story.roll.between(100_000_000, 999_999_999)}`,
      }),
    },
    {
      ...{ resource: 'fund_transfer', by: 'fn', daysAgo: 4 },
      ends: [
        DRAFT,
        REJECTED,
        {
          then: [
            { by: 'fn', action: 'push' },
            { by: 'fn', action: 'fail', inputs: { push_msg: '总账接口超时' } },
          ],
        },
        { then: [{ by: 'tm', action: 'reverse', opinion: '划入方选错' }] },
      ],
      values: async (story) => ({
        ...{ kind: 'pool_to_pool', from_pool_id: first.id, to_pool_id: second.id, amount: '800.00' },
        consent_file: [await story.upload('fn', '划拨同意书.pdf', demoPdf(['CONSENT TO TRANSFER']))],
      }),
    },
    {
      ...{ resource: 'deposit', by: 'fn', daysAgo: 6 },
      ends: [
        DRAFT,
        REJECTED,
        { then: [{ by: 'fn', action: 'give_back', inputs: { move_amount: '1500.00' } }] },
        {
          then: [
            {
              ...{ by: 'rk', action: 'forfeit', isApproved: true },
              inputs: { move_amount: '1500.00', reason: '违反协议约定转卖额度' },
            },
          ],
        },
      ],
      values: async (story) => ({
        ...{ kind: 'in_agree', partner_id: bound.partner, agreement_id: bound.agreement },
        ...{ source: 'pool', amount: '1500.00' },
        evidence: [await story.upload('fn', '协议保证金条款.pdf', demoPdf(['DEPOSIT CLAUSE']))],
      }),
    },
    {
      ...{ resource: 'finance_charge', by: 'tr', daysAgo: 2, ends: [DRAFT, REJECTED] },
      values: async (story) => ({
        ...{ kind: 'bank', charge_date: story.day(), bank_account_id, currency: 'CNY', bearer: 'company' },
        amount: `${story.roll.between(20, 90)}.00`,
      }),
    },
  ];
}

/** Money that buyers sent by mistake, at every step of its way back. */
function returnKind({ stage }: World, accounts: OwnRecords['accounts']): Kind {
  return {
    ...{ resource: 'remittance_return', by: 'fn', daysAgo: 5 },
    ends: [
      DRAFT,
      REJECTED,
      { levels: 0 },
      {},
      { then: [{ by: 'tr', action: 'fail', inputs: { fail_reason: '收款行退回：账号与户名不符' } }] },
      { levels: 'none', then: [{ by: 'fn', action: 'void', opinion: '客户同意转作预收' }] },
    ],
    values: async (story, place) => {
      const [known] = await stage.services.db.query<{ country: string }>(
        'select payer_country_id as country from receipt where co_code = $1 and payer_country_id is not null limit 1',
        [stage.company],
        'demo_payer',
      );
      const payer = 'NORDLAND HANDELS GMBH';
      const amount = `${200 + 10 * place}.00`;
      const receipt = await story.create('fn', 'receipt', {
        ...{ bank_account_id: accounts.get('USD'), currency: 'USD', value_date: story.day() },
        ...{ gross_amount: amount, payer_name: payer, payer_country_id: known?.country },
        bank_ref: `NL${story.roll.between(100_000_000, 999_999_999)}`,
      });
      return {
        ...{ receipt_id: receipt['id'], source_kind: 'unsplit', amount, payee_name: payer },
        ...{ reason_kind: '误汇', reason: '客户将款项误汇至我司' },
        ...{ payee_account: 'DE02120300000000202051', payee_bank: 'DKB BERLIN', swift: 'BYLADEM1001' },
        agreement_file: [await story.upload('fn', '退款说明.pdf', demoPdf(['REQUEST FOR RETURN OF FUNDS']))],
      };
    },
  };
}

/** Schemes of others than the salespeople. */
function schemeKind(): Kind {
  const posts = ['documents', 'service', 'documents', 'service'] as const;
  return {
    ...{ resource: 'commission_scheme', by: 'fn', daysAgo: 9 },
    ends: [DRAFT, REJECTED, { levels: 0 }, { then: [{ by: 'gm', action: 'disable' }] }],
    values: async (story, place) => ({
      ...{
        name: `${place % 2 === 0 ? '单证' : '客服'}按票提成（方案${place + 1}）`,
        person_kind: posts[place],
      },
      ...{ base: 'shipments', progressive: false, overdue_factor: '1', valid_from: story.day() },
      tiers: [{ from_amount: '0', rate: '1' }],
    }),
  };
}

/** Plans of a department that pays little: of this week, under way, and of the weeks to come. */
async function planKinds({ stage }: World): Promise<readonly Kind[]> {
  const [department] = await stage.services.db.query<{ id: string }>(
    `select id from department where co_code = $1 and status = 'active' and not is_deleted order by sort_no desc, id desc limit 1`,
    [stage.company],
    'demo_last_department',
  );
  if (department === undefined) return [];
  const weekday = new Date(`${stage.today}T00:00:00Z`).getUTCDay();
  const monday = addDays(stage.today, -((weekday + 6) % 7));
  return [
    {
      ...{ resource: 'fund_plan', by: 'tr', daysAgo: 1, ends: [{}, {}, REJECTED, DRAFT] },
      values: async (_story, place) => {
        const week_start = addDays(monday, 7 * place);
        return {
          ...{ dept_id: department.id, week_start, opening: '3000000.00' },
          ins: [{ kind: '收汇', expect_date: addDays(week_start, 2), amount: '650000.00' }],
          outs: [{ pay_type: 'freight', plan_date: addDays(week_start, 3), amount: '42000.00' }],
        };
      },
    },
  ];
}

/** A settlement that turned out wrong is undone; its shipment waits for the next one. */
async function undoSettlement({ stage }: World): Promise<void> {
  const rows = await stage.services.db.query<{ id: string; owner: string }>(
    `select s.id, split_part(o.personid, '.', 1) as owner from shipment s join person o on o.id = s.sales_id
     where s.co_code = $1 and s.status = 'shipped' and s.recv_progress in ('full', 'over') and s.business_type = 'agency'
       and s.export_mode = 'entrusted' and not s.is_deleted and not exists (select 1 from project_settlement x where x.shipment_id = s.id
         and not x.is_deleted) order by s.shipment_no desc limit 8`,
    [stage.company],
    'demo_undone',
  );
  let isDone = false;
  for (const [place, { id, owner }] of rows.entries())
    if (!isDone)
      await unlessRefused(async () => {
        const story = stage.begin(`undone ${place}`, addDays(stage.today, -3));
        const settlement = await beginSettlement(story, owner, id);
        await story.approve(owner, 'project_settlement', { id: settlement });
        const step = { id: settlement, action: 'reverse', opinion: '运费漏记，重新结算' };
        await story.approve('fn', 'project_settlement', step);
        isDone = true;
      });
}

/** Vouchers of the last days on their way to the ledger of the accountants, and one that is written by hand. */
async function passVouchersOn({ stage }: World): Promise<void> {
  const story = stage.begin('vouchers', addDays(stage.today, -1));
  const format = await story.create('fn', 'voucher_format', {
    ...{ name: '用友T3凭证导入', day_form: 'dash', separator: 'comma' },
    columns: [
      { title: '日期', source: 'voucher_date' },
      { title: '凭证号', source: 'voucher_no' },
      { title: '摘要', source: 'summary' },
      { title: '科目', source: 'subject_code' },
      { title: '借方', source: 'debit' },
      { title: '贷方', source: 'credit' },
    ],
  });
  const [period] = await stage.services.db.query<{ id: string }>(
    `select id from accounting_period where co_code = $1 and end_date < $2::date order by end_date desc limit 1`,
    [stage.company, stage.today],
    'demo_exported',
  );
  const exported = { period_id: period?.id, format_id: format['id'], only_new: false };
  const made = await story.create('fn', 'voucher_export', exported);
  await story.act('fn', 'voucher_export', { id: String(made['id']), action: 'write' });
  await story.create('fn', 'voucher_export', { ...exported, only_new: true });
  const vouchers = await stage.services.db.query<{ id: string }>(
    `select id from finance_voucher where co_code = $1 and status = 'generated' and not is_deleted
       and voucher_date >= date_trunc('month', $2::date) order by voucher_date desc, voucher_no desc limit 3`,
    [stage.company, stage.today],
    'demo_passed_on',
  );
  for (const [place, { id }] of vouchers.entries()) {
    await story.act('fn', 'finance_voucher', { id, action: 'push' });
    if (place === 1)
      await story.act('fn', 'finance_voucher', { id, action: 'post', inputs: { ext_no: '记-0117' } });
    if (place === 2)
      await story.act('fn', 'finance_voucher', {
        id,
        action: 'fail',
        inputs: { push_msg: '科目在总账中不存在' },
      });
  }
  const rent = { currency: 'CNY', subject_name: '办公室租金' };
  await story.create('fn', 'finance_voucher', {
    ...{ voucher_date: story.day(), event_code: 'MANUAL', summary: '计提本月办公室租金' },
    entries: [
      { ...rent, subject_code: '660201', debit: '18000.00' },
      { ...rent, subject_code: '224109', credit: '18000.00' },
    ],
  });
}

/** The bank's own statement of the dollars, in MT940: all of it is in the book. */
async function confirmStatement({ stage }: World, accounts: OwnRecords['accounts']): Promise<void> {
  const account = accounts.get('USD') ?? '';
  const story = stage.begin('mt940', stage.today);
  const { account_no } = await story.read('company_bank_account', account);
  const entries = await stage.services.db.query<{
    day: string;
    mark: string;
    amount: string;
    ref: string;
    before: string;
    signed: string;
  }>(
    `select to_char(business_date, 'YYMMDD') as day, case when amount < 0 then 'D' else 'C' end as mark, abs(amount)::text as amount,
       coalesce(bank_ref, 'NONREF') as ref, (balance_after - amount)::text as before, amount::text as signed from bank_entry
     where account_id = $1::uuid and business_date = (select max(business_date) from bank_entry where account_id = $1::uuid)
     order by created_at, entry_no`,
    [account],
    'demo_last_day',
  );
  const [first] = entries;
  if (first === undefined) return;
  const lines = entries.map(
    ({ day, mark, amount, ref }) => `:61:${day}${day.slice(2)}${mark}${comma(amount)}NTRF${ref}`,
  );
  const closing = addDecimals(first.before, sumDecimals(entries.map((entry) => entry.signed)));
  const text = [
    ...['{4:', `:20:ST${first.day}`, `:25:BKCHCNBJ/${String(account_no)}`, ':28C:1/1'],
    ...[
      `:60F:C${first.day}USD${comma(first.before)}`,
      ...lines,
      `:62F:C${first.day}USD${comma(closing)}`,
      '-}',
    ],
  ];
  const file = await story.upload('tr', '美元账户对账单.sta', Buffer.from(text.join('\r\n')));
  const made = await story.create('tr', 'bank_statement', { account_id: account, file: [file] });
  await story.act('tr', 'bank_statement', { id: String(made['id']), action: 'confirm' });
}

/** An amount as MT940 writes it. */
function comma(amount: string): string {
  return amount.replace('.', ',');
}
