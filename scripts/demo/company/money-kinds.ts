import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** Where a document of the demo stops. */
export interface End {
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

/** A kind of document, what is in it and where each of them stops. */
export interface Kind {
  readonly resource: string;
  readonly by: Actor;
  readonly daysAgo: number;
  readonly ends: readonly End[];
  readonly values: (story: Story, place: number) => Promise<OpenRecord | null>;
}

/** The kinds of which some stand in every state. */
export async function moneyKinds(world: World, accounts: OwnRecords['accounts']): Promise<readonly Kind[]> {
  return [
    ...(await poolKinds(world, accounts)),
    returnKind(world, accounts),
    schemeKind(),
    ...(await planKinds(world)),
  ];
}

const REJECTED: End = { rejection: '金额与附件不符，请核对后重新提交' };
const DRAFT: End = { levels: 'none' };

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
