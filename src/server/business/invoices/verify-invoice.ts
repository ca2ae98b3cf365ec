import type { InvoiceFacts, VerifiedInvoice } from '#contract/invoice-check.ts';
import { amountInChinese } from '#trade/amount-in-chinese.ts';
import { type InvoiceQuery, invoiceQueryProblems, normaliseInvoiceQuery } from '#trade/tax-invoice.ts';
import { companyToday } from '#engine/values/dates.ts';
import { countCall } from '#server/auth/call-limit.ts';
import { lockName } from '#server/kernel/db/lock-name.ts';
import { AppError } from '#server/kernel/errors.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord, type SystemContext } from '#server/records/write/system-write.ts';
import { findNamed } from '#server/business/find-named.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { askOnce } from './ask-once.ts';
import { httpInvoiceProvider, type InvoiceProvider } from './invoice-provider.ts';
import { localInvoiceProvider } from './local-provider.ts';

/** Who wants an invoice verified, and for which company: the session's, else the one whose address was called; empty for none. */
export interface InvoiceAsker {
  readonly caller: Caller | null;
  readonly company: string;
  readonly address: string;
}

/** Visitors by their address, people by themselves: an office shares one address. */
const VISITOR_LIMIT = { calls: 20, seconds: 3600 } as const;
const PERSON_LIMIT = { calls: 200, seconds: 3600 } as const;

/**
 * Verifies an invoice and keeps a record of it.
 * @throws VALIDATION with a problem beside each field, RATE_LIMITED, INVOICE_NOT_FOUND, INVOICE_PROVIDER_FAILED
 */
export async function verifyInvoice(
  services: Services,
  form: InvoiceQuery,
  asker: InvoiceAsker,
): Promise<VerifiedInvoice> {
  const at = services.clock();
  const day = companyToday(at);
  const query = normaliseInvoiceQuery(form);
  const problems = invoiceQueryProblems(query, day);
  if (problems.length > 0)
    throw new AppError('VALIDATION', { problems, message: problems[0]?.message ?? '' });
  await countCall(services.db, limitOf(asker), at);
  const { company } = asker;
  const provider = providerFor(services, company);
  const facts = provider.isLocal
    ? await provider.find(query)
    : await askOnce(services, provider, { company, query, day, isVisitor: asker.caller === null });
  const kept = await keepRecord(services, { asker, query, facts, provider });
  if (facts === null) throw new AppError('INVOICE_NOT_FOUND');
  const { invoiceType, invoiceCode, invoiceNumber, billingDate } = query;
  return {
    data: {
      ...facts,
      invoice_type: invoiceType,
      invoice_code: invoiceCode,
      invoice_number: invoiceNumber,
      billing_date: billingDate,
      amount_tax_c_n: amountInChinese(facts.amount_tax) ?? '',
      first_check: kept.count,
      last_check_time: kept.last,
    },
    invoice_type: invoiceType,
    first_check: kept.count,
    last_check_time: kept.last,
    checked_at: at.toISOString(),
    provider: { name: provider.name, isLocal: provider.isLocal },
  };
}

function limitOf({ caller, address }: InvoiceAsker): Parameters<typeof countCall>[1] {
  return caller === null
    ? {
        kind: 'invoice check',
        subject: address,
        ...VISITOR_LIMIT,
        message: '查验过于频繁：未登录时每小时可查20次，请稍后再试或登录后查验',
      }
    : {
        kind: 'invoice check',
        subject: caller.subject.id,
        ...PERSON_LIMIT,
        message: '查验过于频繁：每小时可查200次，请稍后再试',
      };
}

function providerFor(services: Services, company: string): InvoiceProvider {
  const { invoice } = services.config;
  return invoice === null ? localInvoiceProvider(services, company) : httpInvoiceProvider(invoice);
}

const RESOURCE = 'invoice_check';

interface Outcome {
  readonly asker: InvoiceAsker;
  readonly query: InvoiceQuery;
  readonly facts: InvoiceFacts | null;
  readonly provider: InvoiceProvider;
}

/** Writes the record and counts it; two at once get two counts. Where no company is asked for, nothing is kept. */
async function keepRecord(
  services: Services,
  outcome: Outcome,
): Promise<{ readonly count: number; readonly last: string | null }> {
  const { asker, query } = outcome;
  if (asker.company === '' || currentCatalog(services).resources[RESOURCE] === undefined)
    return { count: 1, last: null };
  return services.db.transaction(async (tx) => {
    const context = { tx, services, caller: systemCaller(services, asker.company) };
    const before = await earlierChecks(context, query);
    await insertRecord(context, RESOURCE, recordOf(outcome, before));
    return { count: before.count + 1, last: before.last };
  });
}

async function earlierChecks(
  context: SystemContext,
  { invoiceCode, invoiceNumber }: InvoiceQuery,
): Promise<{ readonly count: number; readonly last: string | null }> {
  const company = context.caller.subject.co_code;
  await lockName(context.tx, `invoice check ${company} ${invoiceCode} ${invoiceNumber}`);
  const checks = await findNamed(context, RESOURCE, {
    where: {
      invoice_code: invoiceCode === '' ? { null: true } : { eq: invoiceCode },
      invoice_number: { eq: invoiceNumber },
      outcome: { eq: 'verified' },
    },
    fields: ['created_at'],
    order: ['-created_at'],
  });
  const last = checks[0]?.created_at;
  return { count: checks.length, last: typeof last === 'string' ? last : null };
}

function recordOf(
  { asker, query, facts, provider }: Outcome,
  before: { readonly count: number; readonly last: string | null },
): Record<string, unknown> {
  return {
    co_code: asker.company,
    invoice_type: query.invoiceType,
    purchaser_tax_no: query.purchaserTaxNo,
    invoice_code: query.invoiceCode || null,
    invoice_number: query.invoiceNumber,
    billing_date: query.billingDate,
    total_amount: query.totalAmount || null,
    amount_tax: facts?.amount_tax ?? (query.amountTax || null),
    check_code: query.checkCode || null,
    outcome: facts === null ? 'mismatch' : 'verified',
    provider: provider.name,
    checked_by: asker.caller?.subject.name ?? '访客',
    ...(facts === null
      ? {}
      : {
          first_check: before.count + 1,
          last_check_time: before.last,
          purchaser_name: facts.purchaser_name,
          sales_name: facts.sales_name,
          sales_tax_no: facts.sales_tax_no,
          amount_tax_c_n: amountInChinese(facts.amount_tax),
          remarks: facts.remarks,
          invoice_list: facts.invoice_list.map((line) => ({
            ...line,
            quantity: line.quantity || null,
            unit_price: line.unit_price || null,
            amount: line.amount || null,
            tax: line.tax || null,
          })),
        }),
  };
}
