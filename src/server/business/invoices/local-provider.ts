import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Services } from '#server/records/services.ts';
import type { InvoiceFacts, InvoiceLine } from '#contract/invoice-check.ts';
import type { InvoiceProvider } from './invoice-provider.ts';

type Surroundings = Pick<Services, 'db' | 'definitions'>;

/** Verifies against the invoices that the company itself has registered, for want of a tax authority's service. */
export function localInvoiceProvider(services: Surroundings, company: string): InvoiceProvider {
  return {
    name: '本公司已登记的发票',
    isLocal: true,
    find: async (query) => {
      const { resources } = currentCatalog(services);
      const goods =
        resources['goods_invoice'] === undefined ? null : await findGoodsInvoice(services, company, query);
      if (goods !== null || resources['business_invoice'] === undefined) return goods;
      return findBusinessInvoice(services, company, query);
    },
  };
}

/** On the row `i`, with the query as $2 to $8. */
const AGREES = `i.co_code = $1 and not i.is_deleted and i.invoice_type = $2 and coalesce(i.invoice_code, '') = $3
  and i.invoice_number = $4 and i.billing_date = $5::date
  and ($6 = '' or i.net_amount = nullif($6, '')::numeric) and ($7 = '' or i.total_amount = nullif($7, '')::numeric)
  and ($8 = '' or i.check_code = $8)`;

function valuesOf(company: string, query: InvoiceQuery): readonly string[] {
  return [
    company,
    query.invoiceType,
    query.invoiceCode,
    query.invoiceNumber,
    query.billingDate,
    query.totalAmount,
    query.amountTax,
    query.checkCode,
  ];
}

interface Head {
  readonly id: string;
  readonly purchaser_name: string | null;
  readonly purchaser_tax_no: string | null;
  readonly sales_name: string | null;
  readonly sales_tax_no: string | null;
  readonly amount_tax: string;
  readonly remarks: string | null;
}

async function findGoodsInvoice(
  { db }: Surroundings,
  company: string,
  query: InvoiceQuery,
): Promise<InvoiceFacts | null> {
  const [head] = await db.query<Head & Record<string, unknown>>(
    `select i.id, i.purchaser_name, i.purchaser_tax_no, s.name as sales_name, s.credit_code as sales_tax_no,
       i.total_amount::text as amount_tax, i.remarks
     from goods_invoice i left join supplier s on s.id = i.supplier_id and s.co_code = i.co_code
     where ${AGREES} and i.purchaser_tax_no = $9 and i.status not in ('void', 'red')`,
    [...valuesOf(company, query), query.purchaserTaxNo],
  );
  if (head === undefined) return null;
  const lines = await db.query<Record<string, string | null>>(
    `select commodity_name, spec, unit, quantity::text as quantity, unit_price::text as unit_price, amount::text as amount,
       tax_rate::text as tax_rate, tax::text as tax
     from goods_invoice__items where co_code = $1 and parent_id = $2::uuid order by line_order`,
    [company, head.id],
  );
  return factsOf(
    head,
    lines.map((line, index) => ({
      row_no: index + 1,
      commodity_name: line['commodity_name'] ?? '',
      specification_model: line['spec'] ?? '',
      unit: line['unit'] ?? '',
      quantity: plainNumber(line['quantity']),
      unit_price: plainNumber(line['unit_price']),
      amount: line['amount'] ?? '',
      tax_rate: line['tax_rate'] == null ? '' : `${plainNumber(line['tax_rate'])}%`,
      tax: line['tax'] ?? '',
    })),
  );
}

/** Fee invoices are registered without their lines; they are made out to the company. */
async function findBusinessInvoice(
  services: Surroundings,
  company: string,
  query: InvoiceQuery,
): Promise<InvoiceFacts | null> {
  const region = regionOfCompany(services, company);
  if (region === null || region.taxNo !== query.purchaserTaxNo) return null;
  const [head] = await services.db.query<Head & Record<string, unknown>>(
    `select i.id, $9 as purchaser_name, $10 as purchaser_tax_no, i.issuer_name as sales_name, null as sales_tax_no,
       i.total_amount::text as amount_tax, null as remarks
     from business_invoice i where ${AGREES} and i.status <> 'void'`,
    [...valuesOf(company, query), region.coName, region.taxNo],
  );
  return head === undefined ? null : factsOf(head, []);
}

function factsOf(head: Head, lines: readonly InvoiceLine[]): InvoiceFacts {
  return {
    purchaser_name: head.purchaser_name ?? '',
    purchaser_tax_no: head.purchaser_tax_no ?? '',
    sales_name: head.sales_name ?? '',
    sales_tax_no: head.sales_tax_no ?? '',
    amount_tax: head.amount_tax,
    remarks: head.remarks ?? '',
    invoice_list: lines,
  };
}

/** Without zeros that only fill the column's scale. */
function plainNumber(text: string | null | undefined): string {
  return text == null ? '' : text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}
