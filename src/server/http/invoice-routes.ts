import { recentChecks } from '#server/business/invoices/recent-checks.ts';
import { verifyInvoice } from '#server/business/invoices/verify-invoice.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { siteOf } from './site.ts';

// What is missing or wrong is told by the form's own check, beside its field.
const TEXT = { type: ['string', 'null'], maxLength: 100 } as const;

const QUERY = {
  type: 'object',
  properties: {
    purchaserTaxNo: TEXT,
    invoiceCode: TEXT,
    invoiceNumber: TEXT,
    billingDate: TEXT,
    totalAmount: TEXT,
    invoiceType: TEXT,
    amountTax: TEXT,
    checkCode: TEXT,
  },
  additionalProperties: false,
} as const;

const DICTIONARY_QUERY = {
  type: 'object',
  required: ['name'],
  properties: {
    currentPage: { type: 'integer', minimum: 1, maximum: 1000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
    name: { type: 'string', maxLength: 40 },
  },
  additionalProperties: false,
} as const;

/** The only dictionary that is open to visitors. */
const PUBLIC_DICTIONARY = 'invoice_type';

/** Verification of VAT invoices, /cyfp (spec sections 2.5 and 7). */
export function registerInvoiceRoutes(app: App, services: AppServices): void {
  app.post(
    '/cyfp/queryDictByCondition',
    { config: { permission: 'visitor' }, schema: { body: DICTIONARY_QUERY } },
    async (request) => {
      const { name, currentPage = 1, pageSize = 1000 } = request.body;
      const dictionary = Object.values(currentCatalog(services).dictionaries).find(
        (one) => one.name === name || one.label === name,
      );
      const isOpen = request.caller !== null || dictionary?.name === PUBLIC_DICTIONARY;
      const items = isOpen ? (dictionary?.items ?? []) : [];
      return answer({
        records: items
          .slice((currentPage - 1) * pageSize, currentPage * pageSize)
          .map(({ value, label }) => ({ id: value, label, value })),
        total: items.length,
        currentPage,
        pageSize,
      });
    },
  );
  app.post(
    '/cyfp/search',
    { config: { permission: 'visitor' }, schema: { body: QUERY } },
    async (request) => {
      const { body, caller } = request;
      const company =
        caller === null || caller.subject.co_code === ''
          ? (await siteOf(services, request.hostname)).coCode
          : caller.subject.co_code;
      const verified = await verifyInvoice(
        services,
        {
          invoiceType: body.invoiceType ?? '',
          purchaserTaxNo: body.purchaserTaxNo ?? '',
          invoiceCode: body.invoiceCode ?? '',
          invoiceNumber: body.invoiceNumber ?? '',
          billingDate: body.billingDate ?? '',
          totalAmount: body.totalAmount ?? '',
          amountTax: body.amountTax ?? '',
          checkCode: body.checkCode ?? '',
        },
        { caller, company, address: request.ip },
      );
      return answer(verified, '查验成功!');
    },
  );
  app.get('/cyfp/history', { config: { permission: 'visitor' } }, async (request) =>
    answer(await recentChecks(services, request.caller)),
  );
}
