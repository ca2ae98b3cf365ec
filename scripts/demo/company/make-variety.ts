import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { OwnRecords } from './make-own-records.ts';
import { payFor } from './pay-for.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

interface Given {
  readonly own: Pick<OwnRecords, 'accounts'>;
  /** The project of the company's own business. */
  readonly project: string;
}

type Kind = 'agency' | 'self';

/** What a year also brings, a few of each: payments ahead and of deposits, money sent back, credit reports, older filings. */
export async function makeVariety(world: World, given: Given): Promise<void> {
  for (const [place, step] of STEPS.entries()) {
    await step(world, given);
    world.onStep('其他往来', place + 1, STEPS.length);
  }
}

const STEPS: readonly ((world: World, given: Given) => Promise<void>)[] = [
  makeInvestigations,
  makeAdvances,
  makeOwnFees,
  makePaidDeposits,
  makeReturns,
  makeOwnInvoice,
  makeOldFilings,
  makeDictionary,
  makeInsuranceRates,
  makeOfFirstPartner,
];

interface Known {
  readonly [column: string]: string;
  readonly id: string;
  readonly partner: string;
  readonly owner: string;
}

const PAYEE = {
  payee_kind: 'other',
  payee_name: '宁波远航国际货运代理有限公司',
  payee_account: '3302018800123456',
  payee_bank: '中国工商银行宁波市分行',
  cnaps: '102332000013',
} as const;

/** Rows of a statement on this company; `$1` is its code. */
function rowsOf(world: World, sql: string, values: readonly unknown[] = []): Promise<readonly Known[]> {
  return world.stage.services.db.query<Known>(sql, [world.stage.company, ...values]);
}

function beginLate({ stage }: World, seed: string, daysAgo: number): Story {
  return stage.begin(seed, addDays(stage.today, -daysAgo));
}

const BUYERS = `select b.id, coalesce(b.partner_id::text, '') as partner, split_part(o.personid, '.', 1) as owner
  from buyer b join person o on o.id = b.sales_id where b.co_code = $1 and b.status = 'active' and b.business_type = $2 and not b.is_deleted
  order by b.created_at limit 4`;

/** Reports on buyers: one has come, one is ordered, one waits, one is a draft. */
async function makeInvestigations(world: World): Promise<void> {
  for (const kind of ['agency', 'self'] as const)
    for (const [place, buyer] of (await rowsOf(world, BUYERS, [kind])).entries())
      await unlessRefused(async () => {
        const story = beginLate(world, `investigation ${kind} ${place}`, 60 - place * 14);
        const made = await story.create(buyer.owner, 'credit_investigation', {
          ...ofKind(kind, buyer.partner, null),
          buyer_id: buyer.id,
          purpose: '新客户',
          payment_term: 'OA',
          term_days: 60,
          fee_bearer: kind === 'agency' ? 'partner' : 'company',
        });
        const id = String(made['id']);
        if (place === 3) return;
        await story.approve(buyer.owner, 'credit_investigation', {
          id,
          ...(place === 2 ? { levels: 0 } : {}),
        });
        if (place > 0) return;
        story.wait(10);
        await story.act('rk', 'credit_investigation', {
          id,
          action: 'report',
          inputs: {
            report_date: story.day(),
            report_no: `ZX${story.roll.between(100_000, 999_999)}`,
            rating: 'B+',
            risk_index: '2.60',
            suggest_limit: '150000.00',
            conclusion: '经营正常，付款记录良好，建议在限额内放账',
            report_file: [await story.upload('rk', '资信报告.pdf', demoPdf(['CREDIT REPORT']))],
          },
        });
      });
}

