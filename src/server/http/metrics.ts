import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AppServices } from '#server/auth/app-services.ts';
import { countJobs } from '#server/kernel/count-jobs.ts';
import { NOTICE_WRITTEN } from '#server/kernel/notices/notice-service.ts';
import type { StreamHub } from '#server/workflow/notices/stream-hub.ts';
import type { App } from './app-types.ts';
import type { Readiness } from './health-routes.ts';

/** What a scrape gets. */
export interface Metrics {
  readonly contentType: string;
  readonly read: () => Promise<string>;
}

/** Seconds: around what lists, saves and reports take. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Figures of the process itself: one set for it, however many servers run in it. */
let process: Registry | null = null;

/** Counts the requests of an app from here on, and looks at everything else when it is asked. */
export function measure(
  app: App,
  services: AppServices,
  parts: { readonly hub: StreamHub; readonly readiness: Readiness },
): Metrics {
  const own = new Registry();
  measureRequests(app, own);
  measurePools(own, services);
  measureJobs(own, services, parts.readiness);
  measureNotices(own, services, parts.hub);
  measureState(own, services, parts.readiness);
  const ofProcess = processRegistry();
  return {
    contentType: own.contentType,
    read: async () => (await Promise.all([ofProcess.metrics(), own.metrics()])).join('\n'),
  };
}

function processRegistry(): Registry {
  if (process !== null) return process;
  process = new Registry();
  collectDefaultMetrics({ register: process });
  return process;
}

/** What one route observes by status; labels are put together once for each. */
type Observers = Map<number, { readonly observe: (seconds: number) => void }>;

/** By route pattern, never by address: an id in a label would be a series of its own. Streams, which stay open, are left out. */
function measureRequests(app: App, registry: Registry): void {
  const duration = new Histogram({
    name: 'erp_http_request_duration_seconds',
    help: 'Requests answered, by route pattern, method and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  const byRoute = new WeakMap<object, Observers>();
  app.addHook('onResponse', (request, reply, done) => {
    const { config } = request.routeOptions;
    const { statusCode } = reply;
    if (config.contract?.gives !== 'events') {
      const known = byRoute.get(config) ?? new Map();
      const observer =
        known.get(statusCode) ??
        duration.labels({
          method: request.is404 ? '*' : request.method,
          route: request.is404 ? '*' : config.url,
          status: statusCode,
        });
      if (!known.has(statusCode)) byRoute.set(config, known.set(statusCode, observer));
      observer.observe(reply.elapsedTime / 1000);
    }
    done();
  });
}

function measurePools(registry: Registry, { db, reader, walled }: AppServices): void {
  const pools = { application: db.pool, reader: reader.pool, walled: walled.pool };
  const connections = new Gauge({
    name: 'erp_database_connections',
    help: 'Connections of a pool (total, idle) and statements that wait for one (waiting)',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect: () => {
      for (const [name, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        connections.set({ pool: name, state: 'total' }, totalCount);
        connections.set({ pool: name, state: 'idle' }, idleCount);
        connections.set({ pool: name, state: 'waiting' }, waitingCount);
      }
    },
  });
}

/** Over all processes: whoever adds them up counts them twice. Absent while the database is away. */
function measureJobs(registry: Registry, { db, log }: AppServices, { pulse }: Readiness): void {
  const jobs = new Gauge({
    name: 'erp_jobs',
    help: 'Background jobs of all processes, by task and state (ready, scheduled, running, failed)',
    labelNames: ['task', 'state'] as const,
    registers: [registry],
    collect: async () => {
      jobs.reset();
      oldest.reset();
      if (!pulse.state().isAlive) return;
      try {
        const found = await countJobs(db);
        for (const { task, state, jobs: count } of found) jobs.set({ task, state }, count);
        oldest.set(Math.max(0, ...found.map(({ waitingS }) => waitingS)));
      } catch (error) {
        log.warn({ err: error }, 'jobs cannot be counted');
      }
    },
  });
  const oldest = new Gauge({
    name: 'erp_jobs_oldest_ready_seconds',
    help: 'How long the job that is ready for longest has waited',
    registers: [registry],
  });
}

function measureNotices(registry: Registry, { bus }: AppServices, hub: StreamHub): void {
  gauge(registry, 'erp_streams_connected', 'Open streams of live notices', () => hub.size());
  const written = new Counter({
    name: 'erp_notices_total',
    help: 'Notices written by all processes, as this one heard of them',
    registers: [registry],
  });
  bus.listen(NOTICE_WRITTEN, ({ ids }) => written.inc(ids.length));
  const sent = new Counter({
    name: 'erp_notices_sent_total',
    help: 'Notices written to streams of this process',
    registers: [registry],
    collect: () => {
      sent.reset();
      sent.inc(hub.sent());
    },
  });
}

function measureState(registry: Registry, { definitions }: AppServices, readiness: Readiness): void {
  const { pulse } = readiness;
  gauge(registry, 'erp_ready', '1 once migrations and import are done', () => Number(readiness.isReady));
  gauge(registry, 'erp_database_up', '1 while the database answers', () => Number(pulse.state().isAlive));
  gauge(
    registry,
    'erp_definition_faults',
    'Faults in definition files, whose last good version serves',
    () => definitions.faults().length,
  );
}

/** A figure that is looked at when somebody asks. */
function gauge(registry: Registry, name: string, help: string, look: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(look()) });
}
