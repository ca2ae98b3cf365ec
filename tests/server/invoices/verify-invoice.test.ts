import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import { httpInvoiceProvider } from '#server/business/invoices/invoice-provider.ts';
import { type InvoiceAsker, verifyInvoice } from '#server/business/invoices/verify-invoice.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;
let taxNo: string;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({ 'fn.aa': 'FN', 'sp.aa': 'SP', 'dc.aa': 'DC' });
  taxNo = regionOfCompany(rules.example.services, 'AA')?.taxNo ?? '';
}, 600_000);
afterAll(() => rules.example.close());

function aQuery(changes: Partial<InvoiceQuery> = {}): InvoiceQuery {
  serial += 1;
  return {
    invoiceType: '01',
    purchaserTaxNo: taxNo,
    invoiceCode: '3302261130',
    invoiceNumber: String(10_000_000 + serial),
    billingDate: today(),
    totalAmount: '1000.00',
    amountTax: '',
    checkCode: '',
    ...changes,
  };
}

function today(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
}

async function anInvoice(query: InvoiceQuery): Promise<string> {
  return rules.given('goods_invoice', {
    business_type: 'agency',
    invoice_type: query.invoiceType,
    invoice_code: query.invoiceCode,
    invoice_number: query.invoiceNumber,
    billing_date: query.billingDate,
    supplier_id: rules.example.masters.supplier,
    net_amount: '1000.00',
    tax_amount: '130.00',
    sales_id: rules.example.masters.sales,
    dept_code: 'AA',
    items: [
      {
        row_no: 1,
        commodity_name: '*日用杂品*保温杯',
        unit: '只',
        quantity: '100',
        unit_price: '10',
        amount: '1000.00',
        tax_rate: '13',
        tax: '130.00',
      },
    ],
  });
}

const search = (who: string, query: unknown) => rules.as(who, 'POST', '/cyfp/search', query);

describe('the types of invoices', () => {
  it('come from the dictionary call, and no other dictionary does', async () => {
    const { data } = await rules.as('', 'POST', '/cyfp/queryDictByCondition', {
      currentPage: 1,
      pageSize: 1000,
      name: 'invoice_type',
    });
    const records = data['records'] as unknown as readonly { value: string; label: string }[];
    expect(records.map(({ value }) => value)).toEqual([
      '01',
      '04',
      '08',
      '10',
      '11',
      '14',
      '31',
      '32',
      '85',
      '86',
    ]);
    const other = await rules.as('', 'POST', '/cyfp/queryDictByCondition', { name: 'risk_level' });
    expect(other.data['records']).toEqual([]);
    const byLabel = await rules.as('', 'POST', '/cyfp/queryDictByCondition', { name: '发票类型' });
    expect(byLabel.data['records']).toHaveLength(10);
    const inside = await rules.as('sp.aa', 'POST', '/cyfp/queryDictByCondition', { name: 'export_mode' });
    expect(inside.data['records']).not.toEqual([]);
    // Filled by a resource.
    const currencies = await rules.as('sp.aa', 'POST', '/cyfp/queryDictByCondition', { name: '币种' });
    expect(currencies.data['records']).toHaveLength(1);
    const wide = await rules.as('', 'POST', '/cyfp/queryDictByCondition', {
      name: 'invoice_type',
      pageSize: 1001,
    });
    expect(wide.status).toBe(400);
  });
});

