import { lockName } from '#server/kernel/db/lock-name.ts';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Services } from '#server/records/services.ts';
import type { InvoiceFacts } from '#contract/invoice-check.ts';
import { type InvoiceProvider, readFacts } from './invoice-provider.ts';

/** Tax authorities answer about five queries an invoice and day (refdata/notes_tax_invoice_rules.md). */
const CALLS_PER_INVOICE = 5;
/** Of these, visitors: whoever guesses at an invoice must not use up what the company's own people need. */
const CALLS_OF_VISITORS = 2;
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
  /** Nobody is logged in. */
  readonly isVisitor: boolean;
}

interface KeptAnswer {
  readonly status: 'asking' | 'done' | 'failed';
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
    if (claim !== null) return askAndKeep(services, provider, { ...question, key, claim });
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
  asked: Pick<Question, 'query' | 'isVisitor'> & {
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
    // A service that is down for an hour must not close the invoice for the day.
    await db.execute(
      `update sys_invoice_query set status = 'failed', calls = calls - 1, visitor_calls = visitor_calls - $5 ${MINE}`,
      [...mine, asked.isVisitor ? 1 : 0],
    );
    throw error;
  }
}

const MINE = 'where co_code = $1 and query_hash = $2 and day = $3::date and claim = $4::uuid';

/** Null when somebody else asks or has asked. @throws RATE_LIMITED */
async function takeClaim({ db, clock }: Services, question: Question, hash: string): Promise<string | null> {
  const { company, query, day, isVisitor } = question;
  const claim = randomUUID();
  const at = clock();
  const invoiceKey = `${company} ${query.invoiceCode} ${query.invoiceNumber}`;
  return db.transaction(async (tx) => {
    await lockName(tx, `invoice ${invoiceKey}`);
    if (!(await mustAsk(tx, [company, hash, day], at))) return null;
    await requireCall(tx, { invoiceKey, day, isVisitor });
    await tx.execute(
      `insert into sys_invoice_query (co_code, query_hash, day, invoice_key, claim, status, at, calls, visitor_calls)
       values ($1, $2, $3::date, $4, $5::uuid, 'asking', $6::timestamptz, 1, $7)
       on conflict (co_code, query_hash, day) do update set claim = excluded.claim, status = 'asking', at = excluded.at,
         calls = sys_invoice_query.calls + 1, visitor_calls = sys_invoice_query.visitor_calls + excluded.visitor_calls`,
      [company, hash, day, invoiceKey, claim, at.toISOString(), isVisitor ? 1 : 0],
    );
    return claim;
  });
}

/** False while somebody asks, and when the answer is known: an invoice that was found, or lately not. */
async function mustAsk(tx: Tx, key: readonly [string, string, string], at: Date): Promise<boolean> {
  const [row] = await tx.query<{ status: string; is_found: boolean; at: Date | string }>(
    `select status, facts is not null as is_found, at from sys_invoice_query
     where co_code = $1 and query_hash = $2 and day = $3::date`,
    key,
  );
  if (row === undefined || row.status === 'failed') return true;
  const age = at.getTime() - new Date(row.at).getTime();
  if (row.status === 'asking') return age > ABANDONED_MS;
  return !row.is_found && age > NOT_FOUND_KEPT_MS;
}

async function requireCall(
  tx: Tx,
  asked: { readonly invoiceKey: string; readonly day: string; readonly isVisitor: boolean },
): Promise<void> {
  const [made] = await tx.query<{ calls: number; visitor_calls: number }>(
    `select coalesce(sum(calls), 0)::int as calls, coalesce(sum(visitor_calls), 0)::int as visitor_calls
     from sys_invoice_query where invoice_key = $1 and day = $2::date`,
    [asked.invoiceKey, asked.day],
  );
  const isSpent = (made?.calls ?? 0) >= CALLS_PER_INVOICE;
  const isVisitorSpent = asked.isVisitor && (made?.visitor_calls ?? 0) >= CALLS_OF_VISITORS;
  if (!isSpent && !isVisitorSpent) return;
  throw new AppError('RATE_LIMITED', {
    message: isSpent
      ? '该发票今日查验次数已达上限，请明天再查'
      : '该发票今日查验次数已达上限，请明天再查，或登录后查验',
    retryAfterS: 3600,
  });
}
