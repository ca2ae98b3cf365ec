import { batchAction } from '#server/records/action/batch-action.ts';
import { deleteRecord } from '#server/records/write/delete-record.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { searchEverything } from '#server/records/list/global-search.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { findNeighbours } from '#server/records/read/neighbours.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { shippedDefaults } from '#server/records/read/shipped-defaults.ts';
import { recordHistory } from '#server/records/read/record-history.ts';
import { markRead, readAmong } from '#server/records/read/read-marks.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { SAVED } from '#server/records/write/keep-answer.ts';
import { createRecord, updateRecord, versionMissing } from '#server/records/write/save-record.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { type App, callerOf } from './app-types.ts';
import { answer } from './answer.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';

/** The generic data API: every resource, no resource named. */
export function registerDataRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /data/:resource/query', async (request) => {
    const call = resourceCall(services, request);
    return answer(await queryRecords(call, parseListRequest(call, request.body)));
  });
  serve(app, 'GET /data/:resource/:id', async (request) =>
    answer(await getRecord(resourceCall(services, request), request.params.id)),
  );
  serve(app, 'POST /data/:resource', async (request) =>
    answer(await createRecord(resourceCall(services, request), request.body), SAVED),
  );
  serve(app, 'PATCH /data/:resource/:id', async (request) =>
    answer(await updateRecord(resourceCall(services, request), request.params.id, request.body), SAVED),
  );
  serve(app, 'DELETE /data/:resource/:id', async (request) => {
    const call = resourceCall(services, request);
    const asked = await deleteRecord(call, request.params.id, queryVersion(request.query.version));
    return answer(null, asked === null ? '删除成功' : `已提交复核（${asked.label}），另一人同意后删除`);
  });
  serve(app, 'POST /data/:resource/preview', async (request) =>
    answer(
      await previewRecord(services, callerOf(request), { key: request.params.resource, body: request.body }),
    ),
  );
  registerActionRoutes(app, services);
  registerReadingRoutes(app, services);
}

function registerActionRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /data/:resource/:id/actions/:action', async (request) => {
    const { version, opinion, inputs } = request.body;
    const call = resourceCall(services, request);
    if (typeof version !== 'number') throw versionMissing();
    return answer(await runAction(call, request.params, { version, opinion: opinion ?? null, inputs }));
  });
  serve(app, 'POST /data/:resource/actions/:action', async (request) =>
    answer(await batchAction(resourceCall(services, request), request.params.action, request.body)),
  );
}

/** What stands beside a record or a list. */
function registerReadingRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /data/:resource/defaults', async (request) =>
    answer(await shippedDefaults(resourceCall(services, request))),
  );
  serve(app, 'GET /data/:resource/:id/history', async (request) =>
    answer(await recordHistory(resourceCall(services, request), request.params.id)),
  );
  serve(app, 'GET /data/:resource/:id/neighbours', async (request) =>
    answer(await findNeighbours(resourceCall(services, request), request.params.id, request.query)),
  );
  serve(app, 'POST /data/:resource/:id/read', async (request) => {
    await markRead(resourceCall(services, request), request.params.id);
    return answer(null);
  });
  serve(app, 'POST /data/:resource/reads', async (request) =>
    answer(await readAmong(resourceCall(services, request), request.body.ids)),
  );
  serve(app, 'GET /search', async (request) =>
    answer(await searchEverything(services, callerOf(request), request.query.q ?? '')),
  );
}

function queryVersion(text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text)) throw versionMissing();
  return Number(text);
}
