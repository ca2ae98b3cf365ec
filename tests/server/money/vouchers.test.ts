import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';
import { VOUCHER_TABLE } from './voucher-table.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  const hs = { name: '其他阀门', unit1: '035', vat_rate: '13', status: 'active' };
  await rules.given('hs_code', { ...hs, code: '8481809990', refund_rate: '9', valid_from: '2023-01-01' });
}, 600_000);
afterAll(() => rules.example.close());

/** A long story on a busy machine. */
const STORY = { timeout: 300_000 };

interface DeclaredLine {
  readonly debit: unknown;
  readonly credit: unknown;
}

describe('the table of vouchers (flows 2.7.4)', () => {
  it('is declared, row by row, and nothing else is', () => {
    const root = path.resolve(import.meta.dirname, '../../../resources');
    const declared = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const read = JSON.parse(readFileSync(path.join(root, name), 'utf8')) as {
          readonly resource?: string;
          readonly vouchers?: readonly { readonly event: string; readonly lines: readonly DeclaredLine[] }[];
        };
        return (read.vouchers ?? []).flatMap(({ event, lines }) =>
          lines.map(
            ({ debit, credit }) => `${event} ${read.resource ?? ''}: ${keysOf(debit)} / ${keysOf(credit)}`,
          ),
        );
      });
    const wanted = Object.values(VOUCHER_TABLE).flat();
    expect([...new Set(declared)].toSorted()).toEqual([...new Set(wanted)].toSorted());
  });
});

/** The accounts that a side may take: `AP_ESTIMATE|POOL` where it goes by the kind of business. */
function keysOf(side: unknown): string {
  if (typeof side === 'string') return side;
  const { by: _by, ...keys } = side as Record<string, string>;
  return [...new Set(Object.values(keys))].toSorted().join('|');
}

/** Lines of the vouchers of a document in their order: event, account, debit, credit, foreign amount. */
async function vouchersOf(id: string): Promise<readonly (readonly (string | null)[])[]> {
  const rows = await rules.example.services.db.query<
    Record<'event' | 'key' | 'debit' | 'credit' | 'fc', string | null>
  >(
    `select v.event_code as event, e.posting_key as key, e.debit::text as debit, e.credit::text as credit, e.fc_amount::text as fc
     from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
     where v.source_id = $1 order by v.voucher_no, e.line_order`,
    [id],
  );
  return rows.map(({ event, key, debit, credit, fc }) => [event, key, debit, credit, fc]);
}

/** What stands on an account for a shipment: yuan and foreign currency, debit less credit. */
async function standing(key: string, shipment: string): Promise<readonly [string, string]> {
  const [row] = await rules.example.services.db.query<{ cny: string; fc: string }>(
    `select coalesce(sum(coalesce(e.debit, 0) - coalesce(e.credit, 0)), 0)::text as cny,
       coalesce(sum(case when e.debit is not null then e.fc_amount else -e.fc_amount end), 0)::text as fc
     from finance_voucher__entries e where e.posting_key = $1 and e.shipment_id = $2::uuid`,
    [key, shipment],
  );
  return [row?.cny ?? '', row?.fc ?? ''];
}

const LINES = [
  ['100', '10.000000', '62.150000'],
  ['200', '7.770000', '33.330000'],
  ['300', '3.330000', '17.770000'],
] as const;

