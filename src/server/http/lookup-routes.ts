import { lookupRecords } from '#server/records/lookup/lookup-records.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { type App, callerOf } from './app-types.ts';
import { answer } from './answer.ts';
import { RECORD_BODY } from '#contract/limits.ts';

/** What may be picked for a reference or dictionary field. */
export function registerLookupRoutes(app: App, services: AppServices): void {
  app.post<{ Params: { resource: string; fieldPath: string } }>(
    '/lookup/:resource/:fieldPath',
    { config: { permission: 'resource', limits: RECORD_BODY } },
    async (request) => {
      const call = openAnyCall(services, callerOf(request), request.params.resource);
      return answer(await lookupRecords(call, request.params.fieldPath, request.body));
    },
  );
}