describe('verification against registered invoices', () => {
  it('shows the invoice with its lines, says that it is local, and counts', async () => {
    const query = aQuery();
    await anInvoice(query);
    const first = await search('', query);
    expect([first.status, first.msg]).toEqual([200, '查验成功!']);
    expect(first.data).toMatchObject({
      invoice_type: '01',
      first_check: 1,
      last_check_time: null,
      provider: { isLocal: true },
      data: {
        purchaser_tax_no: taxNo,
        amount_tax: '1130.00',
        amount_tax_c_n: '壹仟壹佰叁拾圆整',
        invoice_list: [{ row_no: 1, quantity: '100', unit_price: '10', tax_rate: '13%', tax: '130.00' }],
      },
    });
    const again = await Promise.all([search('fn.aa', query), search('fn.aa', query)]);
    expect(again.map(({ data }) => Number(data['first_check'])).sort((a, b) => a - b)).toEqual([2, 3]);
    expect(again.every(({ data }) => typeof data['last_check_time'] === 'string')).toBe(true);
  });

  it.each<Partial<InvoiceQuery>>([
    { totalAmount: '1000.01' },
    { invoiceNumber: '99999999' },
    { purchaserTaxNo: '330226198801011234' },
    { invoiceType: '85' },
  ])('tells nothing of one that differs by %j', async (changes) => {
    const query = aQuery();
    await anInvoice(query);
    const refused = await search('fn.aa', { ...query, ...changes });
    expect([refused.status, refused.msg]).toEqual([400, '查无此票，或所填内容与发票不一致，请核对后再查']);
  });

  it('finds nothing of another company, nor a voided invoice', async () => {
    const query = aQuery();
    const id = await anInvoice(query);
    const { services } = rules.example;
    const asker = { caller: null, company: 'AE', address: '10.0.0.9' };
    await expect(verifyInvoice(services, query, asker)).rejects.toMatchObject({ code: 'INVOICE_NOT_FOUND' });
    expect((await rules.act('fn.aa', 'goods_invoice', id, 'void')).status).toBe(200);
    expect((await search('fn.aa', query)).status).toBe(400);
  });

  it('keeps a history for finance and documents, not for others', async () => {
    const query = aQuery();
    await anInvoice(query);
    await search('fn.aa', query);
    const listed = await rules.as('dc.aa', 'POST', '/data/invoice_check/query', {
      filters: { invoice_number: { eq: query.invoiceNumber } },
    });
    expect(listed.data['records']).toMatchObject([{ outcome: 'verified', checked_by: expect.any(String) }]);
    expect((await rules.as('sp.aa', 'POST', '/data/invoice_check/query', {})).status).toBe(403);
    for (const [who, isShown] of [
      ['dc.aa', true],
      ['sp.aa', false],
      ['', false],
    ] as const) {
      const { status, data: shown } = await rules.as(who, 'GET', '/cyfp/history');
      expect([status, Array.isArray(shown)]).toEqual([200, isShown]);
    }
    const stale = await rules.example.call('session-that-ended', 'GET', '/cyfp/history');
    expect([stale.status, stale.data]).toEqual([200, {}]);
    const written = await rules.as('fn.aa', 'POST', '/data/invoice_check', { invoice_number: '1' });
    expect(written.status).toBe(403);
  });

  it('names the field of every fault', async () => {
    const refused = await search('', { ...aQuery(), invoiceCode: '12', billingDate: '2026-13-01' });
    expect(refused.status).toBe(400);
    expect(refused.problems).toMatchObject([
      { path: 'invoiceCode', message: '该类型的发票代码应为10位数字' },
      { path: 'billingDate', message: '开票日期应如 2026-01-31' },
    ]);
    expect((await search('', { ...aQuery(), foo: 1 })).status).toBe(400);
    expect((await search('', [])).status).toBe(400);
  });

  it('answers a visitor twenty times an hour, also when he asks fifty times at once', async () => {
    const { services } = rules.example;
    const asker = { caller: null, company: 'AA', address: '10.0.0.50' };
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, () => verifyInvoice(services, aQuery(), asker)),
    );
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? String(Reflect.get(answer.reason as object, 'code')) : 'ok',
    );
    expect(codes.filter((code) => code === 'INVOICE_NOT_FOUND')).toHaveLength(20);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(30);
  });
});