/** A declared shipment of three lines, CIF 3,553.00, of goods that get 9 of 13 % back; all that a shipment needs. */
async function declared(
  name: string,
  { mode = 'buyout', atd = '2026-11-12' }: { readonly mode?: string; readonly atd?: string } = {},
): Promise<{ readonly of: Trader; readonly shipment: string }> {
  const { example, given } = rules;
  const { masters, services } = example;
  const { db } = services;
  const of = await money.trader(name, { export_mode: mode });
  await db.query(
    `update goods set hs_code_id = (select id from hs_code where code = '8481809990') where id = $1::uuid`,
    [of.goods],
  );
  const goods = { goods_id: of.goods, supplier_id: of.supplier, unit: '007' };
  const contract = await money.contract(of, {
    export_mode: mode,
    incoterm: 'CIF',
    items: LINES.map(([quantity, unit_price]) => ({ ...goods, quantity, unit_price })),
  });
  const rows = await db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid order by line_order',
    [contract],
  );
  const purchase =
    mode === 'buyout'
      ? await money.purchase(of, contract, {
          items: LINES.map(([quantity, , unit_price], index) => ({
            export_line: rows[index]?.id,
            goods_id: of.goods,
            quantity,
            unit: '007',
            unit_price,
          })),
        })
      : null;
  const place = (await rules.stored('supplier', masters.supplier))['source_place_id'];
  const exit = await given('port', {
    ...{ code: `CN${money.key()}`, name: '北仑', name_en: 'BEILUN', country_id: masters.country },
    ...{ port_kind: 'exit', status: 'active' },
  });
  const shipment = await money.shipment(
    of,
    contract,
    {},
    {
      ...{
        export_mode: mode,
        incoterm: 'CIF',
        incoterm_place: 'HAMBURG',
        freight: '200.00',
        insurance_fee: '10.00',
      },
      ...{
        invoice_date: '2026-11-10',
        atd,
        bl_no: 'COSU1',
        bank_account_id: masters.account,
      },
      ...{
        port_loading_id: masters.port,
        exit_port_id: exit,
        port_dest_id: masters.dest,
        container_type: '20GP',
      },
      ...{ dest_country_id: masters.country, trade_country_id: masters.country, consignee: 'TO ORDER' },
      items: LINES.map(([quantity], index) => ({
        ...goods,
        ...{
          contract_id: contract,
          contract_line: rows[index]?.id,
          purchase_contract_id: purchase,
          quantity,
        },
        ...{
          name_cn: '铜阀门',
          name_en: 'BRASS VALVE',
          legal_quantity1: '50',
          packages: 1,
          package_kind: '22',
        },
        ...{ gross_weight: '11', net_weight: '10', volume: '1', source_place_id: place },
      })),
    },
  );
  // Customs have released all of it.
  await db.query(`update shipment__items set declared_quantity = quantity, uncovered = 0 where parent_id = $1::uuid`, [shipment]); // prettier-ignore
  await db.query(`update shipment set status = 'declared', uncovered = 0 where id = $1::uuid`, [shipment]);
  return { of, shipment };
}

