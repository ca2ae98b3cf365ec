import { lookupRecords } from '../operations/lookup-records.ts';
import { openAnyCall } from '../operations/open-call.ts';
import type { Services } from '../services.ts';
import { type App, callerOf } from './app-types.ts';
import { answer } from './answer.ts';

/** What may be picked for a reference or dictionary field. */
export function registerLookupRoutes(app: App, services: Services): void {
  app.post<{ Params: { resource: string; fieldPath: string } }>(
    '/lookup/:resource/:fieldPath',
    { config: { permission: 'resource' } },
    async (request) => {
      const call = openAnyCall(services, callerOf(request), request.params.resource);
      return answer(await lookupRecords(call, request.params.fieldPath, request.body));
    },
  );
}
