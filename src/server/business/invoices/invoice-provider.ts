import type { InvoiceFacts, InvoiceLine } from '#contract/invoice-check.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import type { HttpProvider } from '#server/kernel/outside-config.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Where invoices are verified. */
export interface InvoiceProvider {
  /** Shown to users as the source. */
  readonly name: string;
  /** True: no tax authority was asked. */
  readonly isLocal: boolean;
  /** The invoice when it exists and everything agrees, null otherwise. @throws INVOICE_PROVIDER_FAILED */
  readonly find: (query: InvoiceQuery) => Promise<InvoiceFacts | null>;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 2_000_000;
const MAX_LINES = 2_000;

/**
 * The service behind ERP_INVOICE_URL: it is sent the query as JSON (the field names of the product) with the token as
 * bearer, and answers 200 `{ "found": true, "invoice": { purchaser_name, purchaser_tax_no, sales_name, sales_tax_no,
 * amount_tax, remarks, invoice_list: [...] } }`, or `{ "found": false }`. Anything else is a failure, and so is no whole
 * answer within the time.
 */
export function httpInvoiceProvider(service: HttpProvider, timeoutMs = TIMEOUT_MS): InvoiceProvider {
  return {
    name: '发票查验服务',
    isLocal: false,
    find: async (query) => {
      const answer = await ask(service, query, timeoutMs);
      if (!isObject(answer) || typeof answer['found'] !== 'boolean') throw failed('no "found" in the answer');
      if (!answer['found']) return null;
      const facts = readFacts(answer['invoice']);
      if (facts === null) throw failed('the invoice in the answer is not readable');
      return facts;
    },
  };
}

async function ask({ url, token }: HttpProvider, query: InvoiceQuery, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(query),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw failed(`status ${response.status}`);
    const text = await response.text();
    if (text.length > MAX_ANSWER) throw failed('the answer is too long');
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof AppError ? error : failed(error);
  }
}

function failed(cause: unknown): AppError {
  return new AppError('INVOICE_PROVIDER_FAILED', { cause });
}

/** Facts from a stranger's answer; null when an amount is none or a text is missing. */
export function readFacts(value: unknown): InvoiceFacts | null {
  if (!isObject(value)) return null;
  const lines: readonly unknown[] = Array.isArray(value['invoice_list']) ? value['invoice_list'] : [];
  const amount = decimalText(value['amount_tax']);
  if (amount === null || amount === '' || lines.length > MAX_LINES) return null;
  const list = lines.map(readLine);
  if (list.includes(null)) return null;
  return {
    purchaser_name: plainText(value['purchaser_name'], 120),
    purchaser_tax_no: plainText(value['purchaser_tax_no'], 20),
    sales_name: plainText(value['sales_name'], 120),
    sales_tax_no: plainText(value['sales_tax_no'], 20),
    amount_tax: amount,
    remarks: plainText(value['remarks'], 2000),
    invoice_list: list.filter((line) => line !== null),
  };
}

function readLine(value: unknown, index: number): InvoiceLine | null {
  if (!isObject(value)) return null;
  const [quantity, price, amount, tax] = ['quantity', 'unit_price', 'amount', 'tax'].map((name) =>
    decimalText(value[name]),
  );
  if (quantity == null || price == null || amount == null || tax == null) return null;
  return {
    row_no: index + 1,
    commodity_name: plainText(value['commodity_name'], 200),
    specification_model: plainText(value['specification_model'], 100),
    unit: plainText(value['unit'], 20),
    quantity,
    unit_price: price,
    amount,
    tax_rate: plainText(value['tax_rate'], 10),
    tax,
  };
}

/** Decimal text with at most eight decimals; empty for nothing; null for what is no number. */
function decimalText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return '';
  const text = typeof value === 'number' ? String(value) : value;
  return isPlainDecimal(text) && /^-?\d{1,16}(\.\d{1,8})?$/.test(text) ? text : null;
}

function plainText(value: unknown, max: number): string {
  return typeof value === 'string'
    ? value
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, max)
    : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
