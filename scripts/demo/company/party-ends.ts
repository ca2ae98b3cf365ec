import { addDays } from '#engine/values/dates.ts';
import { demoPdf, demoPicture } from './demo-files.ts';
import { mobileNo, residentId } from './demo-numbers.ts';
import { draftBy } from './draft-by.ts';
import type { End } from './ends.ts';
import { makePartner, openForBusiness, signAgreement } from './make-partners.ts';
import { personName } from './person-name.ts';
import type { Story } from './story.ts';
import type { DemoPartner, World } from './world.ts';

/** Days of the agreements and lines of partners who are none any more: the nights of the demo end them. */
const ONE_YEAR = 364;
/** After those of the whole company and those that wait. */
const FORMER = 61;

/** A new partner who does business from that day on, with its agreements. */
async function join(
  world: World,
  story: Story,
  { serial, until }: { readonly serial: number; readonly until: string },
) {
  const partner = await makePartner(world, story, world.whole.partners + serial);
  await story.approve(partner.owner, 'partner', { id: partner.id });
  const agreements = await openForBusiness(world, story, { ...partner, until });
  return { partner, agreements };
}

/** The partner's clerk may order and look on, for a year. */
async function authorize({ stage }: World, story: Story, partner: DemoPartner): Promise<void> {
  const { roll } = story;
  const actor = await stage.asPartner(partner.id);
  const made = await story.create(actor, 'authorization_letter', {
    ...{ partner_id: partner.id, agent_name: personName(roll), agent_mobile: mobileNo(roll) },
    ...{ agent_id_no: residentId(roll, partner.town.area), scope: ['下单', '查询'] },
    ...{ valid_from: story.day(), valid_to: addDays(story.day(), ONE_YEAR) },
    letter_file: [await story.upload(actor, '授权书.pdf', demoPdf(['LETTER OF AUTHORIZATION']))],
    id_file: [await story.upload(actor, '身份证.png', demoPicture(roll))],
  });
  await story.approve(actor, 'authorization_letter', { id: String(made['id']) });
}

/** Money that was another's: the partner's pool is empty again. */
async function payByMistake(story: Story, { id, name }: DemoPartner, account: string): Promise<void> {
  const made = await story.create('fn', 'domestic_receipt', {
    ...{ kind: 'topup', payer_kind: 'partner', partner_id: id, payer_name: name, amount: '5000.00' },
    ...{ bank_account_id: account, value_date: story.day() },
    bank_ref: `DR${story.roll.between(100_000_000, 999_999_999)}`,
  });
  const receipt = String(made['id']);
  await story.approve('fn', 'domestic_receipt', { id: receipt });
  await story.act('fn', 'domestic_receipt', {
    id: receipt,
    action: 'reverse',
    opinion: '款项属于另一委托方，重新登记',
  });
}

/** What the partner may owe, for half a year. */
async function grantLine(story: Story, { id, owner, name }: DemoPartner, purpose: string): Promise<void> {
  const amount = '400000.00';
  const made = await story.create(owner, 'credit_line_application', {
    ...{ partner_id: id, purpose, apply_kind: 'new', apply_amount: amount },
    ...{ valid_from: story.day(), valid_to: addDays(story.day(), ONE_YEAR / 2), guarantee_kind: '信用' },
    ...{
      this_year_plan: '3000000.00',
      main_buyers: '东南亚买家，T/T 后 30 天',
      reason: '首单试合作，申请半年额度',
    },
    financials: [await story.upload(owner, '财务报表.pdf', demoPdf([name]))],
  });
  await story.approve(owner, 'credit_line_application', {
    id: String(made['id']),
    fields: { score: 66, approved_amount: amount, conditions: '到期重新评审' },
  });
}

/** The newest line of a partner is given back unused. */
async function cancelLine({ stage }: World, story: Story, { id }: DemoPartner): Promise<void> {
  const [line] = await stage.services.db.query<{ id: string }>(
    `select id from credit_line where partner_id = $1::uuid and purpose = 'advance'`,
    [id],
    'demo_given_back',
  );
  const cancelled = { id: line?.id ?? '', action: 'cancel', opinion: '委托方不再需要代垫' };
  await story.act('rk', 'credit_line', cancelled);
}

/** Another rate for one way of trading, which is given up: the first one holds again. */
async function tryRate(story: Story, { id, owner, modes: [mode] }: DemoPartner): Promise<void> {
  const made = await story.create(owner, 'partner_rate', {
    ...{ partner_id: id, export_mode: mode, fee_basis: 'per_usd', fee_rate: '0.12', min_fee: '500.00' },
    ...{ fin_daily_rate: '0.025', fin_grace_days: 3, rebate_adv_ratio: '90', rebate_service_rate: '3' },
    valid_from: story.day(),
  });
  const rate = String(made['id']);
  await story.approve(owner, 'partner_rate', { id: rate });
  await story.act('tm', 'partner_rate', { id: rate, action: 'disable', opinion: '优惠期结束' });
}

