import { lookupRecords } from '#server/records/lookup/lookup-records.ts';
import { pickLines } from '#server/records/pick/pick-lines.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { App } from './app-types.ts';
import { answer } from './answer.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';

/** What may be picked for a reference or dictionary field, and into a list. */
export function registerLookupRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /lookup/:resource/:fieldPath', async (request) =>
    answer(await lookupRecords(resourceCall(services, request), request.params.fieldPath, request.body)),
  );
  serve(app, 'POST /pick/:resource/:lines', async (request) =>
    answer(await pickLines(resourceCall(services, request), request.params.lines, request.body)),
  );
}
