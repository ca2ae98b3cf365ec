import { addJob } from '#server/kernel/worker.ts';
import { AppError } from '#server/kernel/errors.ts';
import { lastVerification, VERIFY_TASK } from '#server/workflow/jobs/verify-audit.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { FastifyRequest } from 'fastify';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** The look at the whole audit: it covers every company, so it takes an administrator of the group. */
export function registerAuditRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /audit/verification', async (request) => {
    requireGroup(request);
    return answer(await lastVerification(services));
  });
  serve(app, 'POST /audit/verification', async (request) => {
    requireGroup(request);
    await addJob(services.db, VERIFY_TASK, null, { key: VERIFY_TASK });
    return answer(null, '已开始核对');
  });
}

function requireGroup(request: Pick<FastifyRequest, 'caller'>): void {
  if (!callerOf(request).subject.super_permission) throw new AppError('FORBIDDEN');
}
