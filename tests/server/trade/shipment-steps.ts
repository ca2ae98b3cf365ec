import { must, type RulesExample } from '../rules/rules-example.ts';
import { aContract } from './trade-example.ts';

type Fields = Record<string, unknown>;

/** Real steps of shipments on open terms, uninsured: whoever tests credit lines needs nothing else of them. */
export interface ShipmentSteps {
  /** An approved contract of the partner on open terms, 10 USD a piece. */
  readonly contract: (partner: string, changes?: Fields) => Promise<string>;
  /** A submitted shipment of so many pieces. */
  readonly submitted: (contract: string, quantity: string) => Promise<string>;
  readonly decide: (
    who: string,
    resource: string,
    id: string,
    opinion?: string,
  ) => ReturnType<RulesExample['as']>;
  readonly approved: (contract: string, quantity: string) => Promise<string>;
}

/** Needs `sp.aa`, `tm.aa` and `rk.aa` signed in. Bought out, the company bears the risk; else the partner. */
export function shipmentSteps(
  rules: RulesExample,
  exportMode: 'entrusted' | 'buyout' = 'entrusted',
): ShipmentSteps {
  const { as, act, given } = rules;
  const masters = new Map<string, Fields>();
  const steps: ShipmentSteps = {
    contract: async (partner, changes = {}) => {
      const known = masters.get(partner) ?? (await mastersOf(rules, partner, exportMode));
      masters.set(partner, known);
      const { items, ...contract } = aContract(rules.example, { quantity: '100000' });
      const { goods_id, supplier_id, ...head } = known;
      const id = await given('export_contract', {
        ...contract,
        ...head,
        export_mode: exportMode,
        items: (items as readonly Fields[]).map((item) => ({ ...item, goods_id, supplier_id })),
        payment_term: 'OA',
        term_days: 60,
        status: 'approved',
        ...changes,
      });
      if (exportMode === 'buyout') await bought(rules, id, known);
      return id;
    },
    submitted: async (contract, quantity) => {
      const after = await must(act('sp.aa', 'export_contract', contract, 'to_shipment'));
      const [created] = after['_created'] as readonly { id: string }[];
      const id = created?.id ?? '';
      const made = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
      const [line] = made['items'] as readonly Fields[];
      const [purchased] = await rules.example.services.db.query<Fields>(
        `select p.id as purchase_contract_id, l.id as purchase_line from purchase_contract p
         join purchase_contract__items l on l.parent_id = p.id where p.export_contract_id = $1::uuid`,
        [contract],
      );
      await must(
        as('sp.aa', 'PATCH', `/data/shipment/${id}`, {
          version: made['version'],
          container_type: '20GP',
          items: [{ id: line?.['id'], quantity, package_kind: '22', legal_quantity1: '500', ...purchased }],
        }),
      );
      await must(act('sp.aa', 'shipment', id, 'submit'));
      return id;
    },
    decide: async (who, resource, id, opinion = '同意') => {
      const state = await must(as(who, 'GET', `/approval/record/${resource}/${id}`));
      const task = state['task'] as { id: string; version: number } | null;
      return as(who, 'POST', `/approval/${task?.id ?? 'none'}/approve`, { version: task?.version, opinion });
    },
    approved: async (contract, quantity) => {
      const id = await steps.submitted(contract, quantity);
      for (const who of ['tm.aa', 'rk.aa']) await must(steps.decide(who, 'shipment', id));
      return id;
    },
  };
  return steps;
}

/** What the supplier sells for all of a contract. */
async function bought({ example, given }: RulesExample, contract: string, known: Fields): Promise<void> {
  const [line] = await example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [contract],
  );
  const { supplier_id, goods_id, partner_id, sales_id, dept_code } = known;
  const item = { export_line: line?.id, goods_id, unit: '007', quantity: '100000', unit_price: '50.000000' };
  await given('purchase_contract', {
    ...{ partner_id, sales_id, dept_code, supplier_id, export_contract_id: contract },
    ...{ business_type: 'agency', sign_date: '2026-09-02', vat_rate: '13', advance_ratio: '30' },
    ...{ payment_terms: 'advance', items: [item], status: 'signed' },
  });
}

