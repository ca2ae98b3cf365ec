import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import type { Stage } from './stage.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** How far a loan gets, in turn. */
const FATES = ['drawn', 'waiting', 'partly repaid'] as const;
const MOST = 3;
/** USD; what a line of 990,000.00 bears. */
const MOST_LENT = 100_000;

interface Due {
  readonly [column: string]: string;
  readonly id: string;
  readonly partner: string;
  readonly owner: string;
  readonly sailed: string;
  readonly due: string;
  readonly total: string;
}

/** Loans on shipments at sea whose money is still to come: drawn, waiting for risk control, repaid in part. */
export async function makeLoans(world: World): Promise<void> {
  const { stage } = world;
  if (!stage.has('tr') || !stage.has('rk')) return;
  const rows = await stage.services.db.query<Due>(
    `select distinct on (s.partner_id) s.id, s.partner_id as partner, split_part(o.personid, '.', 1) as owner, s.atd::text as sailed, s.receipt_due_date::text as due, s.total_amount::text as total
     from shipment s join partner p on p.id = s.partner_id and p.status = 'active' join person o on o.id = p.sales_id
     where s.co_code = $1 and s.status = 'shipped' and s.business_type = 'agency' and s.recv_progress = 'none' and s.currency = 'USD'
       and s.receipt_due_date > $2::date and not exists (select 1 from financing f where f.partner_id = s.partner_id)
       and exists (select 1 from partner_rate r where r.partner_id = p.id and r.status = 'active' and r.valid_to is null)
     order by s.partner_id, s.atd limit ${MOST}`,
    [stage.company, stage.today],
    'demo_loans',
  );
  for (const [place, due] of rows.entries())
    await unlessRefused(() => borrow(stage, due, FATES[place % FATES.length] ?? 'drawn'));
}

async function borrow(stage: Stage, due: Due, fate: (typeof FATES)[number]): Promise<void> {
  const { owner } = due;
  const start = addDays(due.sailed, 5) > stage.today ? stage.today : addDays(due.sailed, 5);
  const line = await financingLine(stage, due, start);
  const story = stage.begin(`loan ${due.id}`, start);
  const made = await story.create(owner, 'financing', {
    business_type: 'agency',
    partner_id: due.partner,
    financing_type: 'shipment',
    credit_line_id: line,
    shipment_id: due.id,
    ratio: '60',
    amount: Math.min(Number(due.total) * 0.6, MOST_LENT).toFixed(2),
    daily_rate: '0.025',
    due_date: addDays(due.due, 10),
    purpose: '支付工厂货款',
    repay_source: '本票收汇',
  });
  const id = String(made['id']);
  await story.approve(owner, 'financing', { id, ...(fate === 'waiting' ? { levels: 0 } : {}) });
  if (fate === 'waiting') return;
  const papers = await story.upload('tr', '融资协议.pdf', demoPdf(['FINANCING AGREEMENT']));
  await story.update('tr', 'financing', id, { attachments: [papers] });
  await story.act('tr', 'financing', { id, action: 'draw' });
  if (fate === 'drawn') return;
  story.wait(20);
  await story.act('tr', 'financing', {
    id,
    action: 'repay',
    inputs: { repay_amount: '20000.00', repay_date: story.day() },
  });
}

/** A line of the partner for loans, asked for and granted. */
async function financingLine(stage: Stage, { partner, owner }: Due, start: string): Promise<string> {
  const story = stage.begin(`loan line ${partner}`, start);
  const asked = await story.create(owner, 'credit_line_application', {
    partner_id: partner,
    purpose: 'financing',
    apply_kind: 'new',
    apply_amount: '990000.00',
    valid_from: start,
    valid_to: addDays(start, 360),
    guarantee_kind: '信用',
    this_year_plan: '2000000.00',
    main_buyers: '欧美买家，T/T 后 60 天',
    reason: '出运后融资，缩短回款周期',
  });
  await story.approve(owner, 'credit_line_application', {
    id: String(asked['id']),
    fields: { score: 80, approved_amount: '990000.00', conditions: '按月报送应收账款' },
  });
  const [line] = await stage.services.db.query<{ id: string }>(
    `select id from credit_line where application_id = $1::uuid`,
    [asked['id']],
    'demo_loan_line',
  );
  return line?.id ?? '';
}