describe('verification by a service', () => {
  let server: Server;
  let calls = 0;
  let reply: (body: string) => { readonly status: number; readonly text: string };
  const services = (): Services => {
    const { port } = server.address() as AddressInfo;
    const { services: real } = rules.example;
    return { ...real, config: { ...real.config, invoice: { url: `http://127.0.0.1:${port}/`, token: 't' } } };
  };
  const asker = { caller: null, company: 'AA', address: '10.0.1.1' };
  let addresses = 0;
  const fromAnywhere = () => ({ ...asker, address: `10.0.2.${(addresses += 1)}` });
  const FOUND = JSON.stringify({
    found: true,
    invoice: {
      sales_name: '某厂',
      amount_tax: 1130,
      invoice_list: [{ commodity_name: '杯', amount: '1000' }],
    },
  });

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        calls += 1;
        const { status, text } = reply(body);
        setTimeout(() => response.writeHead(status).end(text), 50);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => server.close());

  it('is asked once a day for the same invoice, also by twelve at once', async () => {
    reply = () => ({ status: 200, text: FOUND });
    calls = 0;
    const query = aQuery();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => verifyInvoice(services(), query, fromAnywhere())),
    );
    expect(calls).toBe(1);
    expect(answers.map(({ first_check: count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(answers[0]).toMatchObject({
      provider: { isLocal: false },
      data: { sales_name: '某厂', amount_tax: '1130' },
    });
  });

  it.each([
    [500, 'x'],
    [200, 'no json'],
    [200, '{}'],
    [200, '{"found":true}'],
    [200, '{"found":true,"invoice":{"amount_tax":"1e5"}}'],
    [200, '{"found":true,"invoice":{"amount_tax":"1","invoice_list":[{"amount":"NaN"}]}}'],
    [302, ''],
  ])('that answers %i %s is a failure, after which it is asked again', async (status, text) => {
    reply = () => ({ status, text });
    const query = aQuery();
    await expect(verifyInvoice(services(), query, fromAnywhere())).rejects.toMatchObject({
      code: 'INVOICE_PROVIDER_FAILED',
    });
    reply = () => ({ status: 200, text: FOUND });
    expect((await verifyInvoice(services(), query, fromAnywhere())).first_check).toBe(1);
  });

  /** Somebody of the company; verifying asks of a session only whose it is. */
  const staff = {
    caller: { subject: { id: '00000000-0000-4000-8000-000000000001', name: '财务' } } as Caller,
    company: 'AA',
    address: '10.0.3.1',
  };
  const NOT_FOUND = { status: 200, text: '{"found":false}' };

  it('is asked about one invoice five times a day at most, by visitors twice', async () => {
    reply = () => NOT_FOUND;
    const query = aQuery();
    const ask = (totalAmount: string, who: InvoiceAsker = staff) =>
      verifyInvoice(services(), { ...query, totalAmount }, who).catch((error: unknown) =>
        String(Reflect.get(error as object, 'code')),
      );
    calls = 0;
    const visitors = [];
    for (const amount of ['1', '2', '3', '4', '5', '6']) visitors.push(await ask(amount, fromAnywhere()));
    expect([visitors.slice(0, 2), new Set(visitors.slice(2)), calls]).toEqual([
      ['INVOICE_NOT_FOUND', 'INVOICE_NOT_FOUND'],
      new Set(['RATE_LIMITED']),
      2,
    ]);
    // The company's own people have theirs all the same, and an answer that is known costs nobody a call.
    const people = [];
    for (const amount of ['1', '7', '8', '9', '10']) people.push(await ask(amount));
    expect([people.at(-1), new Set(people.slice(0, -1)), calls]).toEqual([
      'RATE_LIMITED',
      new Set(['INVOICE_NOT_FOUND']),
      5,
    ]);
  });

  it('counts the repetition of a query that found nothing', async () => {
    reply = () => NOT_FOUND;
    const query = aQuery();
    calls = 0;
    const codes = [];
    for (let minutes = 0; minutes < 100; minutes += 6) {
      // Noon in Shanghai: the day must not turn meanwhile.
      const at = new Date(Date.parse(`${today()}T04:00:00Z`) + minutes * 60_000);
      const later = { ...services(), clock: () => at };
      codes.push(
        await verifyInvoice(later, query, staff).catch((error: unknown) =>
          String(Reflect.get(error as object, 'code')),
        ),
      );
    }
    expect([calls, codes.at(-1), codes.filter((code) => code === 'INVOICE_NOT_FOUND').length]).toEqual([
      5,
      'RATE_LIMITED',
      expect.any(Number),
    ]);
  });

  it('that fails again and again closes no invoice for the day', async () => {
    const query = aQuery();
    reply = () => ({ status: 500, text: '' });
    for (let time = 0; time < 7; time += 1)
      await expect(verifyInvoice(services(), query, fromAnywhere())).rejects.toMatchObject({
        code: 'INVOICE_PROVIDER_FAILED',
      });
    reply = () => ({ status: 200, text: FOUND });
    expect((await verifyInvoice(services(), query, fromAnywhere())).first_check).toBe(1);
  });

  it('that keeps silent or never ends its answer is given up after a while', async () => {
    for (const isBegun of [false, true]) {
      const silent = createServer((_request, response) => {
        if (isBegun) response.writeHead(200).write('{"found":');
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      const { port } = silent.address() as AddressInfo;
      const provider = httpInvoiceProvider({ url: `http://127.0.0.1:${port}/`, token: null }, 100);
      await expect(provider.find(aQuery())).rejects.toMatchObject({ code: 'INVOICE_PROVIDER_FAILED' });
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('is given up after ten seconds where nothing else is said', async () => {
    const timeouts = vi.spyOn(AbortSignal, 'timeout');
    reply = () => NOT_FOUND;
    const { port } = server.address() as AddressInfo;
    await httpInvoiceProvider({ url: `http://127.0.0.1:${port}/`, token: null }).find(aQuery());
    expect(timeouts).toHaveBeenCalledWith(10_000);
    timeouts.mockRestore();
  });
});
