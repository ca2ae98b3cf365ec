import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { lend, type LoanFate, type Wanted } from './lend.ts';
import type { OwnRecords } from './make-own-records.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

type Made = Awaited<ReturnType<typeof lend>>;

interface Plan {
  /** Days ago. */
  readonly age: number;
  /** Days from today; before today it is overdue, as far as the pool does not pay it. */
  readonly due: number;
  readonly fate?: LoanFate;
  readonly then?: (loan: Made, world: World) => Promise<void>;
  readonly values?: OpenRecord;
}

/** What is asked for on each kind of base. */
const ON_CONTRACTS: readonly Plan[] = [
  { age: 24, due: 65 },
  { age: 3, due: 80, fate: 'waiting' },
  { age: 9, due: 70, fate: 'rejected' },
  { age: 6, due: 75, fate: 'approved', then: confirm },
  { age: 14, due: 60, fate: 'approved', then: giveUp },
  { age: 1, due: 85, fate: 'draft' },
];
const ON_CREDITS: readonly Plan[] = [
  { age: 20, due: 40 },
  { age: 4, due: 50, fate: 'waiting' },
];
const ON_PURCHASES: readonly Plan[] = [
  { age: 75, due: -9 },
  { age: 58, due: 4, then: extend },
  { age: 40, due: 11, then: repayPart },
  { age: 12, due: 48 },
  { age: 2, due: 58, fate: 'waiting' },
];

interface Base {
  readonly [column: string]: string;
  readonly id: string;
  readonly partner: string;
  readonly owner: string;
}

/**
 * Loans that are under way at the end of the demo: on orders, letters of credit, purchases and insured shipments, in
 * every state. Those on shipments and refunds are made before the money comes that repays them (`lendOn`).
 */
export async function makeLoans(world: World, own: Pick<OwnRecords, 'accounts'>): Promise<void> {
  const { stage } = world;
  if (!stage.has('tr') || !stage.has('rk')) return;
  const account = own.accounts.get('CNY');
  await onEach(world, {
    kind: 'order',
    line: 'financing',
    plans: ON_CONTRACTS,
    sql: ORDERS,
    of: orderValues,
  });
  // The first log-in is asked whether it agrees to the terms.
  const asked: readonly Plan[] = [{ age: 3, due: 60, fate: 'approved' }];
  await onEach(world, { kind: 'order', line: 'financing', plans: asked, sql: OWN_ORDERS, of: orderValues });
  await onEach(world, {
    kind: 'packing',
    line: 'financing',
    plans: ON_CREDITS,
    sql: CREDITS,
    of: creditValues,
  });
  await onEach(world, { kind: 'sinosure', line: 'financing', plans: [{ age: 6, due: 2 }], sql: INSURED, of: insuredValues }); // prettier-ignore
  await onEach(world, { kind: 'advance', line: 'advance', plans: ON_PURCHASES, sql: PURCHASES, of: purchaseValues, account }); // prettier-ignore
  await unlessRefused(() => takeBack(world));
}

const OWNED = `join partner p on p.id = x.partner_id and p.status = 'active' join person o on o.id = p.sales_id
  and exists (select 1 from partner_rate r where r.partner_id = p.id and r.status = 'active')
  where x.co_code = $1 and not x.is_deleted`;
/** What the first log-in is owed is nobody's but its own: see `isLentOn`. */
const isOfLogin = 'exists (select 1 from partner__accounts a where a.parent_id = p.id and a.mobile = $2)';
const OTHERS = `${OWNED} and not ${isOfLogin}`;
const COLUMNS = `x.id, x.partner_id as partner, split_part(o.personid, '.', 1) as owner`;
const ORDERS = `select ${COLUMNS} from export_contract x ${OTHERS} and x.status in ('signed', 'executing')
  and x.business_type = 'agency' and x.total_amount > 8000 order by x.sign_date desc, x.id limit 6`;
const OWN_ORDERS = `select ${COLUMNS} from export_contract x ${OWNED} and ${isOfLogin} and x.status in ('signed', 'executing')
  and x.business_type = 'agency' and x.total_amount > 5000 order by x.sign_date desc, x.id limit 1`;
const CREDITS = `select ${COLUMNS}, x.contract_id as contract from letter_of_credit x join export_contract c on c.id = x.contract_id
  and c.status in ('approved', 'signed', 'executing') ${OTHERS}
  and x.status in ('examined', 'shipped') and x.left_amount > 1000 order by x.created_at desc limit 2`;
