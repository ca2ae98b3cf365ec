import type { AppServices } from '#server/auth/app-services.ts';
import { recomputeRecords } from '#server/records/recompute/recompute-records.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** Formulas that were worded otherwise since a record was written, for administrators. */
export function registerRecomputeRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /recompute/:resource', async (request) => {
    const { apply, after, fields } = request.body;
    const asked = {
      key: request.params.resource,
      after: after ?? null,
      isApplied: apply,
      ...(fields === undefined ? {} : { fields }),
    };
    return answer({ ...(await recomputeRecords(services, callerOf(request), asked)) });
  });
}
