import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { defineValueCheck } from '#engine/values/value-checks.ts';
import { amountInWords } from '#trade/amount-in-words.ts';
import { definePrintWords } from '#engine/print/write-value.ts';
import { yuanInWords } from '#trade/yuan-in-words.ts';
import { TRADE_CHECKS } from '#trade/check-digits.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { buildServices } from '#server/auth/build-services.ts';
import { buildApp } from '#server/http/app.ts';
import { INVARIANTS } from './business/invariants/all-invariants.ts';
import { HS_IMPORT_SCHEDULE, hsImportTasks } from './business/setup/hs-import-job.ts';
import type { RegisteredRoute } from '#server/http/route-table.ts';
import { subjectNow } from '#server/auth/subject.ts';
import { keyFingerprint } from '#server/auth/transport-cipher.ts';
import { type Config, readConfig } from '#server/kernel/config.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { openDefinitions } from '#server/records/definitions/definition-store.ts';
import { readAhead } from '#server/records/definitions/read-ahead.ts';
import { tellFaults } from '#server/workflow/events/fault-notices.ts';
import type { Readiness } from '#server/http/health-routes.ts';
import { AUDIT_SCHEDULE, auditTasks } from '#server/workflow/jobs/verify-audit.ts';
import { INVARIANT_SCHEDULE, invariantTasks } from '#server/workflow/jobs/check-invariants.ts';
import { CLEAN_UP_SCHEDULE, cleanUpTasks } from '#server/workflow/jobs/clean-up.ts';
import { DERIVED_SCHEDULE, derivedTasks } from '#server/workflow/jobs/refresh-derived.ts';
import { startJobWorker } from '#server/kernel/worker.ts';
import { createLogger } from '#server/kernel/logger.ts';
import { openMessageBus } from '#server/kernel/db/message-bus.ts';
import { watchPulse } from '#server/kernel/db/pulse.ts';
import { createStreamHub } from '#server/workflow/notices/stream-hub.ts';
import { openStore } from '#server/kernel/postgres/open-store.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { RULE_SETS } from '#server/business/rules/all-rules.ts';
import { buildRuleRegistry } from '#server/records/rules/rule-registry.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { DAY_END_SCHEDULE, dayEndTasks } from '#server/workflow/jobs/day-end.ts';
import { MAIL_SCHEDULE, mailTasks } from '#server/workflow/mail/mail-job.ts';
import { SUBSCRIPTION_SCHEDULE, subscriptionTasks } from '#server/business/reports/send-subscriptions.ts';
import { EXPORT_SCHEDULE, exportTasks } from '#server/workflow/transfer/export-job.ts';
import { IMPORT_SCHEDULE, importTasks } from '#server/workflow/transfer/import-job.ts';
import { tellOperator } from '#server/kernel/tell-operator.ts';
import { listen } from '#server/http/listen.ts';

/** A running server. */
export interface RunningServer {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  readonly services: AppServices;
  /** Every call that it answers. */
  readonly routes: readonly RegisteredRoute[];
  /** Drains requests, then closes connections and stops the embedded database. */
  readonly close: () => Promise<void>;
}

export interface StartOptions {
  readonly clock?: () => Date;
  /** Chinese sentences on how far the start has come. */
  readonly onProgress?: (step: string) => void;
  /** Fills an empty database; without it the database serves as it is. */
  readonly prepare?: Prepare;
  /** False for benchmarks, which ask more than people do. */
  readonly isRateLimited?: boolean;
  /** Aborted while the server starts: what has started is closed, and the start is refused. */
  readonly signal?: AbortSignal;
}

/**
 * Fills a database that has never been filled, telling how far it has come; as the owner where even ledgers begin anew.
 * What it gives is still to be made while people work.
 */
export type Prepare = (
  services: AppServices,
  progress: (step: string) => void,
  owner: Database,
) => Promise<Growth | null | void>;

/** Makes what may come later; it ends at its next step when the signal is given, and tells the percents of 0 to 99. */
export type Growth = (life: {
  readonly signal: AbortSignal;
  readonly tell: (percent: number) => void;
}) => Promise<void>;

const DRAIN_MS = 15_000;