/** Agreement, buyer, supplier, goods and relation of a partner, as a contract names them. */
async function mastersOf(
  { example, given, stored }: RulesExample,
  partner: string,
  exportMode: string,
): Promise<Fields> {
  const { sales, country } = example.masters;
  const own = { partner_id: partner, sales_id: sales, dept_code: 'AA' };
  const master = { ...own, business_type: 'agency', status: 'active' };
  await given('cooperation_agreement', {
    ...own,
    agreement_type: 'agency',
    export_mode: exportMode,
    start_date: '2024-01-01',
    end_date: '2030-12-31',
    receipt_days: 180,
    ...Object.fromEntries(
      ['foreign_risk_party', 'goods_risk_party', 'fx_party'].map((name) => [
        name,
        exportMode === 'buyout' ? 'company' : 'partner',
      ]),
    ),
    status: 'effective',
  });
  const buyer = await given('buyer', {
    ...master,
    name_en: 'OSTSEE HANDEL GMBH',
    country_id: country,
    address: 'Hafenstr. 2, Hamburg',
    is_related: false,
  });
  const supplier = await given('supplier', {
    ...master,
    source_place_id: (await stored('supplier', example.masters.supplier))['source_place_id'],
    name: '宁波试验阀门二厂',
    credit_code: '91310115MA0DEM0077',
    enterprise_kind: 'manufacturer',
    taxpayer_type: 'general',
    risk_level: 'B',
  });
  const goods = await given('goods', {
    ...master,
    name: '铜阀门',
    name_en: 'BRASS VALVE',
    brand: '无品牌',
    hs_code_id: (await stored('goods', example.masters.goods))['hs_code_id'],
    unit: '007',
    unit1_factor: '0.5',
    elements: [{ element: '材质', value: '铜制' }],
  });
  const relation = await given('relation', {
    ...master,
    buyer_id: buyer,
    supplier_id: supplier,
    business_desc: '展会',
    payment_term: 'OA',
    valid_to: '2030-12-31',
    goods_lines: [{ goods_id: goods }],
  });
  return { ...own, buyer_id: buyer, relation_id: relation, goods_id: goods, supplier_id: supplier };
}

/** Declares all of an approved shipment, up to the release by customs. Needs `dc.aa` signed in. */
export async function release(rules: RulesExample, shipment: string, changes: Fields = {}): Promise<string> {
  const id = await readyDeclaration(rules, shipment, changes);
  await must(rules.act('dc.aa', 'customs_declaration', id, 'send'));
  await must(
    rules.act('dc.aa', 'customs_declaration', id, 'accept', { inputs: { customs_no: customsNo() } }),
  );
  const inputs = { export_date: '2026-10-01' };
  await must(rules.act('dc.aa', 'customs_declaration', id, 'release', { inputs }));
  return id;
}

/** The draft that the approval made, with what only the documents' clerk knows. */
export async function readyDeclaration(
  rules: RulesExample,
  shipment: string,
  changes: Fields = {},
): Promise<string> {
  const { as, example } = rules;
  const [draft] = await example.services.db.query<{ id: string }>(
    `select id from customs_declaration where shipment_id = $1::uuid and status = 'draft' order by created_at desc`,
    [shipment],
  );
  const id = draft?.id ?? '';
  const { version } = await must(as('dc.aa', 'GET', `/data/customs_declaration/${id}`));
  const known = customs.get(rules) ?? (await customsMasters(rules));
  customs.set(rules, known);
  await must(
    as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, {
      version,
      ...known,
      declare_date: '2026-09-30',
      transport_name: 'PACIFIC HERON/12E',
      bl_no: 'COSU1',
      ...changes,
    }),
  );
  return id;
}

const customs = new WeakMap<RulesExample, Fields>();
let numbers = 0;

export function customsNo(): string {
  return String((numbers += 1)).padStart(18, '3');
}

async function customsMasters({ given, example }: RulesExample): Promise<Fields> {
  const exit_customs_id = await given('port', {
    code: '3104',
    name: '甬江海关',
    name_en: 'Yongjiang',
    country_id: example.masters.country,
    port_kind: 'customs',
    status: 'active',
  });
  const broker_id = await given('customs_broker', {
    name: '试验报关行',
    customs_code: '3302980001',
    credit_code: '91330203MA7XYAA274',
    status: 'active',
  });
  const exit_port_id = await given('port', {
    code: 'CNNBG',
    name: '宁波',
    name_en: 'Ningbo',
    country_id: example.masters.country,
    port_kind: 'exit',
    status: 'active',
  });
  return { exit_customs_id, broker_id, exit_port_id };
}