/** The renewal of an agreement, as far as it has come: the old one holds until the new one is signed. */
function renewed(
  state: string,
  approval: { readonly levels?: number; readonly rejection?: string } | null,
): End {
  return {
    resource: 'cooperation_agreement',
    state,
    of: `select a.id, split_part(o.personid, '.', 1) as owner from cooperation_agreement a
           join partner p on p.id = a.partner_id and p.status = 'active' join person o on o.id = p.sales_id
         where a.co_code = $1 and a.status in ('effective', 'expiring') and not a.is_deleted
           and not exists (select 1 from cooperation_agreement x where x.prev_agreement_id = a.id)
         order by a.end_date, a.id`,
    daysAgo: 4,
    play: async (story, { id: agreement, owner }) => {
      const step = { resource: 'cooperation_agreement', id: agreement, action: 'renew' };
      const id = await draftBy(story, owner, step);
      if (approval !== null) await story.approve(owner, 'cooperation_agreement', { id, ...approval });
    },
  };
}

/** Partners who came and went, and what was agreed with them; a report on a buyer that is too old. */
export const PARTY_ENDS: readonly End[] = [
  {
    resource: 'partner',
    state: 'terminated',
    of: `select id, 'fn' as owner from company_bank_account where co_code = $1 and currency = 'CNY' and status = 'active' order by account_no`,
    daysAgo: 520,
    play: async (story, { id: account }, world) => {
      const until = addDays(story.day(), ONE_YEAR);
      const { partner, agreements } = await join(world, story, { serial: FORMER, until });
      await authorize(world, story, partner);
      await payByMistake(story, partner, account);
      story.wait(200);
      const { id = '' } = agreements.at(-1) ?? {};
      await story.act('tm', 'cooperation_agreement', {
        id,
        action: 'terminate',
        opinion: '委托方停止该类业务',
      });
      const last = world.stage.begin('partner leaves', addDays(world.stage.today, -60));
      await last.act('tm', 'partner', {
        id: partner.id,
        action: 'terminate',
        opinion: '协议到期不再续签，业务已结清',
      });
    },
  },
  {
    resource: 'partner',
    state: 'frozen',
    daysAgo: 480,
    play: async (story, _found, world) => {
      const { stage } = world;
      const until = addDays(story.day(), ONE_YEAR);
      const { partner, agreements } = await join(world, story, { serial: FORMER + 2, until });
      await grantLine(story, partner, 'shipment_risk');
      await grantLine(story, partner, 'advance');
      await cancelLine(world, story, partner);
      await tryRate(story, partner);
      const [first] = agreements;
      const later = stage.begin('agreement renewed', addDays(until, 2));
      const id = await draftBy(later, partner.owner, {
        resource: 'cooperation_agreement',
        id: first?.id ?? '',
        action: 'renew',
      });
      const { agreement_no: no } = await later.read('cooperation_agreement', id);
      await signAgreement(later, partner.owner, { id, no: String(no) });
      const last = stage.begin('partner frozen', addDays(stage.today, -8));
      await last.act('rk', 'partner', {
        id: partner.id,
        action: 'freeze',
        opinion: '被列入经营异常名录，核实前暂停新业务',
      });
    },
  },
  renewed('draft', null),
  renewed('pending', { levels: 0 }),
  renewed('approved', {}),
  renewed('rejected', { rejection: '费率与最新测算不一致，请重新确认' }),
  {
    resource: 'credit_investigation',
    state: 'expired',
    of: `select b.id, coalesce(b.partner_id::text, '') as partner, split_part(o.personid, '.', 1) as owner
         from buyer b join person o on o.id = b.sales_id where b.co_code = $1 and b.status = 'active' and not b.is_deleted
           and not exists (select 1 from credit_investigation i where i.buyer_id = b.id) order by b.created_at desc`,
    daysAgo: 260,
    play: async (story, { id: buyer_id, owner, partner }) => {
      const made = await story.create(owner, 'credit_investigation', {
        ...(partner === '' ? { business_type: 'self' } : { business_type: 'agency', partner_id: partner }),
        ...{
          buyer_id,
          purpose: '新客户',
          payment_term: 'OA',
          term_days: 60,
          fee_bearer: partner === '' ? 'company' : 'partner',
        },
      });
      const id = String(made['id']);
      await story.approve(owner, 'credit_investigation', { id });
      story.wait(10);
      const report_file = [await story.upload('rk', '资信报告.pdf', demoPdf(['CREDIT REPORT']))];
      await story.act('rk', 'credit_investigation', {
        ...{ id, action: 'report' },
        inputs: {
          ...{
            report_date: story.day(),
            report_no: `ZX${story.roll.between(100_000, 999_999)}`,
            rating: 'B',
          },
          ...{
            risk_index: '2.90',
            suggest_limit: '80000.00',
            conclusion: '成立时间较短，建议小额试单',
            report_file,
          },
        },
      });
    },
  },
  {
    resource: 'insurance_application',
    state: 'claim_notice',
    of: `select i.id, 'rk' as owner, s.unreceived::text as amount from insurance_application i join shipment s on s.id = i.shipment_id
         where i.co_code = $1 and i.status = 'underwritten' and coalesce(s.financed, 0) = 0 and s.unreceived > 0
           and (select count(*) from insurance_application x where x.co_code = $1 and x.status = 'underwritten') > 1
         order by s.receipt_due_date desc`,
    daysAgo: 2,
    play: (story, { id, amount }) =>
      story.act('rk', 'insurance_application', {
        ...{ id, action: 'notify_loss' },
        inputs: {
          ...{
            loss_reason: 'insolvency',
            known_date: story.day(),
            loss_notice_date: story.day(),
            loss_amount: amount,
          },
        },
      }),
  },
];