/** A part of what is bought is paid before it is delivered. */
async function makeAdvances(world: World, { own, project }: Given): Promise<void> {
  for (const kind of ['agency', 'self'] as const) {
    const rows = await rowsOf(
      world,
      `select c.id, coalesce(c.partner_id::text, '') as partner, split_part(o.personid, '.', 1) as owner, c.supplier_id as supplier,
         round(least(c.total_amount * 0.1, p.available * 0.3), 2)::text as amount
       from purchase_contract c join person o on o.id = c.sales_id
       join fund_pool p on p.account_kind = 'general' and p.available > 10000
         and (p.partner_id = c.partner_id or (c.partner_id is null and p.project_id = c.project_id))
       where c.co_code = $1 and c.business_type = $2 and c.status in ('signed', 'executing') and not c.is_deleted
       order by exists (select 1 from partner__accounts a where a.parent_id = c.partner_id and a.mobile = $3) desc, c.purchase_no desc limit 3`,
      [kind, world.scale.partnerMobiles[0] ?? ''],
    );
    for (const [place, row] of rows.entries())
      await unlessRefused(async () => {
        const story = beginLate(world, `advance ${kind} ${place}`, 12 - place * 3);
        const made = await story.create(row.owner, 'payment_request', {
          ...ofKind(kind, row.partner, project),
          pay_type: 'advance',
          payee_kind: 'supplier',
          supplier_id: row['supplier'],
          supplier_account: await verifiedAccount(story, String(row['supplier'])),
          need_date: addDays(story.day(), 3),
          purpose: '预付货款',
          goods_lines: [{ purchase_contract_id: row.id, amount: row['amount'] }],
        });
        await payOut(story, own, { id: String(made['id']), owner: row.owner, place });
      });
  }
}

async function verifiedAccount(story: Story, supplier: string): Promise<unknown> {
  const { banks } = await story.read('supplier', supplier);
  const [bank] = banks as readonly OpenRecord[];
  if (bank?.['verified'] !== true)
    await story.act('fn', 'supplier', { id: supplier, action: 'verify_bank', inputs: { method: 'letter' } });
  return bank?.['id'];
}

const FEES = [
  { type: 'freight', item: 'ocean', purpose: '支付海运费' },
  { type: 'commission', item: 'foreign_comm', purpose: '支付外佣' },
  { type: 'other', item: 'inspection', purpose: '支付商检费' },
  { type: 'premium', item: 'cargo_ins', purpose: '支付保费' },
] as const;

const SHIPPED = `select s.id, coalesce(s.partner_id::text, '') as partner, split_part(o.personid, '.', 1) as owner
  from shipment s join person o on o.id = s.sales_id where s.co_code = $1 and s.business_type = $2 and s.status = 'shipped' and not s.is_deleted
  order by s.shipment_no desc limit 8`;

/** Fees of the company's own business. */
async function makeOwnFees(world: World, { own, project }: Given): Promise<void> {
  const [shipment] = await rowsOf(world, SHIPPED, ['self']);
  if (shipment === undefined) return;
  for (const [place, fee] of FEES.entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `own fee ${place}`, 14 - place * 3);
      const made = await story.create(shipment.owner, 'payment_request', {
        ...ofKind('self', '', project),
        ...PAYEE,
        ...feeValues(story, fee, shipment.id),
      });
      await payOut(story, own, { id: String(made['id']), owner: shipment.owner, place });
    });
}

interface Fee {
  readonly type: string;
  readonly item: string;
  readonly purpose: string;
}

function feeValues(story: Story, { type, item, purpose }: Fee, shipment: string): OpenRecord {
  return {
    pay_type: type,
    need_date: addDays(story.day(), 3),
    purpose,
    fee_lines: [
      {
        fee_item: item,
        shipment_id: shipment,
        amount: `${story.roll.between(3, 18) * 100}.00`,
        ...(type === 'premium' ? {} : { invoice_due: addDays(story.day(), 20) }),
      },
    ],
  };
}

/** The first is paid, the second waits for its payment, others for their approval. */
async function payOut(
  story: Story,
  own: Given['own'],
  { id, owner, place }: { readonly id: string; readonly owner: string; readonly place: number },
): Promise<void> {
  await story.approve(owner, 'payment_request', { id, ...(place > 1 ? { levels: 1 } : {}) });
  if (place > 0) return;
  await payFor(story, own, { id, fee: '10.00' });
}

