import { companyToday } from '#engine/values/dates.ts';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../trade/trade-example.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';

const PEOPLE = { ...MONEY_PEOPLE, 'dc.aa': 'DC', 'cs.aa': 'CS' };
/** A long story on a busy machine. */
const STORY = { timeout: 300_000 };

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

describe('each step of money, sent again with its key', () => {
  it('is done once and answers the same', STORY, async () => {
    const { stored, example } = rules;
    const of = await money.trader('宁波重试A');
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
    const tokens = new Map<string, string>();
    const twice = async (who: keyof typeof PEOPLE, address: string, body: Fields): Promise<Fields> => {
      const token = tokens.get(who) ?? (await example.signIn(who, PEOPLE[who]));
      tokens.set(who, token);
      const headers = {
        authorization: token,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      };
      const send = async () => {
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${example.url}/erp/api${address}`, init);
        return { status: response.status, answer: (await response.json()) as Pick<Answer, 'msg' | 'data'> };
      };
      const [first, again] = [await send(), await send()];
      expect([address, first.status, first.answer.msg]).toEqual([address, 200, expect.any(String)]);
      expect(again).toEqual(first);
      return first.answer.data;
    };
    const act = async (
      who: keyof typeof PEOPLE,
      key: string,
      id: string,
      action: string,
      body: Fields = {},
    ) =>
      twice(who, `/data/${key}/${id}/actions/${action}`, {
        version: (await stored(key, id))['version'],
        ...body,
      });
    const decide = async (who: keyof typeof PEOPLE, key: string, id: string) => {
      const { task } = await must(rules.as(who, 'GET', `/approval/record/${key}/${id}`));
      const { id: taskId, version } = task as { readonly id: string; readonly version: number };
      return twice(who, `/approval/${taskId}/approve`, { version, opinion: '同意' });
    };
    const receipt = String(
      (
        await twice('fn.aa', '/data/receipt', {
          ...{
            bank_ref: money.key(),
            bank_account_id: money.accounts.usd,
            currency: 'USD',
            value_date: '2026-11-18',
          },
          ...{ payer_country_id: example.masters.country, gross_amount: '1000.00', payer_name: of.buyerName },
        })
      )['id'],
    );
    await act('sp.aa', 'receipt', receipt, 'claim', {
      inputs: { partner_id: of.partner, buyer_id: of.buyer, amount: '1000.00' },
    });
    const { claims } = await must(rules.as('fn.aa', 'GET', `/data/receipt/${receipt}`));
    const [claim] = claims as readonly Fields[];
    expect(claims).toHaveLength(1);
    const goods = { nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '1000.00' };
    const split = String(
      (
        await twice('fn.aa', '/data/receipt_split', {
          ...{
            receipt_id: receipt,
            claim_line: claim?.['id'],
            split_date: '2026-11-20',
            settle_rate: '7.100000',
          },
          lines: [goods],
        })
      )['id'],
    );
    await act('fn.aa', 'receipt_split', split, 'submit');
    await decide('fn2.aa', 'receipt_split', split);
    const [account] = await example.services.db.query<{ id: string }>(
      'select id from partner__banks where parent_id = $1::uuid',
      [of.partner],
    );
    const payment = String(
      (
        await twice('sp.aa', '/data/payment_request', {
          ...{ business_type: 'agency', pay_type: 'goods', partner_id: of.partner, payee_kind: 'partner' },
          partner_account: account?.id,
          ...{
            need_date: '2026-11-22',
            purpose: '试验',
            goods_lines: [{ shipment_id: shipment, amount: '5000.00' }],
          },
        })
      )['id'],
    );
    await act('sp.aa', 'payment_request', payment, 'submit');
    for (const who of ['dm.aa', 'tm.aa', 'fn.aa'] as const) await decide(who, 'payment_request', payment);
    await act('tr.aa', 'payment_request', payment, 'pay');
    const inputs = {
      paid_date: companyToday(new Date()),
      bank_account_id: money.accounts.cny,
      bank_ref: money.key(),
      bank_fee: '20.00',
    };
    await act('tr.aa', 'payment_request', payment, 'confirm', { inputs });
    await act('fn.aa', 'payment_request', payment, 'bounce', { opinion: '退票' });
    await act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '认错' });
    await decide('tm.aa', 'receipt_split', split);
    expect(await money.entries(split)).toEqual([
      ['RCV_SETTLE', '7100.00'],
      ['AGENCY_FEE', '-50.00'],
      ['REVERSE', '50.00'],
      ['REVERSE', '-7100.00'],
    ]);
    expect(await money.entries(payment)).toEqual([
      ['PAY_GOODS', '-5000.00'],
      ['BANK_FEE', '-20.00'],
      ['REVERSE', '20.00'],
      ['REVERSE', '5000.00'],
    ]);
    expect(await money.pool(of)).toEqual(['0.00', '0.00', '0.00']);
    const made = await example.services.db.query<{ count: number }>(
      `select count(*)::int as count from finance_voucher where source_id = any($1::text[])`,
      [[receipt, split, payment]],
    );
    expect(made).toEqual([{ count: 5 }]);
  });
});

describe('each action of money', () => {
  const RESOURCES = [
    ...[
      'receipt',
      'receipt_split',
      'fx_holding',
      'fx_settlement',
      'fund_pool',
      'fund_transfer',
      'domestic_receipt',
    ],
    ...['payment_request', 'finance_charge', 'remittance_return', 'deposit', 'account', 'accounting_period'],
    ...['finance_voucher', 'company_bank_account', 'bank_balance', 'fund_ledger_entry', 'bank_entry'],
  ];
  interface Declared {
    readonly resource: string;
    readonly lifecycle?: { readonly actions: Readonly<Record<string, unknown>> };
    readonly access: readonly { readonly role: string | readonly string[]; readonly do: readonly string[] }[];
  }

  it.each(RESOURCES)(
    'of %s called directly by a role without the right is refused as such',
    STORY,
    async (key) => {
      const { lifecycle, access } = declared(key);
      const called: string[] = [];
      for (const [who, role] of Object.entries(PEOPLE)) {
        const own = access
          .filter(({ role: roles }) => [roles].flat().includes(role))
          .flatMap((entry) => entry.do);
        for (const action of Object.keys(lifecycle?.actions ?? {})) {
          if (own.includes(action) || own.includes('*')) continue;
          const { status } = await rules.as(who, 'POST', `/data/${key}/${randomUUID()}/actions/${action}`, {
            version: 1,
            opinion: '试',
            inputs: {},
          });
          called.push(action);
          expect([key, action, role, status]).toEqual([key, action, role, 403]);
        }
        for (const [method, right] of [
          ['POST', 'create'],
          ['PATCH', 'update'],
          ['DELETE', 'delete'],
        ] as const) {
          // Who makes a draft may throw it away.
          if ([right, '*', ...(right === 'delete' ? ['create'] : [])].some((one) => own.includes(one)))
            continue;
          const at = { POST: '', PATCH: `/${randomUUID()}`, DELETE: `/${randomUUID()}?version=1` }[method];
          const { status } = await rules.as(who, method, `/data/${key}${at}`, { version: 1 });
          expect([key, method, role, status]).toEqual([key, method, role, 403]);
        }
      }
      expect(called.length > 0 || lifecycle === undefined).toBe(true);
    },
  );

  function declared(key: string): Declared {
    const root = path.resolve(import.meta.dirname, '../../../resources');
    const file = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith(`/${key}.json`),
    );
    return JSON.parse(readFileSync(path.join(root, file ?? ''), 'utf8')) as Declared;
  }
});

describe('an amount', () => {
  const WRONG: readonly (readonly [text: unknown, message: string])[] = [
    ['1e3', '金额格式不正确'],
    ['1,000.00', '金额格式不正确'],
    ['NaN', '金额格式不正确'],
    ['Infinity', '金额格式不正确'],
    ['abc', '金额格式不正确'],
    ['１００', '金额格式不正确'],
    ['--1', '金额格式不正确'],
    ['0x10', '金额格式不正确'],
    [1000, '金额应以文本传递'],
    ['10.001', '金额最多两位小数'],
    ['9'.repeat(30), '金额格式不正确'],
  ];

  it.each(WRONG)('%j is refused in every place', STORY, async (text, message) => {
    const of = await money.trader(`宁波金额${money.key()}`, { export_mode: 'buyout' });
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const receipt = await money.receipt({ gross_amount: '10000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '4000.00');
    const head = {
      business_type: 'agency',
      partner_id: of.partner,
      need_date: '2026-11-22',
      purpose: '试验',
    };
    const places: Readonly<Record<string, () => Promise<Answer>>> = {
      receipt: () =>
        rules.as('fn.aa', 'POST', '/data/receipt', {
          ...{
            bank_ref: money.key(),
            bank_account_id: money.accounts.usd,
            currency: 'USD',
            value_date: '2026-11-18',
          },
          ...{
            payer_country_id: rules.example.masters.country,
            gross_amount: text,
            payer_name: of.buyerName,
          },
        }),
      claim: () =>
        rules.act('fn.aa', 'receipt', receipt, 'claim', {
          inputs: { partner_id: of.partner, buyer_id: of.buyer, amount: text },
        }),
      split: () =>
        rules.as('fn.aa', 'POST', '/data/receipt_split', {
          ...{ receipt_id: receipt, claim_line: claim, split_date: '2026-11-20', settle_rate: '7.100000' },
          lines: [{ nature: 'advance', settle_mode: 'spot', contract_id: contract, amount: text }],
        }),
      payment: () =>
        rules.as('sp.aa', 'POST', '/data/payment_request', {
          ...head,
          ...{
            pay_type: 'freight',
            payee_kind: 'forwarder',
            payee_name: '货代',
            payee_account: '1',
            payee_bank: '银行',
          },
          fee_lines: [{ fee_item: 'ocean', amount: text }],
        }),
    };
    for (const [place, attempt] of Object.entries(places)) {
      const { status, problems } = await attempt();
      expect([place, status, problems.map((problem) => problem.message)]).toEqual([
        place,
        400,
        expect.arrayContaining([expect.stringContaining(message)]),
      ]);
    }
    expect(await rules.stored('receipt', receipt)).toMatchObject({ unclaimed_amount: '6000.00' });
  });

  it.each(['0', '-5'])('%s is claimed by nobody', STORY, async (amount) => {
    const of = await money.trader(`宁波金额${money.key()}`);
    const receipt = await money.receipt({ gross_amount: '10000.00', payer_name: of.buyerName });
    const answer = await rules.act('fn.aa', 'receipt', receipt, 'claim', {
      inputs: { partner_id: of.partner, buyer_id: of.buyer, amount },
    });
    expect([answer.status, answer.msg]).toEqual([400, '金额必须大于0']);
  });
});
