import { http } from '#web/data/http.ts';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';

export interface TypeChoice {
  readonly id: string;
  readonly label: string;
  readonly value: string;
}

export interface InvoiceLine {
  readonly row_no: number;
  readonly commodity_name: string;
  readonly specification_model: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly amount: string;
  readonly tax_rate: string;
  readonly tax: string;
}

export interface InvoiceResult {
  readonly invoice_type: string;
  readonly invoice_code: string;
  readonly invoice_number: string;
  readonly billing_date: string;
  readonly purchaser_name: string;
  readonly purchaser_tax_no: string;
  readonly sales_name: string;
  readonly sales_tax_no: string;
  readonly amount_tax_c_n: string;
  readonly amount_tax: string;
  readonly remarks: string;
  readonly first_check: number;
  readonly last_check_time: string | null;
  readonly invoice_list: readonly InvoiceLine[];
}

export interface Verification {
  readonly data: InvoiceResult;
  /** ISO 8601 */
  readonly checked_at: string;
  readonly provider: { readonly name: string; readonly isLocal: boolean };
}

/** One of the company's earlier verifications. */
export interface PastCheck {
  readonly id: string;
  readonly created_at: string;
  readonly invoice_code: string | null;
  readonly invoice_number: string;
  readonly billing_date: string;
  readonly outcome: string;
  readonly sales_name: string | null;
  readonly amount_tax: string | null;
  readonly checked_by: string | null;
}

/** The spec's page size: all types at once. */
const PAGE_SIZE = 1000;

/** The types by their dictionary. */
export async function loadInvoiceTypes(): Promise<readonly TypeChoice[]> {
  const { records } = await http.post<{ readonly records: readonly TypeChoice[] }>(
    '/cyfp/queryDictByCondition',
    { currentPage: 1, pageSize: PAGE_SIZE, name: 'invoice_type' },
  );
  return records;
}

/** Verifies; a wrong field's message comes as a problem with the field's name. */
export function searchInvoice(query: InvoiceQuery): Promise<Verification> {
  return http.post<Verification>('/cyfp/search', query);
}

/** The last verifications of the company; null when the role may not see them, or the session has ended. */
export function loadHistory(): Promise<readonly PastCheck[] | null> {
  return http.get<readonly PastCheck[] | null>('/cyfp/history').catch(() => null);
}