/** Deposits that the company pays to others, for its partners and for itself. */
async function makePaidDeposits(world: World, { own, project }: Given): Promise<void> {
  for (const kind of ['agency', 'self'] as const) {
    const [shipment] = await rowsOf(world, SHIPPED, [kind]);
    if (shipment === undefined) continue;
    await unlessRefused(async () => {
      const story = beginLate(world, `paid deposit ${kind}`, 9);
      const amount = '5000.00';
      const made = await story.create('fn', 'deposit', {
        ...ofKind(kind, shipment.partner, project),
        kind: 'out_customs',
        counterparty: '中华人民共和国宁波海关',
        payee_account: '3901110009200012345',
        payee_bank: '中国工商银行宁波市分行',
        cnaps: '102332000013',
        shipment_id: shipment.id,
        bearer: 'company',
        amount,
      });
      const id = String(made['id']);
      await story.approve('fn', 'deposit', { id });
      const { payment_request_id: asked } = await story.read('deposit', id);
      const payment =
        typeof asked === 'string'
          ? asked
          : String(
              (
                await story.create(shipment.owner, 'payment_request', {
                  ...ofKind(kind, shipment.partner, project),
                  ...PAYEE,
                  payee_name: '中华人民共和国宁波海关',
                  pay_type: 'deposit',
                  bearer: 'company',
                  need_date: addDays(story.day(), 3),
                  purpose: '支付海关保证金',
                  fee_lines: [{ fee_item: 'customs', deposit_id: id, amount }],
                })
              )['id'],
            );
      await payOut(story, own, { id: payment, owner: shipment.owner, place: 0 });
    });
  }
}

/** Money that came too much goes back: one waits, one is approved, one was sent. */
async function makeReturns(world: World, { own }: Given): Promise<void> {
  const rows = await rowsOf(
    world,
    `select r.id, '' as partner, 'fn' as owner, r.currency, r.payer_name as payer from receipt r
     where r.co_code = $1 and r.status = 'unclaimed' and r.amount > 500 and not r.is_deleted order by r.receipt_no limit 3`,
  );
  for (const [place, receipt] of rows.entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `return ${place}`, 3);
      const made = await story.create('fn', 'remittance_return', {
        receipt_id: receipt.id,
        source_kind: 'unsplit',
        reason_kind: '多汇',
        reason: '客户重复付款，要求退回多汇部分',
        amount: '100.00',
        payee_name: receipt['payer'],
        payee_account: 'DE89370400440532013000',
        payee_bank: 'DEUTSCHE BANK AG',
        swift: 'DEUTDEFF',
        agreement_file: [await story.upload('fn', '退汇申请.pdf', demoPdf(['REQUEST FOR RETURN OF FUNDS']))],
      });
      const id = String(made['id']);
      await story.approve('fn', 'remittance_return', { id, ...(place === 1 ? { levels: 1 } : {}) });
      if (place > 0) return;
      await story.act('tr', 'remittance_return', {
        id,
        action: 'confirm',
        inputs: {
          paid_date: story.day(),
          bank_account_id: own.accounts.get(String(receipt['currency'])),
          bank_ref: `RT${story.roll.between(100_000_000, 999_999_999)}`,
        },
      });
    });
}

/** An invoice for fees of the company's own business, waiting for its check. */
async function makeOwnInvoice(world: World): Promise<void> {
  const rows = await rowsOf(world, SHIPPED, ['self']);
  for (const [place, shipment] of rows.slice(0, 2).entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `own fee invoice ${place}`, 8);
      const made = await story.create('dc', 'business_invoice', {
        business_type: 'self',
        invoice_type: '32',
        invoice_number: `${story.day().slice(2, 4)}332000000${story.roll.between(100_000_000, 999_999_999)}`,
        billing_date: story.day(),
        issuer_kind: 'forwarder',
        issuer_name: '宁波海程国际货运代理有限公司',
        net_amount: '2000.00',
        tax_amount: '120.00',
        currency: 'CNY',
        allocations: [{ fee_item: 'ocean', shipment_id: shipment.id, amount: '2120.00' }],
      });
      if (place === 0) await story.approve('dc', 'business_invoice', { id: String(made['id']), levels: 0 });
    });
}

/** Filings that are still kept by the layout of before 2022. */
async function makeOldFilings(world: World): Promise<void> {
  const rows = await rowsOf(
    world,
    `select id, '' as partner, 'dc' as owner from document_filing
     where co_code = $1 and status in ('pending', 'incomplete', 'overdue') and not is_deleted order by filing_no limit 2`,
  );
  for (const [place, { id }] of rows.entries())
    await unlessRefused(async () => {
      await beginLate(world, `old filing ${place}`, 2).update('dc', 'document_filing', id, { layout: 'old' });
    });
}

/** A dictionary that the company keeps itself. */
async function makeDictionary(world: World): Promise<void> {
  await unlessRefused(async () => {
    await beginLate(world, 'dictionary', 30).create('ad', 'dictionary', {
      name: 'sample_purpose',
      label: '样品用途',
      items: ['客户确认', '展会', '检测'].map((label, place) => ({
        value: `s${place + 1}`,
        label,
        sort_no: place + 1,
      })),
    });
  });
}

