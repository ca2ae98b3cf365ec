import type { AppServices } from '#server/auth/app-services.ts';
import type { Pulse } from '#server/kernel/db/pulse.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { serve } from './serve.ts';

/** How far the start has come; `/ready` answers 200 only after migrations and import, and while the database answers. */
export interface Readiness {
  isReady: boolean;
  /** Shown while it is not. */
  step: string;
  /** Percent of what is still being made behind; null when there is nothing. */
  growing: number | null;
  readonly pulse: Pulse;
}

const READY_WITHIN_MS = 1_500;

/** Probes for whoever watches the process, outside the API's path. */
export function registerHealthRoutes(app: App, services: AppServices, readiness: Readiness): void {
  serve(app, 'GET /health', async () => {
    const { isAlive, since } = readiness.pulse.state();
    const database = { status: isAlive ? 'up' : 'down', since: since.toISOString() } as const;
    return answer({ status: 'up', database }, 'ok');
  });
  serve(app, 'GET /ready', async (request, reply) => {
    if (!readiness.isReady)
      return reply
        .code(503)
        .send({ code: 503, msg: `正在启动：${readiness.step}`, data: null, requestId: request.id });
    const isConnected = await readiness.pulse.answersWithin(READY_WITHIN_MS);
    if (!isConnected)
      return reply.code(503).send({ code: 503, msg: '数据库不可用', data: null, requestId: request.id });
    const faults = services.definitions.faults();
    const files = [...new Set(faults.map(({ path }) => path))];
    const msg = faults.length === 0 ? 'ok' : `定义有${faults.length}处错误，相关文件仍使用上一版本`;
    return answer({ status: 'ready', faults: faults.length, files, growing: readiness.growing }, msg);
  });
}
