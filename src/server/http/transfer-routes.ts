import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Call, openCall } from '../operations/open-call.ts';
import type { Services } from '../services.ts';
import { exportList } from '../transfer/export-list.ts';
import { cancelExport, exportFile } from '../transfer/export-job.ts';
import { findJob, jobView } from '../transfer/job-store.ts';
import { XLSX_TYPE } from '../transfer/write-workbook.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';

interface ResourceParams {
  readonly resource: string;
}
interface JobParams {
  readonly id: string;
}

/** Export, jobs and import. */
export function registerTransferRoutes(app: App, services: Services): void {
  const open = (request: FastifyRequest<{ Params: ResourceParams }>, operation: string): Call =>
    openCall(services, callerOf(request), request.params.resource, operation);
  const config = { permission: 'resource' } as const;
  const own = { permission: 'session' } as const;

  app.post<{ Params: ResourceParams }>('/data/:resource/export', { config }, async (request, reply) => {
    const made = await exportList(open(request, 'export'), request.body);
    return made.kind === 'job' ? answer({ jobId: made.jobId }) : sendWorkbook(reply, made.name, made.bytes);
  });
  app.get<{ Params: JobParams }>('/jobs/:id', { config: own }, async (request) =>
    answer(jobView(await findJob(services, callerOf(request), request.params.id))),
  );
  app.delete<{ Params: JobParams }>('/jobs/:id', { config: own }, async (request) => {
    await cancelExport(services, callerOf(request), request.params.id);
    return answer(null, '已取消');
  });
  app.get<{ Params: JobParams }>('/jobs/:id/file', { config: own }, async (request, reply) => {
    const { name, stream } = await exportFile(services, callerOf(request), request.params.id);
    return sendWorkbook(reply, name, stream);
  });
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