const INSURANCE_RATES = [
  { kind: 'cargo', risk_name: '一切险', rate: '0.2', min_premium: '50.00' },
  { kind: 'cargo', risk_name: '水渍险', rate: '0.12', min_premium: '50.00' },
  { kind: 'cargo', risk_name: '战争险', rate: '0.03' },
  { kind: 'sinosure', risk_name: '短期综合险', country_class: 3, payment_term: 'OA', term_days_from: 0, term_days_to: 60, rate: '0.45' },
  { kind: 'sinosure', risk_name: '短期综合险', country_class: 3, payment_term: 'OA', term_days_from: 61, term_days_to: 120, rate: '0.62' },
  { kind: 'sinosure', risk_name: '短期综合险', country_class: 5, payment_term: 'DA', term_days_from: 0, term_days_to: 90, rate: '0.88' },
] as const; // prettier-ignore

/** What insurers take. */
async function makeInsuranceRates(world: World): Promise<void> {
  for (const [place, rate] of INSURANCE_RATES.entries())
    await unlessRefused(async () => {
      const insurer = rate.kind === 'cargo' ? '中国人民财产保险宁波分公司' : '中国出口信用保险公司宁波分公司';
      const story = beginLate(world, `insurance rate ${place}`, 300);
      await story.create('rk', 'insurance_rate', { ...rate, insurer, valid_from: story.day() });
    });
}

const ASKED: readonly Fee[] = [
  { type: 'freight', item: 'port', purpose: '支付港杂费' },
  { type: 'freight', item: 'inland', purpose: '支付拖车费' },
];

/** What the partner of the first login has on hand: payments that he asks for himself, cover, freight, an invoice. */
async function makeOfFirstPartner(world: World): Promise<void> {
  const { stage } = world;
  const [asked] = await rowsOf(
    world,
    `select s.id, s.partner_id as partner, split_part(o.personid, '.', 1) as owner, 
       s.currency, s.total_amount::text as amount, s.payment_term as term, s.term_days::text as days, s.etd::text as etd
     from shipment s join person o on o.id = s.sales_id join partner__accounts a on a.parent_id = s.partner_id and a.mobile = $2
     where s.co_code = $1 and s.status = 'shipped' and not s.is_deleted order by s.shipment_no desc limit 1`,
    [world.scale.partnerMobiles[0] ?? ''],
  );
  if (asked === undefined) return;
  const actor = await stage.asPartner(asked.partner);
  const { id, partner, owner } = asked;
  for (const [place, fee] of ASKED.entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `asked fee ${place}`, 6 - place * 2);
      const made = await story.create(actor, 'payment_request', {
        partner_id: partner,
        ...PAYEE,
        ...feeValues(story, fee, id),
      });
      if (place === 0) await story.approve(actor, 'payment_request', { id: String(made['id']), levels: 1 });
    });
  const story = beginLate(world, 'first partner', 4);
  await unlessRefused(async () => {
    await story.create(owner, 'insurance_application', {
      business_type: 'agency',
      kind: 'sinosure',
      shipment_id: id,
      currency: asked['currency'],
      insured_amount: asked['amount'],
      cover_ratio: '90',
      rate: '0.45',
      premium_bearer: 'partner',
      payment_term: asked['term'],
      term_days: Number(asked['days'] ?? 0),
      ship_date: asked['etd'],
    });
  });
  await unlessRefused(async () => {
    const [booked] = await rowsOf(
      world,
      `select id, partner_id as partner, forwarder_id as owner from shipment
       where co_code = $1 and partner_id = $2 and status = 'approved' and not is_deleted limit 1`,
      [partner],
    );
    if (booked !== undefined)
      await story.create('dc', 'logistics_order', { shipment_id: booked.id, forwarder_id: booked.owner });
  });
  await unlessRefused(async () => {
    await story.create('cs', 'agent_invoice_application', {
      partner_id: partner,
      kind: 'fee_invoice',
      invoice_type: '32',
      email: 'caiwu@example.cn',
      items: [{ shipment_id: id }],
    });
  });
}

function ofKind(kind: Kind, partner: string, project: string | null): OpenRecord {
  if (kind === 'agency') return { business_type: 'agency', partner_id: partner };
  return { business_type: 'self', ...(project === null ? {} : { project_id: project }) };
}
