import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { type Config, DEMO_AES_KEY, DEMO_PASSWORD, readConfig } from '#server/kernel/config.ts';
import { importSettings } from '#server/business/setup/import-settings.ts';
import { importCompany, importRoles } from '#server/business/setup/import-organisation.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { companiesOf, demoStaff } from '#server/business/setup/organisation.ts';
import { startServer } from '#server/main.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Services } from '#server/records/services.ts';
import { checkAnswer } from '../../support/contract-answers.ts';
import { createTestDatabase, type Template } from '../../support/database.ts';

export interface Answer {
  readonly status: number;
  readonly msg: string;
  // Answers differ by call; tests read what they expect.
  readonly data: Record<string, never>;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** A server on the shipped definitions with two companies' people and the masters that one trade needs. */
export interface TradeExample {
  readonly services: AppServices;
  readonly url: string;
  readonly masters: Readonly<
    Record<
      | 'partner'
      | 'buyer'
      | 'supplier'
      | 'goods'
      | 'relation'
      | 'account'
      | 'country'
      | 'port'
      | 'dest'
      | 'sales',
      string
    >
  >;
  readonly call: (token: string, method: string, path: string, body?: unknown) => Promise<Answer>;
  readonly signIn: (personid: string, roleId?: string, password?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The tables of the shipped definitions with people and masters, filled once a run: what takes a test file its time is the rest. */
const COMPANIES: Template = {
  key: 'companies AA and AE with the masters of one trade',
  fill: async (url) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'erp-trade-'));
    const server = await startServer(configOn(url, dataDir), { prepare: importPeople });
    await insertMasters(server.services);
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  },
};

function configOn(url: string, dataDir: string): Config {
  return readConfig({
    PORT: '0',
    DATABASE_URL: url,
    ERP_DEMO: '1',
    ERP_DATA_DIR: dataDir,
    ERP_RESOURCES_DIR: path.join(ROOT, 'resources'),
    LOG_LEVEL: 'error',
  });
}

