import type { AppServices } from '#server/auth/app-services.ts';
import type { App } from './app-types.ts';

/** How far the start has come; `/ready` answers 200 only after migrations and import. */
export interface Readiness {
  isReady: boolean;
  /** Shown while it is not. */
  step: string;
}

/** Probes for whoever watches the process, outside the API's path. */
export function registerHealthRoutes(app: App, services: AppServices, readiness: Readiness): void {
  const config = { permission: 'public' } as const;
  app.get('/health', { config }, async () => ({ code: 200, msg: 'ok', data: { status: 'up' } }));
  app.get('/ready', { config }, async (request, reply) => {
    if (!readiness.isReady)
      return reply
        .code(503)
        .send({ code: 503, msg: `正在启动：${readiness.step}`, data: null, requestId: request.id });
    const isConnected = await services.db.query('select 1', [], 'ready').then(
      () => true,
      () => false,
    );
    if (!isConnected)
      return reply.code(503).send({ code: 503, msg: '数据库不可用', data: null, requestId: request.id });
    return { code: 200, msg: 'ok', data: { status: 'ready', faults: services.definitions.faults().length } };
  });
}
