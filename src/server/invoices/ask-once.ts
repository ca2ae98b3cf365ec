import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import { type InvoiceFacts, type InvoiceProvider, readFacts } from './invoice-provider.ts';

/** Tax authorities answer about five queries an invoice and day (refdata/notes_tax_invoice_rules.md). */
const CALLS_PER_INVOICE = 5;
/** An invoice that is not found may have been issued today and arrive later. */
const NOT_FOUND_KEPT_MS = 10 * 60_000;
/** A process that asked this long ago has died. */
const ABANDONED_MS = 30_000;
const WAIT_MS = 15_000;
const POLL_MS = 100;

interface Question {
  readonly company: string;
  readonly query: InvoiceQuery;
  /** yyyy-MM-dd in Shanghai. */
  readonly day: string;
}

interface KeptAnswer {
  readonly status: 'asking' | 'done';
  readonly facts: unknown;
}

/**
 * Asks the provider at most once a day for the same query, also from several processes at once: one asks, the others
 * wait for its answer. Nothing holds a connection while the provider thinks.
 * @throws INVOICE_PROVIDER_FAILED, RATE_LIMITED beyond the calls of an invoice and day
 */
export async function askOnce(
  services: Services,
  provider: InvoiceProvider,
  question: Question,
): Promise<InvoiceFacts | null> {
  const hash = createHash('sha256').update(JSON.stringify(question.query)).digest('hex');
  const key = [question.company, hash, question.day] as const;
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const claim = await takeClaim(services, question, hash);
    if (claim !== null) return askAndKeep(services, provider, { query: question.query, key, claim });
    const [kept] = await services.db.query<KeptAnswer & Record<string, unknown>>(
      'select status, facts from sys_invoice_query where co_code = $1 and query_hash = $2 and day = $3::date',
      key,
    );
    if (kept?.status === 'done') return kept.facts === null ? null : readFacts(kept.facts);
    if (Date.now() > deadline) throw new AppError('INVOICE_PROVIDER_FAILED');
    await delay(POLL_MS);
  }
}

async function askAndKeep(
  { db, clock }: Services,
  provider: InvoiceProvider,
  asked: {
    readonly query: InvoiceQuery;
    readonly key: readonly [string, string, string];
    readonly claim: string;
  },
): Promise<InvoiceFacts | null> {
  const mine = [...asked.key, asked.claim];
  try {
    const facts = await provider.find(asked.query);
    await db.execute(`update sys_invoice_query set status = 'done', facts = $5::jsonb, at = $6 ${MINE}`, [
      ...mine,
      facts === null ? null : JSON.stringify(facts),
      clock().toISOString(),
    ]);
    return facts;
  } catch (error) {
    await db.execute(`delete from sys_invoice_query ${MINE}`, mine);
    throw error;
  }
}

const MINE = 'where co_code = $1 and query_hash = $2 and day = $3::date and claim = $4::uuid';

/** Null when somebody else asks or has asked. */
async function takeClaim(
  { db, clock }: Services,
  { company, query, day }: Question,
  hash: string,
): Promise<string | null> {
  const claim = randomUUID();
  const at = clock();
  const invoiceKey = `${company} ${query.invoiceCode} ${query.invoiceNumber}`;
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`invoice ${invoiceKey}`]);
    const [others] = await tx.query<{ n: number }>(
      'select count(*)::int as n from sys_invoice_query where invoice_key = $1 and day = $2::date and query_hash <> $3',
      [invoiceKey, day, hash],
    );
    if ((others?.n ?? 0) >= CALLS_PER_INVOICE)
      throw new AppError('RATE_LIMITED', {
        message: '该发票今日查验次数已达上限，请明天再查',
        retryAfterS: 3600,
      });
    const taken = await tx.execute(
      `insert into sys_invoice_query (co_code, query_hash, day, invoice_key, claim, status, at)
       values ($1, $2, $3::date, $4, $5::uuid, 'asking', $6::timestamptz)
       on conflict (co_code, query_hash, day) do update set claim = excluded.claim, status = 'asking', at = excluded.at
       where (sys_invoice_query.status = 'asking' and sys_invoice_query.at < $7::timestamptz)
         or (sys_invoice_query.status = 'done' and sys_invoice_query.facts is null and sys_invoice_query.at < $8::timestamptz)`,
      [
        company,
        hash,
        day,
        invoiceKey,
        claim,
        at.toISOString(),
        new Date(at.getTime() - ABANDONED_MS).toISOString(),
        new Date(at.getTime() - NOT_FOUND_KEPT_MS).toISOString(),
      ],
    );
    return taken > 0 ? claim : null;
  });
}