/**
 * Starts the server: database, definitions, tables, HTTP, and the first data of an empty database.
 * @throws StartRefusal with what the operator has to mend
 */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  for (const [name, check] of Object.entries(TRADE_CHECKS)) defineValueCheck(name, check);
  registerTradeFunctions();
  definePrintWords({ words: amountInWords, yuan: yuanInWords });
  const cleanups: (() => Promise<void> | void)[] = [];
  // Last made, first closed: requests end before what they work with.
  const drain = async (): Promise<void> => {
    for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
  };
  const { signal } = options;
  let ended: Promise<void> | undefined;
  const end = (): void => {
    ended = drain();
    // Who waits for the start hears of it.
    ended.catch(() => undefined);
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const started = await start(config, options, cleanups);
    if (signal?.aborted === true) throw new StartRefusal('启动已中止。');
    return { ...started, close: once(drain) };
  } catch (error) {
    await Promise.allSettled([ended]);
    // What came into being while the rest was being closed.
    await drain().catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function start(
  config: Config,
  options: StartOptions,
  cleanups: (() => Promise<void> | void)[],
): Promise<Omit<RunningServer, 'close'>> {
  const progress = (step: string): void => {
    if (options.signal?.aborted === true) throw new StartRefusal('启动已中止。');
    options.onProgress?.(step);
  };
  const clock = options.clock ?? (() => new Date());
  const log = createLogger(config);
  await requireSameKey(config);
  if (!config.isDemo && config.sms === null) log.warn('ERP_SMS_URL 未设置：须发送短信的操作将被拒绝');
  progress('启动数据库');
  const opening = openStore(config, cleanups, log);
  const rules = buildRuleRegistry(RULE_SETS);
  progress('读取定义');
  const definitionOptions = {
    folder: config.resourcesDir,
    reports: config.reportsDir,
    notes: config.dataDir,
    extras: lintExtras(),
    log,
  };
  const [store, ahead] = await Promise.all([opening, readAhead(definitionOptions)]);
  const { db, reader, walled, owner } = store;
  const pulse = watchPulse({
    login: db,
    onChange: ({ isAlive }) => {
      for (const database of [db, reader, walled, owner])
        if (isAlive) database.resume();
        else database.suspend();
      if (isAlive) bus.renew();
      log.warn(isAlive ? 'the database answers again' : 'the database does not answer');
    },
  });
  cleanups.push(() => pulse.stop());
  const bus = await openMessageBus({ login: db, id: `${hostname()}:${process.pid}:${randomUUID()}`, log });
  cleanups.push(() => bus.close());
  progress('升级数据表');
  const definitions = await openDefinitions({ ...definitionOptions, db, owner, bus }, ahead);
  cleanups.push(() => definitions.close());
  const services = buildServices({ config, db, reader, walled, definitions, log, clock, bus, rules });
  tellFaults(services);
  const hub = createStreamHub({ db, bus, notices: services.notices, definitions, log, clock });
  const readiness: Readiness = { isReady: false, step: '准备数据', growing: null, pulse };
  const { isRateLimited = true } = options;
  const { app, routes } = await buildApp(services, { hub, readiness, isRateLimited });
  await app.ready();
  const url = await listen(app, config);
  cleanups.push(async () => {
    readiness.isReady = false;
    hub.stop();
    const force = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
    await app.close();
    clearTimeout(force);
  });
  const tellStep = (step: string): void => {
    readiness.step = step;
    progress(step);
  };
  const growth = (await options.prepare?.(services, tellStep, owner)) ?? null;
  await definitions.refreshOverrides();
  const worker = await startJobWorker({
    login: db,
    owner,
    tasks: {
      ...exportTasks(services, (subject) => subjectNow(services, subject)),
      ...importTasks(services, (subject) => subjectNow(services, subject)),
      ...mailTasks(services),
      ...subscriptionTasks(services),
      ...dayEndTasks(services),
      ...derivedTasks(services),
      ...invariantTasks(services, INVARIANTS),
      ...hsImportTasks(services),
      ...auditTasks(services),
      ...cleanUpTasks(services, owner),
    },
    schedule: [
      ...EXPORT_SCHEDULE,
      ...IMPORT_SCHEDULE,
      ...MAIL_SCHEDULE,
      ...HS_IMPORT_SCHEDULE,
      ...SUBSCRIPTION_SCHEDULE,
      ...DAY_END_SCHEDULE,
      ...DERIVED_SCHEDULE,
      ...INVARIANT_SCHEDULE,
      ...AUDIT_SCHEDULE,
      ...CLEAN_UP_SCHEDULE,
    ],
    onFault: (message, details) => log.warn({ details }, message),
  });
  cleanups.push(() => worker.stop());
  readiness.isReady = true;
  if (growth !== null) cleanups.push(grow(growth, readiness, log));
  return { url, services, routes };
}

/** Starts what grows behind; gives what ends it. A fault of it is told and leaves what has grown. */
function grow(growth: Growth, readiness: Readiness, log: AppServices['log']): () => Promise<void> {
  const stopping = new AbortController();
  readiness.growing = 0;
  const tell = (percent: number): void => {
    readiness.growing = percent;
  };
  const grown = growth({ signal: stopping.signal, tell })
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) log.error({ err: error }, 'the demo company is not complete');
    })
    .finally(() => {
      readiness.growing = null;
    });
  return async () => {
    stopping.abort();
    await grown;
  };
}

/** Pages built with another transport key could not log anybody in. */
async function requireSameKey(config: Config): Promise<void> {
  const text = await readFile(join(config.webDir, 'build.json'), 'utf8').catch(() => null);
  if (text === null) return;
  const stamp: unknown = JSON.parse(text);
  const built =
    typeof stamp === 'object' && stamp !== null && 'transportKey' in stamp ? stamp.transportKey : undefined;
  if (built !== undefined && built !== keyFingerprint(config.aesKey))
    throw new StartRefusal(
      'ERP_AES_KEY 与页面构建时的密钥不同，请用同一个 ERP_AES_KEY 重新构建（npm run build）。',
    );
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= work());
}

/** The program: configuration from the environment, one line when it cannot start, a clean end on a signal at any time. */
export async function runServer(prepare: Prepare, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  // What this process writes is nobody else's: files, outbox, logs of the database, backups.
  process.umask(0o077);
  const stopping = new AbortController();
  let server: RunningServer | undefined;
  // A second signal changes nothing: the database would be left behind.
  const stop = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) return;
    tellOperator.progress(`收到 ${name}，正在停止`);
    stopping.abort();
    if (server !== undefined) void endProgram(server);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const config = readConfig(env);
    server = await startServer(config, {
      prepare,
      onProgress: (step) => tellOperator.progress(step),
      signal: stopping.signal,
    });
    tellOperator.ready(config, server.url);
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    if (!(error instanceof StartRefusal)) throw error;
    tellOperator.refusal(error.message);
    process.exit(1);
  }
}

async function endProgram(server: RunningServer): Promise<never> {
  try {
    await server.close();
  } catch (error) {
    server.services.log.error({ err: error }, 'shutdown failed');
    process.exit(1);
  }
  process.exit(0);
}
