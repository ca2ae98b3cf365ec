import type { FastifyBaseLogger } from 'fastify';
import type { Catalog, EvaluationContext, Subject } from '#engine/schema/resource.ts';
import type { Setup } from '#engine/schema/setup-files.ts';
import { companyToday } from '#engine/values/dates.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { overridesOf, paramsOf } from '#server/records/call/overrides.ts';
import { companyValues } from './regions.ts';
import { loadRates, rateOf, type RateBook } from './rate-book.ts';

/** Clock, parameters and rates for whatever is evaluated. */
export interface EvaluationContexts {
  readonly contextFor: (subject: Subject, now: Date) => EvaluationContext;
  /** Reads the rates again; parameters are read anew with the overrides. */
  readonly renew: () => Promise<void>;
}

export interface ContextSource {
  readonly db: Database;
  readonly definitions: {
    readonly catalog: () => Catalog;
    readonly setup: () => Setup;
    /** Grows when parameters may have changed. */
    readonly revision: () => number;
  };
  readonly log: FastifyBaseLogger;
}

/** Exchange rates written by people are in force within a minute. */
const RATES_MAX_AGE_MS = 60_000;
/** Companies and days whose parameters are remembered. */
const MAX_PARAM_SETS = 100;

/** Reads the rates and gives contexts from then on. */
export async function openContexts({ db, definitions, log }: ContextSource): Promise<EvaluationContexts> {
  const { catalog, revision } = definitions;
  let rates: RateBook = await loadRates(db, catalog());
  let params = new Map<string, Readonly<Record<string, string>>>();
  let paramsRevision = 0;
  const paramsFor = (company: string, today: string): Readonly<Record<string, string>> => {
    if (paramsRevision !== revision() || params.size > MAX_PARAM_SETS) params = new Map();
    paramsRevision = revision();
    const key = `${company}|${today}`;
    const found = params.get(key) ?? paramsOf(overridesOf({ db }), company, today);
    params.set(key, found);
    return found;
  };
  const refreshLater = (now: Date): void => {
    rates = { ...rates, loadedMs: now.getTime() };
    loadRates(db, catalog(), now).then(
      (book) => {
        rates = book;
      },
      (error: unknown) => log.warn({ err: error }, 'exchange rates cannot be read'),
    );
  };
  return {
    contextFor: (subject, now) => {
      const today = companyToday(now);
      const company = subject.co_code;
      const { workdays, decimals } = overridesOf({ db });
      if (now.getTime() - rates.loadedMs > RATES_MAX_AGE_MS) refreshLater(now);
      return {
        subject,
        today,
        now: now.toISOString(),
        params: paramsFor(company, today),
        paramOn: (name, date) => paramsFor(company, date)[name] ?? null,
        workdays,
        decimals,
        company: companyValues(definitions, company),
        rate: (currency, kind, date) => rateOf(rates, currency, { kind, date }),
      };
    },
    renew: async () => {
      rates = await loadRates(db, catalog());
    },
  };
}
