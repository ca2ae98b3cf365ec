import type { FastifyRequest, RouteOptions } from 'fastify';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { Permission } from '#contract/call.ts';
import type { App } from './app-types.ts';

/** Refuses the start when a route has no contract, and asks for its permission before every handler. */
export function guardRoutes(app: App, services: AppServices): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('session', null);
  app.addHook('onRoute', requireContract);
  app.addHook('onRequest', async (request) => {
    if (request.is404) return;
    const permission = request.routeOptions.config.contract?.permission ?? 'session';
    if (permission === 'visitor') await recognise(services, request);
    else if (permission !== 'public') await admit(services, request, permission);
  });
}

function requireContract(route: RouteOptions): void {
  if (route.config?.contract !== undefined) return;
  throw new StartRefusal(`路由 ${String(route.method)} ${route.url} 没有契约（src/contract）。`);
}

/** Who has a session that opens everything else is known; anybody else is a visitor, whatever was sent. */
async function recognise(services: AppServices, request: FastifyRequest): Promise<void> {
  if ((request.headers.authorization ?? '') === '') return;
  try {
    await admit(services, request, 'session');
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    request.session = null;
  }
}

async function admit(services: AppServices, request: FastifyRequest, permission: Permission): Promise<void> {
  const { contract } = request.routeOptions.config;
  const session = await services.sessions.find(request.headers.authorization ?? '', {
    isPassive: contract?.isPassive === true,
  });
  if (session === null) throw new AppError('NOT_SIGNED_IN');
  request.session = session;
  if (permission === 'pending' && session.stage === 'pending') return;
  const { subject } = session;
  if (session.stage === 'pending' || subject === null) throw new AppError('POSITION_REQUIRED');
  if (session.isPasswordDue && contract?.isOpenBeforeNewPassword !== true) throw new AppError('PASSWORD_DUE');
  if (permission === 'staff' && subject.kind !== 'staff') throw new AppError('FORBIDDEN');
  if (permission === 'admin' && subject.role_code !== administration(services))
    throw new AppError('FORBIDDEN');
  request.caller = {
    subject,
    sessionId: session.id,
    requestId: request.id,
    address: request.ip,
    context: services.definitions.contextFor(subject, services.clock()),
  };
}

function administration({ definitions }: AppServices): string | null {
  return roleWithDuty(definitions.catalog().roles, 'administration');
}
