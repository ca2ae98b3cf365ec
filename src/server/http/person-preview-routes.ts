import { previewList, previewPerson, previewRecord, previewReport } from '#server/auth/person-preview.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';
import { whileWaitedFor } from './while-waited-for.ts';

/** What a colleague would see, for administrators. */
export function registerPersonPreviewRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /person-preview/:id', async (request) => {
    const { id } = request.params;
    return answer(await previewPerson(services, callerOf(request), { id, role: request.query.role }));
  });
  serve(app, 'POST /person-preview/:id/:resource', async (request) => {
    const { id, resource } = request.params;
    return answer(await previewList(services, callerOf(request), { id, resource, query: request.body }));
  });
  serve(app, 'GET /person-preview/:id/:resource/:record', async (request) => {
    const { role } = request.query;
    return answer(await previewRecord(services, callerOf(request), { ...request.params, role }));
  });
  serve(app, 'GET /person-preview/:id/reports/run/:reportId', async (request, reply) => {
    const asked = { ...request.params, role: request.query.role, signal: whileWaitedFor(reply) };
    return answer(await previewReport(services, callerOf(request), asked));
  });
}
