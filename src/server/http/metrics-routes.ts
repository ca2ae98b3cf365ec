import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/kernel/config.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { App } from './app-types.ts';
import type { Metrics } from './metrics.ts';
import { serve } from './serve.ts';

/** Figures for Prometheus, outside the API's path: with their token, or without one to this machine alone. */
export function registerMetricsRoutes(app: App, { metricsToken }: Config, metrics: Metrics): void {
  serve(app, 'GET /metrics', async (request, reply) => {
    if (metricsToken === null) requireThisMachine(request);
    else requireToken(request, metricsToken);
    return reply.type(metrics.contentType).send(await metrics.read());
  });
}

/** What a proxy on this machine may pass on of others; a header never opens, it only closes. */
const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;

function requireThisMachine({ socket, headers }: FastifyRequest): void {
  const isForwarded = OF_PROXIES.some((name) => headers[name] !== undefined);
  if (isForwarded || !LOOPBACK.test(socket.remoteAddress ?? ''))
    throw new AppError('FORBIDDEN', { message: '未设置 ERP_METRICS_TOKEN，运行指标只对本机开放' });
}

function requireToken({ headers }: FastifyRequest, token: string): void {
  const given = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new AppError('NOT_SIGNED_IN', { message: '运行指标的令牌缺失或不对' });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
