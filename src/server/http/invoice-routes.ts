import { recentChecks } from '#server/business/invoices/recent-checks.ts';
import { verifyInvoice } from '#server/business/invoices/verify-invoice.ts';
import type { Dictionary } from '#engine/schema/resource.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { loadDictionaries } from '#server/records/definitions/dictionary-values.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { serve } from './serve.ts';
import { siteOf } from './site.ts';

/** The only dictionary that is open to visitors. */
const PUBLIC_DICTIONARY = 'invoice_type';

function visitorItems(dictionary: Dictionary | undefined): Dictionary['items'] {
  return dictionary?.name === PUBLIC_DICTIONARY ? dictionary.items : [];
}

/** Verification of VAT invoices (spec sections 2.5 and 7). */
export function registerInvoiceRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /cyfp/queryDictByCondition', async (request) => {
    const { name, currentPage, pageSize } = request.body;
    const catalog = currentCatalog(services);
    const dictionary = Object.values(catalog.dictionaries).find(
      (one) => one.name === name || one.label === name,
    );
    const { caller } = request;
    const items =
      caller === null || dictionary === undefined
        ? visitorItems(dictionary)
        : ((await loadDictionaries({ services, caller, catalog }, [dictionary.name]))[dictionary.name]
            ?.items ?? []);
    const records = items
      .slice((currentPage - 1) * pageSize, currentPage * pageSize)
      .map(({ value, label }) => ({ id: value, label, value }));
    return answer({ records, total: items.length, currentPage, pageSize });
  });
  serve(app, 'POST /cyfp/search', async (request) => {
    const { body, caller } = request;
    const own = caller?.subject.co_code ?? '';
    const company = own === '' ? (await siteOf(services, request.hostname)).coCode : own;
    const query = {
      invoiceType: body.invoiceType ?? '',
      purchaserTaxNo: body.purchaserTaxNo ?? '',
      invoiceCode: body.invoiceCode ?? '',
      invoiceNumber: body.invoiceNumber ?? '',
      billingDate: body.billingDate ?? '',
      totalAmount: body.totalAmount ?? '',
      amountTax: body.amountTax ?? '',
      checkCode: body.checkCode ?? '',
    };
    const verified = await verifyInvoice(services, query, { caller, company, address: request.ip });
    return answer(verified, '查验成功!');
  });
  serve(app, 'GET /cyfp/history', async (request) => answer(await recentChecks(services, request.caller)));
}
