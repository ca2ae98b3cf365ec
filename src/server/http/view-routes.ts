import { deleteView, savedViews, saveView } from '#server/records/list/saved-views.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';

/** Saved views of lists: own ones, and those that colleagues of the company share. */
export function registerViewRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /views/:resource', async (request) =>
    answer(await savedViews(resourceCall(services, request))),
  );
  serve(app, 'PUT /views/:resource', async (request) =>
    answer({ id: await saveView(resourceCall(services, request), request.body) }, '保存成功'),
  );
  serve(app, 'DELETE /views/:resource', async (request) => {
    await deleteView(resourceCall(services, request), request.query.id);
    return answer(null, '删除成功');
  });
}