describe('a departure', () => {
  it(
    'of our own goods books revenue and cost to the cent; a change after it books anew; paid in full nothing is owed',
    STORY,
    async () => {
      const { act, as, stored } = rules;
      const { of, shipment } = await declared('宁波出运甲A');
      await must(act('dc.aa', 'shipment', shipment, 'ship'));
      // FOB by line 940.90, 1,462.15, 939.95 at 7.1: 6,680.39 + 10,381.27 + 6,673.65; the rest is freight and premium.
      const sales = [
        ['SALES', 'AR_FOREIGN', '25226.30', null, '3553.00'],
        ['SALES', 'REV_EXPORT', null, '23735.31', null],
        ['SALES', 'FREIGHT_COLLECT', null, '1490.99', null],
      ];
      // Net 5,500.00 + 5,899.12 + 4,717.70, of which 4 % are not refunded: 220.00 + 235.96 + 188.71.
      const cost = [
        ['COST', 'COGS', '16116.82', null, null],
        ['COST', 'STOCK', null, '16116.82', null],
        ['COST', 'COGS', '644.67', null, null],
        ['COST', 'VAT_IN_OUT', null, '644.67', null],
      ];
      expect(await vouchersOf(shipment)).toEqual([...sales, ...cost]);
      const dates = await rules.example.services.db.query<{ day: string }>(
        'select distinct voucher_date::text as day from finance_voucher where source_id = $1',
        [shipment],
      );
      expect(dates).toEqual([{ day: '2026-11-12' }]);
      // A change that moves no amount books nothing; ten pieces fewer take the old vouchers back and make new ones.
      const change = async (changes: readonly Fields[], people: readonly string[]) => {
        const amended = await must(
          act('sp.aa', 'shipment', shipment, 'amend', {
            opinion: '短装',
            inputs: { reason_kind: '数量短装' },
          }),
        );
        const [made] = amended['_created'] as readonly { id: string }[];
        const id = made?.id ?? '';
        const { version } = await stored('shipment_version', id);
        await must(
          as('sp.aa', 'PATCH', `/data/shipment_version/${id}`, { version, reason: '短装', changes }),
        );
        await rules.example.services.db.query(
          'update shipment_version set attachments = array[gen_random_uuid()], customs_amended = true where id = $1::uuid',
          [id],
        );
        // It is at sea all the same: what is owed for it stays in every report.
        const atSea = { status: 'amending', has_sailed: true };
        expect(await stored('shipment', shipment)).toMatchObject(atSea);
        await must(act('sp.aa', 'shipment_version', id, 'submit'));
        expect(await stored('shipment', shipment)).toMatchObject(atSea);
        await money.approve('shipment_version', id, people);
        expect(await stored('shipment', shipment)).toMatchObject({ status: 'shipped', has_sailed: true });
      };
      await change([{ field: 'marks', new_value: 'N/M' }], ['tm.aa', 'fn.aa']);
      expect(await vouchersOf(shipment)).toHaveLength(7);
      await change([{ field: 'items.quantity', line_no: 3, new_value: '290' }], ['tm.aa', 'fn.aa']);
      expect(await stored('shipment', shipment)).toMatchObject({
        status: 'shipped',
        total_amount: '3519.70',
      });
      const mirror = (lines: readonly (readonly (string | null)[])[]) =>
        lines.map(([event, key, debit, credit, fc]) => [event, key, credit, debit, fc]);
      const all = await vouchersOf(shipment);
      expect(all.slice(0, 14)).toEqual([...sales, ...cost, ...mirror(cost), ...mirror(sales)]);
      const now = await stored('shipment', shipment);
      expect(await standing('AR_FOREIGN', shipment)).toEqual(['24989.87', '3519.70']);
      expect(await standing('REV_EXPORT', shipment)).toEqual([`-${String(now['fob_cny'])}`, '0']);
      // 290 x 17.77 / 1.13 = 4,560.44, of which 182.42 are not refunded.
      expect(await standing('COGS', shipment)).toEqual(['16597.94', '0']);
      // The buyer pays all of it, ten dollars of which a bank on the way keeps.
      const receipt = await money.receipt({
        gross_amount: '3519.70',
        foreign_charge: '10.00',
        payer_name: of.buyerName,
      });
      const claim = await money.claim(receipt, of, '3509.70');
      const line = { nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '3509.70' };
      const split = await money.split(receipt, claim, { settle_rate: '7.105000', lines: [line] });
      expect(
        (await vouchersOf(split)).filter(([, key]) => key === 'AR_FOREIGN' || key === 'BANK_EXP'),
      ).toEqual([
        ['SPLIT', 'AR_FOREIGN', null, '24989.87', '3519.70'],
        ['SPLIT', 'BANK_EXP', '71.00', null, null],
      ]);
      expect(await standing('AR_FOREIGN', shipment)).toEqual(['0.00', '0.00']);
      // Another rate of refund than it left with: all of the tax is refunded, and none of it is cost.
      const rated = (rate: string) =>
        rules.example.services.db.query(
          `update hs_code set refund_rate = $2 where id in (select hs_version_id from shipment__items where parent_id = $1::uuid)`,
          [shipment, rate],
        );
      await rated('13');
      await change([{ field: 'marks', new_value: 'N/M 2' }], ['tm.aa', 'fn.aa']);
      await rated('9');
      expect(await standing('COGS', shipment)).toEqual(['15959.56', '0']);
    },
  );

  it(
    'for a partner who owns the goods books nothing, and none in a month that is closed',
    STORY,
    async () => {
      const { act, given } = rules;
      const { shipment } = await declared('宁波出运乙B', { mode: 'entrusted' });
      await must(act('dc.aa', 'shipment', shipment, 'ship'));
      expect(await vouchersOf(shipment)).toEqual([]);
      await given('accounting_period', {
        ...{
          period: '202605',
          start_date: '2026-05-01',
          end_date: '2026-05-31',
          status: 'closed',
          closed_at: '2026-06-05',
        },
      });
      const late = await declared('宁波出运丙C', { atd: '2026-05-20' });
      const [status, msg] = await refusal(act('dc.aa', 'shipment', late.shipment, 'ship'));
      expect([status, msg]).toEqual([400, '会计期间已结账，不能操作（2026-05）']);
      expect(await rules.stored('shipment', late.shipment)).toMatchObject({ status: 'declared' });
    },
  );
});