export async function startTradeExample(
  options: { readonly clock?: () => Date; readonly isRateLimited?: boolean } = {},
): Promise<TradeExample> {
  const [database, dataDir] = await Promise.all([
    createTestDatabase(COMPANIES),
    mkdtemp(path.join(tmpdir(), 'erp-trade-')),
  ]);
  const server = await startServer(configOn(database.url, dataDir), options);
  const masters = await readMasters(server.services);
  const call: TradeExample['call'] = async (token, method, address, body) => {
    const response = await fetch(`${server.url}/erp/api${address}`, {
      method,
      headers: {
        authorization: token,
        // As the browser does with every write.
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Partial<Answer>;
    checkAnswer(method, `/erp/api${address}`, response.status, answer);
    return {
      status: response.status,
      msg: answer.msg ?? '',
      data: answer.data ?? {},
      problems: answer.problems ?? [],
    };
  };
  return {
    services: server.services,
    url: server.url,
    masters,
    call,
    signIn: async (personid, roleId, password = DEMO_PASSWORD) => {
      const login = await call('', 'POST', '/sys/login', {
        personid,
        password: sealEnvelope(password, DEMO_AES_KEY),
      });
      const person = login.data as Record<string, unknown>;
      const roles = person['roleIdList'] as readonly string[];
      const placed = await call(String(person['authorization']), 'POST', '/sys/setPosition', {
        id: person['id'],
        roleId: roleId ?? roles[0],
        roleIdList: roles,
        saleId: null,
      });
      return String((placed.data as Record<string, unknown>)['authorization']);
    },
    close: async () => {
      await server.close();
      await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}

async function importPeople(services: Services): Promise<void> {
  const password = await hashPassword(DEMO_PASSWORD);
  await importRoles(services);
  for (const company of companiesOf(services).filter(({ code }) => code === 'AA' || code === 'AE')) {
    await importCompany(services, { company, staff: demoStaff(services, company.code), password });
    await importSettings(services, company.code);
  }
}

/** Masters in force, written by the system: what the tests are about starts with the contract. */
async function insertMasters(services: Services): Promise<void> {
  const caller = systemCaller(services, 'AA');
  const [person] = await services.db.query<{ id: string }>(
    `select id from person where personid = 'sp.aa'`,
    [],
  );
  const sales = person?.id ?? '';
  await services.db.transaction(async (tx) => {
    const add = async (key: string, values: Record<string, unknown>): Promise<string> => {
      const saved = await insertRecord({ tx, services, caller }, key, values);
      return String(saved['id']);
    };
    const own = { sales_id: sales, dept_code: 'AA', status: 'active', business_type: 'agency' };
    const country = await add('country', {
      code: 'DEU',
      iso2: 'DE',
      name: '德国',
      name_en: 'Germany',
      sinosure_class: 1,
      status: 'active',
    });
    await add('port', {
      code: 'CNNBG',
      name: '宁波',
      name_en: 'Ningbo',
      country_id: country,
      port_kind: 'loading',
      status: 'active',
    });
    await add('port', {
      code: 'DEHAM',
      name: '汉堡',
      name_en: 'Hamburg',
      country_id: country,
      port_kind: 'dest',
      status: 'active',
    });
    const usd = await add('currency', {
      code: 'USD',
      name: '美元',
      symbol: '$',
      decimals: 2,
      status: 'active',
    });
    for (const [kind, rate] of [
      ['book', '7.100000'],
      ['usd_cross', '1.000000'],
    ] as const)
      await add('currency_rate', {
        currency: 'USD',
        currency_id: usd,
        kind,
        date: '2024-01-01',
        rate,
        source: '手工',
      });
    const hs = await add('hs_code', {
      code: '8481804090',
      name: '其他阀门',
      unit1: '035',
      vat_rate: '13',
      refund_rate: '13',
      valid_from: '2023-01-01',
      status: 'active',
    });
    const place = await add('source_place', {
      code: '33029',
      name: '宁波其他',
      province: '浙江',
      status: 'active',
    });
    const partner = await add('partner', {
      name: '宁波试验五金有限公司',
      corp_type: '1',
      credit_code: '91330203MA7XYAA274',
      enterprise_kind: 'manufacturer',
      taxpayer_type: 'general',
      export_modes: ['buyout', 'entrusted'],
      source: 'sales',
      risk_level: 'B',
      sales_id: sales,
      dept_code: 'AA',
      status: 'active',
    });
    const rate = await add('partner_rate', {
      partner_id: partner,
      fee_basis: 'per_usd',
      fee_rate: '0.05',
      vat_included: true,
      valid_from: '2024-01-01',
      sales_id: sales,
      dept_code: 'AA',
      status: 'active',
    });
    await add('cooperation_agreement', {
      partner_id: partner,
      agreement_type: 'agency',
      export_mode: 'entrusted',
      start_date: '2024-01-01',
      end_date: '2030-12-31',
      rate_id: rate,
      receipt_days: 180,
      foreign_risk_party: 'partner',
      goods_risk_party: 'partner',
      fx_party: 'partner',
      sales_id: sales,
      dept_code: 'AA',
      status: 'effective',
    });
    const buyer = await add('buyer', {
      name_en: 'NORDSEE HANDEL GMBH',
      country_id: country,
      address: 'Hafenstr. 1, Hamburg',
      partner_id: partner,
      is_related: false,
      ...own,
    });
    const supplier = await add('supplier', {
      name: '宁波试验阀门厂',
      credit_code: '91310115MA0DEM0077',
      partner_id: partner,
      enterprise_kind: 'manufacturer',
      taxpayer_type: 'general',
      source_place_id: place,
      risk_level: 'B',
      ...own,
    });
    const goods = await add('goods', {
      name: '铜阀门',
      name_en: 'BRASS VALVE',
      brand: '无品牌',
      hs_code_id: hs,
      partner_id: partner,
      unit: '007',
      unit1_factor: '0.5',
      elements: [{ element: '材质', value: '铜制' }],
      ...own,
    });
    await add('relation', {
      partner_id: partner,
      buyer_id: buyer,
      supplier_id: supplier,
      business_desc: '展会',
      payment_term: 'TT_ADV',
      valid_to: '2030-12-31',
      goods_lines: [{ goods_id: goods }],
      ...own,
    });
    const bank = await add('bank', {
      name: '试验银行',
      name_en: 'TEST BANK',
      swift: 'BKCHCNBJ',
      status: 'active',
    });
    await add('company_bank_account', {
      account_name: '试验公司',
      account_no: '1234567890',
      bank_id: bank,
      currency: 'USD',
      status: 'active',
    });
  });
}

async function readMasters({ db }: Services): Promise<TradeExample['masters']> {
  const [masters] = await db.query<TradeExample['masters'] & Record<string, unknown>>(
    `select (select id from partner) as partner, (select id from buyer) as buyer, (select id from supplier) as supplier,
            (select id from goods) as goods, (select id from relation) as relation, (select id from company_bank_account) as account,
            (select id from country) as country, (select id from port where code = 'CNNBG') as port,
            (select id from port where code = 'DEHAM') as dest, (select id from person where personid = 'sp.aa') as sales`,
    [],
  );
  if (masters === undefined) throw new Error('no masters');
  return masters;
}

/** A contract of one line, ready to be submitted. */
export function aContract(
  example: TradeExample,
  line: { readonly quantity: string; readonly unit_price?: string },
): Record<string, unknown> {
  const { masters } = example;
  return {
    business_type: 'agency',
    export_mode: 'entrusted',
    partner_id: masters.partner,
    relation_id: masters.relation,
    buyer_id: masters.buyer,
    sign_date: '2026-11-01',
    currency: 'USD',
    incoterm: 'FOB',
    incoterm_place: 'NINGBO',
    payment_term: 'TT_ADV',
    more_less: '5',
    port_loading_id: masters.port,
    port_dest_id: masters.dest,
    dest_country_id: masters.country,
    latest_shipment: '2027-03-31',
    partial_shipment: 'ALLOWED',
    transhipment: 'ALLOWED',
    transport_mode: '2',
    packing: 'CARTONS',
    bank_account_id: masters.account,
    items: [
      {
        goods_id: masters.goods,
        name_en: 'BRASS VALVE',
        supplier_id: masters.supplier,
        unit: '007',
        unit_price: '10.000000',
        packages: 100,
        gross_weight: '120',
        net_weight: '100',
        volume: '1.5',
        ...line,
      },
    ],
  };
}
