import type { FastifyReply } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import { checkImport } from '#server/workflow/transfer/check-import.ts';
import { commitImport, IMPORTED } from '#server/workflow/transfer/commit-import.ts';
import { exportList } from '#server/workflow/transfer/export-list.ts';
import { cancelExport, exportFile } from '#server/workflow/transfer/export-job.ts';
import type { ChosenColumns } from '#server/workflow/transfer/import-fields.ts';
import { importErrors, importTemplate } from '#server/workflow/transfer/import-workbooks.ts';
import { findJob, jobView } from '#server/workflow/transfer/job-store.ts';
import { XLSX_TYPE } from '#server/workflow/transfer/write-workbook.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { receiveFirst, refuseHuge } from './receive-files.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';

/** Export, jobs and import. */
export function registerTransferRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /data/:resource/export', async (request, reply) => {
    const made = await exportList(resourceCall(services, request), request.body);
    return made.kind === 'job' ? answer({ jobId: made.jobId }) : sendWorkbook(reply, made.name, made.bytes);
  });
  serve(app, 'GET /jobs/:id', async (request) =>
    answer(jobView(await findJob(services, callerOf(request), request.params.id))),
  );
  serve(app, 'DELETE /jobs/:id', async (request) => {
    await cancelExport(services, callerOf(request), request.params.id);
    return answer(null, '已取消');
  });
  serve(app, 'GET /jobs/:id/file', async (request, reply) => {
    const { name, stream } = await exportFile(services, callerOf(request), request.params.id);
    return sendWorkbook(reply, name, stream);
  });
  registerImportRoutes(app, services);
}

/** Import in two steps: a file is checked, then its good rows are written. */
function registerImportRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /data/:resource/import/template', async (request, reply) => {
    const { name, bytes } = await importTemplate(resourceCall(services, request));
    return sendWorkbook(reply, name, bytes);
  });
  serve(
    app,
    'POST /data/:resource/import',
    async (request) => {
      const call = resourceCall(services, request);
      const file = await receiveFirst(request);
      return answer(await checkImport(call, file, chosenColumns(request.query.columns ?? '')));
    },
    { preValidation: refuseHuge('FILE_TOO_LARGE') },
  );
  serve(app, 'POST /data/:resource/import/:importId/commit', async (request) =>
    answer(await commitImport(resourceCall(services, request), request.params.importId), IMPORTED),
  );
  serve(app, 'GET /data/:resource/import/:importId/errors', async (request, reply) => {
    const { name, bytes } = await importErrors(resourceCall(services, request), request.params.importId);
    return sendWorkbook(reply, name, bytes);
  });
}

/** `0:buyer_id,5:` as the fields of columns. */
function chosenColumns(text: string): ChosenColumns {
  const parts = text.split(',').filter((part) => part !== '');
  return new Map(
    parts.map((part) => {
      const [place = '', field = ''] = part.split(':');
      return [Number(place), field === '' ? null : field];
    }),
  );
}

/** Sends a spreadsheet as a download. */
function sendWorkbook(
  reply: FastifyReply,
  name: string,
  content: Buffer | NodeJS.ReadableStream,
): FastifyReply {
  return reply
    .type(XLSX_TYPE)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(content);
}
