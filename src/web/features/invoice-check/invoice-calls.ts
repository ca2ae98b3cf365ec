import type { DictionaryItem, VerifiedInvoice } from '#contract/invoice-check.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';

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
export async function loadInvoiceTypes(): Promise<readonly DictionaryItem[]> {
  const { records } = await callApi('POST /cyfp/queryDictByCondition', {
    body: { currentPage: 1, pageSize: PAGE_SIZE, name: 'invoice_type' },
  });
  return records;
}

/** Verifies; a wrong field's message comes as a problem with the field's name. */
export function searchInvoice(query: InvoiceQuery): Promise<VerifiedInvoice> {
  return callApi('POST /cyfp/search', { body: query });
}

/** The last verifications of the company; null when the role may not see them, or the session has ended. */
export async function loadHistory(): Promise<readonly PastCheck[] | null> {
  const records = await callApi('GET /cyfp/history').catch(() => null);
  return records?.map(pastCheck) ?? null;
}

function pastCheck(record: ErpRecord): PastCheck {
  return {
    id: textOr(record['id'], ''),
    created_at: textOr(record['created_at'], ''),
    invoice_code: textOr(record['invoice_code'], null),
    invoice_number: textOr(record['invoice_number'], ''),
    billing_date: textOr(record['billing_date'], ''),
    outcome: textOr(record['outcome'], ''),
    sales_name: textOr(record['sales_name'], null),
    amount_tax: textOr(record['amount_tax'], null),
    checked_by: textOr(record['checked_by'], null),
  };
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
