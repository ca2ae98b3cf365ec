import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** The terms on which a buyer's limit has to stand. */
export interface WantedLimit {
  readonly buyer: string;
  readonly term: string;
  readonly days: number;
  /** USD. */
  readonly amount: number;
}

const CAUSES = [
  { cause: 'default', base: 'due', notice_days: 60, working_days: false, cover_ratio: '90' },
  { cause: 'insolvency', base: 'known', notice_days: 10, working_days: true, cover_ratio: '90' },
  { cause: 'rejection', base: 'known', notice_days: 10, working_days: true, cover_ratio: '80' },
  { cause: 'political', base: 'known', notice_days: 10, working_days: true, cover_ratio: '90' },
  { cause: 'lc', base: 'known', notice_days: 15, working_days: true, cover_ratio: '90' },
] as const;

/** The company's policy of credit insurance: the one that is there, else a new one that is approved. */
export async function policyOf({ stage, start }: World): Promise<string> {
  const [known] = await stage.services.db.query<{ id: string }>(
    `select id from insurance_policy where co_code = $1 and status = 'approved' order by created_at limit 1`,
    [stage.company],
    'demo_policy',
  );
  if (known !== undefined) return known.id;
  const story = stage.begin('policy', start);
  const made = await story.create('rk', 'insurance_policy', {
    policy_no: `SCH${stage.company}${start.slice(0, 4)}0016`,
    insurer: '中国出口信用保险公司宁波分公司',
    kind: 'sinosure',
    product: '短期出口信用保险综合保险',
    business_types: ['agency', 'self'],
    valid_from: addDays(start, -30),
    valid_to: addDays(stage.today, 160),
    max_liability: '5000000.00',
    min_premium: '200.00',
    clauses: CAUSES,
    policy_file: [await story.upload('rk', '保单.pdf', demoPdf(['SHORT-TERM EXPORT CREDIT INSURANCE']))],
  });
  await story.approve('rk', 'insurance_policy', { id: String(made['id']) });
  return String(made['id']);
}

/** A buyer's limit on the policy, applied for and granted by risk control where there is none yet that fits. */
export async function grantLimit(story: Story, policy: string, wanted: WantedLimit): Promise<void> {
  const { limits } = await story.read('insurance_policy', policy);
  const lines = Array.isArray(limits) ? (limits as readonly OpenRecord[]) : [];
  if (lines.some((line) => fits(line, wanted))) return;
  const asked = `${Math.ceil(wanted.amount / 50_000) * 50_000}.00`;
  const { buyer, term, days } = wanted;
  await story.act('rk', 'insurance_policy', {
    id: policy,
    action: 'apply_limit',
    inputs: { buyer_id: buyer, payment_term: term, term_days: days, apply_amount: asked },
  });
  const after = (await story.read('insurance_policy', policy))['limits'] as readonly OpenRecord[];
  const line = after.findLast(
    (row) => row['buyer_id'] === buyer && row['payment_term'] === term && row['status'] === 'applying',
  );
  await story.act('rk2', 'insurance_policy', {
    id: policy,
    action: 'grant_limit',
    inputs: {
      limit_line: line?.['id'],
      limit_no: `SX${story.roll.between(100_000, 999_999)}`,
      limit_amount: asked,
      cover_ratio: '90',
    },
  });
}

function fits(line: OpenRecord, { buyer, term, days }: WantedLimit): boolean {
  const isLive = line['status'] === 'active' || line['status'] === 'adjusted';
  return (
    isLive &&
    line['buyer_id'] === buyer &&
    line['payment_term'] === term &&
    Number(line['term_days'] ?? 0) >= days
  );
}
