import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import { lend } from './lend.ts';
import { grantLimit, policyOf } from './make-cover.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** How far the loss of a shipment gets, in turn. */
const FATES = ['indemnified', 'claiming', 'claim_notice'] as const;
/** Notices are in time; the company hears of the loss so long after it was due. */
const NOTICE_DAYS = 34;

interface Lost {
  readonly [column: string]: string;
  readonly id: string;
  readonly owner: string;
  readonly partner: string;
  readonly buyer: string;
  readonly sailed: string;
  readonly due: string;
  readonly term: string;
  readonly days: string;
  readonly currency: string;
  readonly amount: string;
}

/** Buyers who do not pay: the shipment was insured when it left, the loss is told to the insurer, who pays a part. */
export async function makeClaims(world: World, own: Pick<OwnRecords, 'accounts'>): Promise<void> {
  const { stage } = world;
  if (!stage.has('rk2')) return;
  const rows = await stage.services.db.query<Lost>(
    `select x.id, split_part(o.personid, '.', 1) as owner, x.partner_id as partner, x.buyer_id as buyer, x.atd::text as sailed,
       x.receipt_due_date::text as due, x.payment_term as term, x.term_days::text as days, x.currency, x.total_amount::text as amount
     from shipment x join partner p on p.id = x.partner_id and p.status = 'active' join person o on o.id = p.sales_id
     where x.co_code = $1 and x.status = 'shipped' and x.recv_progress = 'none' and x.payment_term in ('OA', 'TT_AFTER')
       and x.receipt_due_date between $2::date - 150 and $2::date - 40
       and not exists (select 1 from partner__accounts a where a.parent_id = p.id and a.mobile = $3)
       and not exists (select 1 from insurance_application i where i.shipment_id = x.id and i.status not in ('draft', 'void', 'rejected'))
     order by x.receipt_due_date, x.id limit 6`,
    [stage.company, stage.today, world.scale.partnerMobiles[0] ?? ''],
    'demo_claims',
  );
  for (const [place, lost] of rows.entries())
    await unlessRefused(() =>
      lose(world, own, { lost, fate: FATES[place % FATES.length] ?? 'claim_notice' }),
    );
}

async function lose(
  world: World,
  own: Pick<OwnRecords, 'accounts'>,
  { lost, fate }: { readonly lost: Lost; readonly fate: (typeof FATES)[number] },
): Promise<void> {
  const { stage } = world;
  const story = stage.begin(`claim ${lost.id}`, addDays(lost.sailed, 1));
  const id = await insure(world, story, lost);
  if (fate === 'indemnified')
    await unlessRefused(async () => {
      await lend(stage, {
        seed: `claim ${lost.id}`,
        partner: lost.partner,
        owner: lost.owner,
        line: 'financing',
        day: addDays(lost.sailed, 8),
        values: {
          financing_type: 'sinosure',
          shipment_id: lost.id,
          due_date: addDays(lost.due, 14),
          purpose: '信保项下应收账款周转',
        },
      });
    });
  const told = stage.begin(`loss ${lost.id}`, addDays(lost.due, NOTICE_DAYS));
  await told.act('rk', 'insurance_application', {
    id,
    action: 'notify_loss',
    inputs: { loss_reason: 'default', loss_notice_date: told.day(), loss_amount: lost.amount },
  });
  if (fate === 'claim_notice') return;
  const papers = await told.upload('rk', '索赔单证.pdf', demoPdf(['CLAIM DOCUMENTS']));
  await told.update('rk', 'insurance_application', id, {
    case_no: `PA${told.roll.between(100_000, 999_999)}`,
    attachments: [papers],
  });
  told.wait(2);
  await told.act('rk', 'insurance_application', {
    id,
    action: 'claim',
    inputs: { claim_date: told.day() },
  });
  if (fate === 'claiming') return;
  told.wait(18);
  await pay(told, own, id);
}

/** Applied for, declared and underwritten in the days after it left. */
async function insure(world: World, story: Story, lost: Lost): Promise<string> {
  const policy = await policyOf(world);
  await grantLimit(story, policy, {
    buyer: lost.buyer,
    term: lost.term,
    days: Number(lost.days),
    amount: Number(lost.amount),
  });
  const made = await story.create(lost.owner, 'insurance_application', {
    business_type: 'agency',
    kind: 'sinosure',
    shipment_id: lost.id,
    rate: '0.45',
    premium_bearer: 'partner',
    ship_date: lost.sailed,
  });
  const id = String(made['id']);
  await story.approve(lost.owner, 'insurance_application', { id });
  await story.act('rk', 'insurance_application', {
    id,
    action: 'declare',
    inputs: { declared_date: story.day() },
  });
  story.wait(2);
  await story.act('rk2', 'insurance_application', {
    id,
    action: 'underwrite',
    inputs: { underwrite_no: `CB${story.roll.between(100_000, 999_999)}` },
  });
  return id;
}

/** The insurer pays a little less than he covers, finance takes it in, and it repays what was lent on the shipment. */
async function pay(story: Story, own: Pick<OwnRecords, 'accounts'>, id: string): Promise<void> {
  const { max_indemnity } = await story.read('insurance_application', id);
  const after = await story.act('fn', 'insurance_application', {
    id,
    action: 'indemnify',
    inputs: { indemnity: (Number(max_indemnity) * 0.6).toFixed(2) },
  });
  const [receipt] = after['_created'] as readonly { readonly id: string }[];
  if (receipt === undefined) return;
  await story.update('fn', 'domestic_receipt', receipt.id, {
    value_date: story.day(),
    bank_account_id: own.accounts.get('CNY'),
    bank_ref: `BX${story.roll.between(100_000_000, 999_999_999)}`,
    payer_name: '中国出口信用保险公司宁波分公司',
  });
  await story.approve('fn', 'domestic_receipt', { id: receipt.id });
}
