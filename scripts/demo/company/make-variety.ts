import { demoPdf } from './demo-files.ts';
import { beginLate, ofKind, rowsOf, SHIPPED } from './late-story.ts';
import { makeOfFirstPartner } from './make-of-first-partner.ts';
import { type Given, makeAdvances, makeOwnFees, makePaidDeposits } from './make-payments.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

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