describe('the invoice of a fee', () => {
  const ALLOCATIONS = [
    ['ocean', '333.33'],
    ['port', '333.33'],
    ['cargo_ins', '333.34'],
  ] as const;

  it.each([
    {
      whose: 'our own goods',
      mode: 'buyout',
      bearer: 'partner',
      // 56.60 of VAT over the lines: 18.87, 18.87 and the rest 18.86.
      lines: [
        ['FEE_INVOICE', 'SELL_EXP', '314.46', null],
        ['FEE_INVOICE', 'AP_FEE', null, '1000.00'],
        ['FEE_INVOICE', 'FREIGHT_COLLECT', '628.94', null],
        ['FEE_INVOICE', 'VAT_IN', '56.60', null],
      ],
    },
    {
      whose: 'a partner’s goods, at our cost',
      mode: 'entrusted',
      bearer: 'company',
      lines: [
        ['FEE_INVOICE', 'SELL_EXP', '943.40', null],
        ['FEE_INVOICE', 'AP_FEE', null, '1000.00'],
        ['FEE_INVOICE', 'VAT_IN', '56.60', null],
      ],
    },
    { whose: 'a partner’s goods, at his cost', mode: 'entrusted', bearer: 'partner', lines: [] },
  ])(
    'for $whose: the tax apart, to the cent, and back when it is voided',
    STORY,
    async ({ mode, bearer, lines }) => {
      const { act, given } = rules;
      const { of, shipment } = await declared(`宁波费用${money.key()}A`, { mode });
      const facts = {
        invoice_type: '32',
        invoice_number: money.key().slice(1).padStart(20, '3'),
        billing_date: '2026-11-10',
      };
      await given('invoice_check', {
        ...facts,
        ...{
          purchaser_tax_no: '91330200MA2AAAAA1X',
          amount_tax: '1000.00',
          outcome: 'verified',
          sales_name: '货代',
        },
      });
      const invoice = await given('business_invoice', {
        ...facts,
        ...{
          business_type: 'agency',
          partner_id: of.partner,
          bearer,
          issuer_kind: 'forwarder',
          issuer_name: '货代',
        },
        ...{
          net_amount: '943.40',
          tax_amount: '56.60',
          sales_id: rules.example.masters.sales,
          dept_code: 'AA',
        },
        allocations: ALLOCATIONS.map(([fee_item, amount]) => ({ fee_item, shipment_id: shipment, amount })),
      });
      await must(act('sp.aa', 'business_invoice', invoice, 'submit'));
      await money.approve('business_invoice', invoice, ['dc.aa', 'fn.aa']);
      const booked = (await vouchersOf(invoice)).map(([event, key, debit, credit]) => [
        event,
        key,
        debit,
        credit,
      ]);
      expect(sums(booked)).toEqual(sums(lines));
      await must(act('fn.aa', 'business_invoice', invoice, 'void', { opinion: '开错' }));
      const after = await vouchersOf(invoice);
      expect(after).toHaveLength(booked.length * 2);
      expect(
        after.slice(booked.length).map(([event, key, debit, credit]) => [event, key, credit, debit]),
      ).toEqual(booked);
      expect((await act('fn.aa', 'business_invoice', invoice, 'void', { opinion: '再废' })).status).toBe(409);
    },
  );

  /** Debit and credit by account. */
  function sums(
    lines: readonly (readonly (string | null | undefined)[])[],
  ): Readonly<Record<string, readonly [number, number]>> {
    const found: Record<string, readonly [number, number]> = {};
    const cents = (text: string | null | undefined): number => Math.round(Number(text ?? '0') * 100);
    for (const [, key, debit, credit] of lines) {
      const [left, right] = found[key ?? ''] ?? [0, 0];
      found[key ?? ''] = [left + cents(debit), right + cents(credit)];
    }
    return found;
  }
});

describe('the books after all this', () => {
  it('balance, and the night finds nothing', STORY, async () => {
    const { db } = rules.example.services;
    const uneven = await db.query(
      `select v.voucher_no from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       group by v.voucher_no having sum(coalesce(e.debit, 0)) <> sum(coalesce(e.credit, 0))`,
      [],
    );
    expect(uneven).toEqual([]);
    await checkInvariants(rules.example.services, INVARIANTS);
    const told = await db.query<{ content: string }>(
      `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
      [],
    );
    expect(told).toEqual([]);
  });
});
