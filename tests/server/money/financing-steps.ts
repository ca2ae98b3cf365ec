import { addDays, companyToday } from '#engine/values/dates.ts';
import { type Fields, must, type RulesExample } from '../rules/rules-example.ts';
import type { MoneySteps, Trader } from './money-steps.ts';

/** A partner that may borrow, with a shipment at sea that money is still to come for. */
export interface Borrower extends Trader {
  readonly line: string;
  readonly contract: string;
  readonly shipment: string;
}

/** Steps of loans, each by who does it in a company. */
export function financingSteps(rules: RulesExample, money: MoneySteps) {
  const { act, as, given, stored, example } = rules;
  const { db } = example.services;
  const today = companyToday(new Date());
  const from = (days: number): string => addDays(today, days);

  /** A shipment of USD; `line` is the credit line in CNY. */
  async function borrower(name: string, usd: string, line = '500000.00'): Promise<Borrower> {
    const of = await money.trader(name, { rate: { fin_daily_rate: '0.018', rebate_adv_ratio: '90' } });
    const contract = await money.contract(of, {}, '1.000000');
    await db.query('update export_contract__items set quantity = $2 where parent_id = $1::uuid', [
      contract,
      usd,
    ]);
    const shipment = await money.shipment(of, contract, { quantity: usd });
    await db.query(`update shipment set status = 'shipped', atd = '2026-10-10', base_due_date = $2, receipt_due_date = $2 where id = $1::uuid`, [shipment, from(90)]); // prettier-ignore
    return { ...of, contract, shipment, line: await lineOf(of, line) };
  }

  const lineOf = (of: Trader, amount: string, purpose = 'financing'): Promise<string> =>
    given('credit_line', {
      ...{ partner_id: of.partner, purpose, amount, valid_from: '2026-01-01', valid_to: '2099-12-31' },
      ...{ sales_id: example.masters.sales, dept_code: 'AA', status: 'active' },
    });

  async function draft(of: Borrower, changes: Fields): Promise<string> {
    const made = await must(
      as('sp.aa', 'POST', '/data/financing', {
        ...{ business_type: 'agency', partner_id: of.partner, financing_type: 'shipment' },
        ...{ credit_line_id: of.line, shipment_id: of.shipment, ratio: '80', rate: '7.1' },
        ...{ daily_rate: '0.018', due_date: from(90), purpose: '周转', repay_source: '本票收汇' },
        ...changes,
      }),
    );
    return String(made['id']);
  }

  async function drawn(of: Borrower, changes: Fields): Promise<string> {
    const id = await draft(of, changes);
    await must(act('sp.aa', 'financing', id, 'submit'));
    await money.approve('financing', id, ['rk.aa', 'fn.aa']);
    await db.query('update financing set attachments = array[gen_random_uuid()] where id = $1::uuid', [id]);
    await must(act('tr.aa', 'financing', id, 'draw'));
    return id;
  }

  /** So many days pass for a loan: its dates lie that much further back. */
  async function pass(id: string, days: number): Promise<void> {
    const back = [id, days];
    await db.query('update financing set start_date = start_date - $2::int, due_date = due_date - $2::int where id = $1::uuid', back); // prettier-ignore
    await db.query('update financing__repayments set repay_date = repay_date - $2::int, due_date = due_date - $2::int where parent_id = $1::uuid', back); // prettier-ignore
  }

  /** Money arrives for the shipment, up to the submission of its split. */
  async function arriving(of: Borrower, usd: string, rate: string): Promise<string> {
    const receipt = await money.receipt({ gross_amount: usd, payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, usd);
    const line = { nature: 'goods', settle_mode: 'spot', shipment_id: of.shipment, amount: usd, repay_financing: true }; // prettier-ignore
    const split = await money.draftSplit(receipt, claim, {
      settle_rate: rate,
      split_date: today,
      lines: [line],
    });
    await must(act('fn.aa', 'receipt_split', split, 'submit'));
    return split;
  }

  const repay = (id: string, amount: string) =>
    act('tr.aa', 'financing', id, 'repay', { inputs: { repay_amount: amount, repay_date: today } });
  const read = (id: string): Promise<Fields> => stored('financing', id);
  return { borrower, lineOf, draft, drawn, pass, arriving, repay, read, from };
}
