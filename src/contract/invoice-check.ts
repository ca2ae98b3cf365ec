import type { CallGroup } from './call.ts';
import { FLAG, RECORD, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import type { Shape } from './shape.ts';

// What is missing or wrong is told by the form's own check, beside its field.
const FORM_TEXT = { type: ['string', 'null'], maxLength: 100 } as const;

const QUERY = {
  type: 'object',
  properties: {
    purchaserTaxNo: FORM_TEXT,
    invoiceCode: FORM_TEXT,
    invoiceNumber: FORM_TEXT,
    billingDate: FORM_TEXT,
    totalAmount: FORM_TEXT,
    invoiceType: FORM_TEXT,
    amountTax: FORM_TEXT,
    checkCode: FORM_TEXT,
  },
  additionalProperties: false,
} as const;

/** `name` is the dictionary's code or label. */
const DICTIONARY_QUERY = {
  type: 'object',
  required: ['name'],
  properties: {
    currentPage: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
    name: { type: 'string', maxLength: 40 },
  },
  additionalProperties: false,
} as const;

const DICTIONARY_ITEM = {
  type: 'object',
  required: ['id', 'label', 'value'],
  properties: { id: TEXT, label: TEXT, value: TEXT },
  additionalProperties: false,
} as const;

const DICTIONARY_PAGE = {
  type: 'object',
  required: ['records', 'total', 'currentPage', 'pageSize'],
  properties: {
    records: { type: 'array', items: DICTIONARY_ITEM },
    total: WHOLE,
    currentPage: WHOLE,
    pageSize: WHOLE,
  },
  additionalProperties: false,
} as const;

/** A line of a verified invoice; amounts and quantities are decimal text, empty where the invoice says nothing. */
const LINE = {
  type: 'object',
  required: [
    'row_no',
    'commodity_name',
    'specification_model',
    'unit',
    'quantity',
    'unit_price',
    'amount',
    'tax_rate',
    'tax',
  ],
  properties: {
    row_no: WHOLE,
    commodity_name: TEXT,
    specification_model: TEXT,
    unit: TEXT,
    quantity: TEXT,
    unit_price: TEXT,
    amount: TEXT,
    /** As printed: `13%`, `免税`. */
    tax_rate: TEXT,
    tax: TEXT,
  },
  additionalProperties: false,
} as const;

/** What a source knows of an invoice that agrees with the query. */
const FACTS = {
  purchaser_name: TEXT,
  purchaser_tax_no: TEXT,
  sales_name: TEXT,
  sales_tax_no: TEXT,
  /** With tax, decimal text. */
  amount_tax: TEXT,
  remarks: TEXT,
  invoice_list: { type: 'array', items: LINE },
} as const;
const FACT_KEYS = [
  'purchaser_name',
  'purchaser_tax_no',
  'sales_name',
  'sales_tax_no',
  'amount_tax',
  'remarks',
  'invoice_list',
] as const;

const INVOICE_FACTS = {
  type: 'object',
  required: FACT_KEYS,
  properties: FACTS,
  additionalProperties: false,
} as const;

const INVOICE = {
  type: 'object',
  required: [
    ...FACT_KEYS,
    'invoice_type',
    'invoice_code',
    'invoice_number',
    'billing_date',
    'amount_tax_c_n',
    'first_check',
    'last_check_time',
  ],
  properties: {
    ...FACTS,
    invoice_type: TEXT,
    invoice_code: TEXT,
    invoice_number: TEXT,
    billing_date: TEXT,
    /** 大写 */
    amount_tax_c_n: TEXT,
    first_check: WHOLE,
    last_check_time: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

/** A verified invoice as the page shows it (spec section 3). */
const VERIFIED = {
  type: 'object',
  required: ['data', 'invoice_type', 'first_check', 'last_check_time', 'checked_at', 'provider'],
  properties: {
    data: INVOICE,
    invoice_type: TEXT,
    /** How often the company verified this invoice, this time included. */
    first_check: WHOLE,
    /** The time before, null at the first. */
    last_check_time: TEXT_OR_NULL,
    /** This time, ISO 8601. */
    checked_at: TEXT,
    provider: {
      type: 'object',
      required: ['name', 'isLocal'],
      properties: { name: TEXT, isLocal: FLAG },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

export type DictionaryItem = Shape<typeof DICTIONARY_ITEM>;
export type InvoiceLine = Shape<typeof LINE>;
export type InvoiceFacts = Shape<typeof INVOICE_FACTS>;
export type VerifiedInvoice = Shape<typeof VERIFIED>;

/** Verification of VAT invoices (spec sections 2.5 and 7). */
export const INVOICE_CHECK_CALLS = {
  'POST /cyfp/queryDictByCondition': {
    title: '发票类型等字典',
    permission: 'visitor',
    body: DICTIONARY_QUERY,
    data: DICTIONARY_PAGE,
  },
  'POST /cyfp/search': {
    title: '发票查验',
    permission: 'visitor',
    keyedBy: ['invoiceNumber', 'billingDate'],
    body: QUERY,
    data: VERIFIED,
  },
  'GET /cyfp/history': {
    title: '本公司最近的查验记录',
    permission: 'visitor',
    data: { anyOf: [{ type: 'array', items: RECORD }, { type: 'null' }] },
  },
} as const satisfies CallGroup;
