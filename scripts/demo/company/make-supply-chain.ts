import { addDays } from '#engine/values/dates.ts';
import { demoPdf, demoPicture } from './demo-files.ts';
import { creditCode, mobileNo } from './demo-numbers.ts';
import type { OwnRecords } from './make-own-records.ts';
import { personName } from './person-name.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { DemoPartner, World } from './world.ts';

const CORE = '浙江远景家电集团有限公司';
/**
 * What the core enterprise owes its supplier, for how long yet, and how long ago it was pledged; and what is lent on it.
 * One is running and partly repaid, one is late by some days, most wait for somebody.
 */
const OWED = [
  { amount: '620000.00', days: 75, age: 30, lent: '420000.00', fate: 'drawn', repaid: '120000.00' },
  { amount: '300000.00', days: -6, age: 96, lent: '180000.00', fate: 'drawn', repaid: '60000.00' },
  { amount: '350000.00', days: -20, age: 120, lent: '240000.00', fate: 'drawn', repaid: '240000.00' },
  { amount: '380000.00', days: 50, age: 16, lent: '260000.00', fate: 'waiting' },
  { amount: '160000.00', days: 60, age: 9, lent: '90000.00', fate: 'approved' },
  { amount: '210000.00', days: 70, age: 12, lent: '140000.00', fate: 'rejected' },
  { amount: '260000.00', days: 80, age: 20, lent: '150000.00', fate: 'void' },
  { amount: '240000.00', days: 90, age: 6, lent: '150000.00', fate: 'draft' },
] as const;
type Owed = (typeof OWED)[number];

/** Who asks to be admitted: one waits, one was sent back. */
const ASKING = [
  {
    ...{ name: '宁波明州机电集团有限公司', chain_role: 'core', rating: 'B', quota: '3000000.00' },
    approval: { daysAgo: 3, levels: 0 },
  },
  {
    ...{ name: '绍兴柯桥锦程纺织有限公司', chain_role: 'core', rating: 'C', quota: '800000.00' },
    approval: { daysAgo: 30, rejection: '近两年连续亏损，请补充担保后再报' },
  },
] as const;

interface Chain {
  readonly own: Pick<OwnRecords, 'accounts'>;
  /** Sells to the core enterprise and borrows on what it owes. */
  readonly partner: DemoPartner;
}

/** Finance along a chain: a core enterprise, its supplier, pledged claims on it and loans on them. */
export async function makeSupplyChain(world: World, { own, partner }: Chain): Promise<void> {
  await unlessRefused(async () => {
    const core = await admit(world, { name: CORE, chain_role: 'core', rating: 'A', quota: '5000000.00' });
    for (const { approval, ...customer } of ASKING) await admit(world, customer, approval);
    const customer = await admit(world, {
      name: partner.name,
      ...(partner.creditCode === null ? {} : { credit_code: partner.creditCode }),
      partner_id: partner.id,
      chain_role: 'supplier',
      core_id: core,
      rating: 'B',
      quota: '1200000.00',
    });
    for (const [place, owed] of OWED.entries()) {
      const story = world.stage.begin(`pledge ${place}`, addDays(world.stage.today, -owed.age));
      const pledge = await makePledge(world, story, { ...owed, customer });
      const until = addDays(world.stage.today, owed.days);
      await unlessRefused(() => lend(story, own, { owed, customer, pledge, until }));
    }
  });
}

interface Admission {
  readonly daysAgo: number;
  readonly levels?: number;
  readonly rejection?: string;
}

async function admit(
  world: World,
  values: Readonly<Record<string, string>>,
  { daysAgo, ...approval }: Admission = { daysAgo: 150 },
): Promise<string> {
  const { stage } = world;
  const story = stage.begin(`chain ${values['chain_role']} ${daysAgo}`, addDays(stage.today, -daysAgo));
  const { roll } = story;
  const made = await story.create('sp', 'scf_customer', {
    credit_code: creditCode(roll, '330206'),
    contact: personName(roll),
    mobile: mobileNo(roll),
    quota_to: addDays(stage.today, 240),
    license_file: [await story.upload('sp', '营业执照.png', demoPicture(roll))],
    ...values,
  });
  const id = String(made['id']);
  await story.approve('sp', 'scf_customer', { id, ...approval });
  return id;
}

async function makePledge(
  { stage }: World,
  story: Story,
  pledge: {
    readonly customer: string;
    readonly amount: string;
    readonly days: number;
  },
): Promise<string> {
  const number = `YS${story.roll.between(100_000, 999_999)}`;
  const made = await story.create('sp', 'receivable_pledge', {
    customer_id: pledge.customer,
    debtor: CORE,
    invoice_no: number,
    amount: pledge.amount,
    due_date: addDays(stage.today, pledge.days),
    pledge_ratio: '80',
    notice_file: [await story.upload('sp', '应收账款质押通知书.pdf', demoPdf(['NOTICE OF PLEDGE', number]))],
  });
  const id = String(made['id']);
  await story.approve('sp', 'receivable_pledge', { id });
  await story.act('rk', 'receivable_pledge', {
    id,
    action: 'register',
    inputs: {
      register_no: `ZD${story.roll.between(10_000_000, 99_999_999)}`,
      register_to: addDays(stage.today, 365),
    },
  });
  return id;
}

async function lend(
  story: Story,
  own: Chain['own'],
  loan: {
    readonly customer: string;
    readonly pledge: string;
    readonly owed: Owed;
    readonly until: string;
  },
): Promise<void> {
  const made = await story.create('sp', 'scf_financing', {
    customer_id: loan.customer,
    pledge_ids: [{ pledge_id: loan.pledge }],
    amount: loan.owed.lent,
    annual_rate: '4.35',
    due_date: loan.until,
    purpose: '采购原材料备货',
  });
  const id = String(made['id']);
  const { fate } = loan.owed;
  if (fate === 'draft') return;
  if (fate === 'void') {
    await story.act('sp', 'scf_financing', { id, action: 'void', opinion: '客户改由银行保理' });
    return;
  }
  await story.approve('sp', 'scf_financing', {
    id,
    ...(fate === 'waiting' ? { levels: 1 } : {}),
    ...(fate === 'rejected' ? { rejection: '核心企业确权函未收到，请补齐后再报' } : {}),
  });
  if (fate !== 'drawn') return;
  const account = own.accounts.get('CNY');
  await story.act('tr', 'scf_financing', { id, action: 'draw', inputs: { bank_account_id: account } });
  story.wait(Math.max(12, loan.owed.age - 40));
  await story.act('fn', 'scf_financing', {
    id,
    action: 'repay',
    inputs: {
      repay_date: story.day(),
      principal: loan.owed.repaid,
      repaid_interest: String((await story.read('scf_financing', id))['interest'] ?? '0.00'),
      account_id: account,
      bank_ref: `SC${story.roll.between(100_000_000, 999_999_999)}`,
    },
  });
}