const INSURED = `select ${COLUMNS} from shipment x join insurance_application i on i.id = x.insurance_id and i.status = 'underwritten'
  ${OTHERS} and x.status = 'shipped' and x.unreceived > 0 and coalesce(x.financed, 0) = 0 and x.receipt_due_date > current_date - 10 limit 2`;
// The one whose partner has least in hand comes first: its loan is not paid when it falls due.
const PURCHASES = `select ${COLUMNS}, x.unpaid_amount::text as unpaid from purchase_contract x
  left join fund_pool f on f.partner_id = x.partner_id and f.pool_type = 'partner' and f.account_kind = 'general' and f.currency = 'CNY'
  ${OTHERS} and x.status in ('signed', 'executing') and x.unpaid_amount > 30000
  order by coalesce(f.available, 0) - x.unpaid_amount, x.id limit 5`;

const orderValues = ({ id }: Base): OpenRecord => ({ contract_id: id, purpose: '订单备料及生产周转' });
const creditValues = ({ id, contract }: Base): OpenRecord => ({
  lc_id: id,
  contract_id: contract,
  purpose: '信用证项下备货打包',
});
const insuredValues = ({ id }: Base): OpenRecord => ({ shipment_id: id, purpose: '信保项下应收账款周转' });
const purchaseValues = ({ id, unpaid = '0' }: Base): OpenRecord => ({
  purchase_contract_id: id,
  payee_kind: 'supplier',
  amount: (Number(unpaid) * 0.8).toFixed(2),
  purpose: '代垫工厂货款',
});

interface Kind {
  readonly kind: string;
  readonly line: Wanted['line'];
  readonly plans: readonly Plan[];
  readonly sql: string;
  readonly of: (base: Base) => OpenRecord;
  readonly account?: string | undefined;
}

async function onEach(world: World, { kind, line, plans, sql, of, account }: Kind): Promise<void> {
  const { stage } = world;
  const bases = await stage.services.db.query<Base>(
    sql,
    [stage.company, world.scale.partnerMobiles[0] ?? ''],
    `demo_loans_${kind}${plans.length}`,
  );
  for (const [place, base] of bases.entries()) {
    const plan = plans[place];
    if (plan === undefined) return;
    await unlessRefused(async () => {
      const loan = await lend(stage, {
        seed: `${kind} ${place}`,
        partner: base.partner,
        owner: base.owner,
        line,
        day: addDays(stage.today, -plan.age),
        ...(plan.fate === undefined ? {} : { fate: plan.fate }),
        account,
        values: {
          financing_type: kind,
          due_date: addDays(stage.today, plan.due),
          ...of(base),
          ...plan.values,
        },
      });
      await plan.then?.(loan, world);
    });
  }
}

/** The partner looks at the terms and says yes. */
async function confirm({ id, story }: Made, { stage }: World): Promise<void> {
  const { partner_id } = await story.read('financing', id);
  const actor = await stage.asPartner(String(partner_id));
  await story.act(actor, 'financing', { id, action: 'confirm_draw' });
}

async function giveUp({ id, story }: Made): Promise<void> {
  story.wait(4);
  await story.act('gm', 'financing', { id, action: 'void', opinion: '委托方改用自有资金，不再放款' });
}

async function extend({ id, story }: Made, { stage }: World): Promise<void> {
  story.wait(50);
  await story.approve('sp', 'financing', {
    id,
    action: 'extend',
    inputs: { new_due_date: addDays(stage.today, 34), reason: '工厂交期推迟，买家相应延期付款' },
  });
}

async function repayPart({ id, story }: Made): Promise<void> {
  story.wait(18);
  await story.act('tr', 'financing', {
    id,
    action: 'repay',
    inputs: { repay_amount: '30000.00', repay_date: story.day() },
  });
}

/** What was split onto the wrong shipment is taken back, and with it the repayment. */
async function takeBack({ stage }: World): Promise<void> {
  const [split] = await stage.services.db.query<{ id: string }>(
    `select s.id from receipt_split s where s.co_code = $1 and s.status = 'posted'
       and exists (select 1 from financing__repayments r where r.split_id = s.id)
       and not exists (select 1 from fx_settlement__lines l where l.split_id = s.id)
       and not exists (select 1 from fx_holding h where h.split_id = s.id)
     order by s.split_date desc limit 1`,
    [stage.company],
    'demo_loans_back',
  );
  if (split === undefined) return;
  const story = stage.begin('loan taken back', addDays(stage.today, -2));
  await story.approve('fn', 'receipt_split', {
    id: split.id,
    action: 'reverse',
    opinion: '分割到错误的明细单，冲销后重分',
  });
}
