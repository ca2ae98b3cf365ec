import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { DemoShipment } from './make-shipments.ts';
import type { Stage } from './stage.ts';
import type { Story } from './story.ts';

/** Lines are of a year; loans are made in it. */
const LINE_AGE = 300;
const LINE_DAYS = 360;

const LINES = {
  financing: ['1800000.00', '出运前后融资，缩短回款周期', '欧美买家，T/T 后 30 至 60 天'],
  rebate: ['900000.00', '退税到账前先行垫付，缓解资金占用', '以应退税款还款'],
  advance: ['1500000.00', '旺季备货，需代垫工厂货款', '工厂为长期合作供应商'],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>;

/** How far a loan gets. */
export type LoanFate = 'draft' | 'waiting' | 'rejected' | 'approved' | 'drawn';

export interface Wanted {
  readonly seed: string;
  readonly partner: string;
  /** Who looks after the partner. */
  readonly owner: string;
  readonly line: keyof typeof LINES;
  readonly day: string;
  /** What is not given here the program works out itself: base, ratio, amount, rates. */
  readonly values: OpenRecord;
  readonly fate?: LoanFate;
  /** From where a supplier is paid at once. */
  readonly account?: string | undefined;
}

/** A loan by the people who do it: asked for, judged, drawn by the treasury. */
export async function lend(
  stage: Stage,
  wanted: Wanted,
): Promise<{ readonly id: string; readonly story: Story }> {
  const { owner, partner, fate = 'drawn', account } = wanted;
  const line = await lineOf(stage, wanted);
  const story = stage.begin(`loan ${wanted.seed}`, wanted.day);
  const made = await story.create(owner, 'financing', {
    business_type: 'agency',
    partner_id: partner,
    credit_line_id: line,
    ...wanted.values,
  });
  const id = String(made['id']);
  if (fate === 'draft') return { id, story };
  await story.approve(owner, 'financing', {
    id,
    ...(fate === 'waiting' ? { levels: 1 } : {}),
    ...(fate === 'rejected' ? { rejection: '合同尾款比例偏高，请补充买家资信后再报' } : {}),
  });
  if (fate !== 'drawn') return { id, story };
  const papers = await story.upload('tr', '融资协议.pdf', demoPdf(['FINANCING AGREEMENT']));
  await story.update('tr', 'financing', id, { attachments: [papers] });
  const inputs = account === undefined ? {} : { bank_account_id: account };
  await story.act('tr', 'financing', { id, action: 'draw', inputs });
  return { id, story };
}

/** A loan on a shipment that has left, before its buyer pays: what comes repays it. */
export async function lendOn(stage: Stage, seed: string, { id, contract, day }: DemoShipment): Promise<void> {
  const { partner, owner } = contract.buyer;
  const start = addDays(day, 2);
  if (partner === null || start > stage.today || start < addDays(stage.today, -LINE_AGE + 1)) return;
  const shipment = await stage.begin(`loan of ${seed}`, start).read('shipment', id);
  const due = addDays(String(shipment['receipt_due_date']).slice(0, 10), 14);
  if (shipment['status'] !== 'shipped' || due <= start) return;
  await lend(stage, {
    seed,
    partner: partner.id,
    owner,
    line: 'financing',
    day: start,
    values: {
      financing_type: 'shipment',
      shipment_id: id,
      due_date: due,
      purpose: '支付工厂货款，缩短回款周期',
    },
  });
}

const KNOWN = new WeakMap<Stage, Map<string, Promise<string>>>();

/** The line of the partner for that purpose: the one that is there, else a new one that is asked for and granted. */
function lineOf(stage: Stage, wanted: Wanted): Promise<string> {
  const lines = KNOWN.get(stage) ?? new Map<string, Promise<string>>();
  KNOWN.set(stage, lines);
  const key = `${wanted.partner} ${wanted.line}`;
  const line = lines.get(key) ?? knownLine(stage, wanted).then((known) => known ?? grant(stage, wanted));
  lines.set(key, line);
  return line;
}

async function knownLine(stage: Stage, { partner, line }: Wanted): Promise<string | null> {
  const [known] = await stage.services.db.query<{ id: string }>(
    `select id from credit_line where partner_id = $1::uuid and purpose = $2 and status = 'active'`,
    [partner, line],
    'demo_loan_line',
  );
  return known?.id ?? null;
}

async function grant(stage: Stage, wanted: Wanted): Promise<string> {
  const { partner, owner, line } = wanted;
  const start = addDays(stage.today, -LINE_AGE);
  const story = stage.begin(`loan line ${line} ${partner}`, start);
  const [amount, reason, buyers] = LINES[line];
  const asked = await story.create(owner, 'credit_line_application', {
    partner_id: partner,
    purpose: line,
    apply_kind: 'new',
    apply_amount: amount,
    valid_from: start,
    valid_to: addDays(start, LINE_DAYS),
    guarantee_kind: '信用',
    this_year_plan: '12000000.00',
    main_buyers: buyers,
    reason,
    financials: [await story.upload(owner, '财务报表.pdf', demoPdf(['FINANCIAL STATEMENTS']))],
  });
  await story.approve(owner, 'credit_line_application', {
    id: String(asked['id']),
    fields: { score: story.roll.between(72, 90), approved_amount: amount, conditions: '按月报送应收账款' },
  });
  return (await knownLine(stage, wanted)) ?? '';
}
