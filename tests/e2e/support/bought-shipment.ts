import type { Page } from 'playwright/test';
import {
  approved,
  change,
  create,
  type Fields,
  find,
  list,
  madeBy,
  recordOf,
  run,
  scanOf,
} from './flow-api.ts';
import { LOGINS } from './flow-desk.ts';

export const QUANTITY = '100';

/** What a flow begins with. */
interface BoughtShipment {
  readonly contract: Fields;
  readonly purchase: Fields;
  readonly shipment: Fields;
  /** With what its customer logs in; empty where nobody asked for one who does. */
  readonly mobile: string;
}

/** A shipment of goods that we buy, approved today, with its signed purchase contract, paid as its terms say. */
export async function aShipment(
  { sp, dm, tm }: Readonly<Record<'sp' | 'dm' | 'tm', Page>>,
  { terms = 'on_invoice', hasLogin = false }: { readonly terms?: string; readonly hasLogin?: boolean } = {},
): Promise<BoughtShipment> {
  const { contract: earlier, paidBefore, mobile } = await traded(sp, hasLogin);
  const source = await recordOf(sp, 'export_contract', String(earlier['id']));
  const [line] = list(source['items']);
  const contract = await create(sp, 'export_contract', {
    ...Object.fromEntries(TERMS.map((name) => [name, source[name]])),
    ...Object.fromEntries(PAYMENT.map((name) => [name, paidBefore[name]])),
    sign_date: day(0),
    sign_place: '宁波',
    latest_shipment: day(60),
    items: [
      {
        line_no: 1,
        ...Object.fromEntries(
          ['goods_id', 'name_en', 'supplier_id', 'unit', 'unit_price'].map((name) => [name, line?.[name]]),
        ),
        quantity: QUANTITY,
        packages: 10,
        gross_weight: '120',
        net_weight: '100',
        volume: '1.2',
      },
    ],
  });
  const contractId = String(contract['id']);
  const everybody = [dm, tm];
  await approved(sp, 'export_contract', contractId, everybody);
  const purchaseId = madeBy(await run(sp, 'export_contract', contractId, { action: 'to_purchase' }));
  await change(sp, 'purchase_contract', purchaseId, {
    sign_place: '宁波',
    delivery_place: '供方仓库',
    payment_terms: terms,
    quality_terms: '按需方确认的样品',
    invoice_terms: '出运后10日内开具增值税专用发票',
  });
  await approved(sp, 'purchase_contract', purchaseId, everybody);
  await change(sp, 'purchase_contract', purchaseId, {
    signed_file: [await scanOf(sp, 'purchase_contract', 'signed_file')],
  });
  await run(sp, 'purchase_contract', purchaseId, { action: 'sign' });
  const purchase = await recordOf(sp, 'purchase_contract', purchaseId);
  const shipmentId = madeBy(await run(sp, 'export_contract', contractId, { action: 'to_shipment' }));
  const draft = await recordOf(sp, 'shipment', shipmentId);
  const [forwarder] = await find(sp, 'forwarder', {
    status: { eq: 'active' },
    business_type: { eq: 'agency' },
  });
  const [broker] = await find(sp, 'customs_broker', { status: { eq: 'active' } });
  await change(sp, 'shipment', shipmentId, {
    container_type: '40HQ',
    forwarder_id: forwarder?.['id'],
    customs_broker_id: broker?.['id'],
    items: list(draft['items']).map((item) => ({
      id: item['id'],
      package_kind: '22',
      purchase_contract_id: purchaseId,
      purchase_line: list(purchase['items'])[0]?.['id'],
    })),
  });
  await approved(sp, 'shipment', shipmentId, everybody);
  return { contract, purchase, shipment: await recordOf(sp, 'shipment', shipmentId), mobile };
}

/** Nobody is paid while the tax office asks about him. */
async function isPayable(page: Page, contractId: string): Promise<boolean> {
  const [line] = list((await recordOf(page, 'export_contract', contractId))['items']);
  return (await recordOf(page, 'supplier', String(line?.['supplier_id'])))['letter_open'] !== true;
}

/** The newest contract to repeat, with one that was paid in advance: of anybody, or of a partner whose customer logs in, with his mobile number. */
async function traded(
  page: Page,
  hasLogin: boolean,
): Promise<{ readonly contract: Fields; readonly paidBefore: Fields; readonly mobile: string }> {
  const contracts = await find(page, 'export_contract', {
    business_type: { eq: 'agency' },
    export_mode: { eq: 'buyout' },
    currency: { eq: 'USD' },
    incoterm: { eq: 'FOB' },
    status: { nin: ['draft', 'rejected', 'pending', 'void'] },
  });
  const inAdvance = contracts.find((each) => ['TT_ADV', 'TT_DEP'].includes(String(each['payment_term'])));
  if (inAdvance === undefined) throw new TypeError('no contract that is paid in advance');
  const paidBefore = await recordOf(page, 'export_contract', String(inAdvance['id']));
  for (const contract of contracts) {
    const mobile = hasLogin ? await mobileOf(page, String(contract['partner_id'])) : '';
    if (mobile !== null && (await isPayable(page, String(contract['id']))))
      return { contract, paidBefore, mobile };
  }
  throw new TypeError(`no contract of goods that we buy${hasLogin ? ' for a customer who logs in' : ''}`);
}

async function mobileOf(page: Page, partner: string): Promise<string | null> {
  const accounts = list((await recordOf(page, 'partner', partner))['accounts']);
  const own = accounts.find(({ mobile }) => LOGINS.includes(mobile));
  return own === undefined ? null : String(own['mobile']);
}

const TERMS = [
  'business_type', 'partner_id', 'export_mode', 'relation_id', 'buyer_id', 'seller_name_en', 'currency', 'incoterm',
  'incoterm_place', 'more_less', 'port_loading_id',
  'port_dest_id', 'dest_country_id', 'partial_shipment', 'transhipment', 'transport_mode', 'packing', 'marks',
  'insurance_by', 'documents', 'bank_account_id',
]; // prettier-ignore
const PAYMENT = ['payment_term', 'deposit_ratio', 'term_days', 'due_base'];

/** Today in China, and days from it. */
export function day(offset: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(
    Date.now() + offset * 86_400_000,
  );
}
