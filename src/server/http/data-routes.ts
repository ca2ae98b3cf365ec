import type { FastifyRequest } from 'fastify';
import { batchAction } from '#server/records/action/batch-action.ts';
import { deleteRecord } from '#server/records/write/delete-record.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { searchEverything } from '#server/records/list/global-search.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { findNeighbours } from '#server/records/read/neighbours.ts';
import { type Call, openAnyCall, openCall } from '#server/records/call/open-call.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { printData } from '#server/records/read/print-data.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { shippedDefaults } from '#server/records/read/shipped-defaults.ts';
import { recordHistory } from '#server/records/read/record-history.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord, splitVersion, updateRecord } from '#server/records/write/save-record.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { type App, callerOf } from './app-types.ts';
import { QUERY_BODY, RECORD_BODY } from '#contract/limits.ts';
import { answer } from './answer.ts';

interface ResourceParams {
  readonly resource: string;
}
interface RecordParams extends ResourceParams {
  readonly id: string;
}

/** The generic data API: every resource, no resource named. */
export function registerDataRoutes(app: App, services: AppServices): void {
  const open = (request: FastifyRequest<{ Params: ResourceParams }>, operation: string): Call =>
    openCall(services, callerOf(request), request.params.resource, operation);
  const config = { permission: 'resource' } as const;
  const question = { ...config, limits: QUERY_BODY };
  const record = { ...config, limits: RECORD_BODY };

  app.post<{ Params: ResourceParams }>('/data/:resource/query', { config: question }, async (request) => {
    const call = open(request, 'list');
    return answer(await queryRecords(call, parseListRequest(call, request.body ?? {})));
  });
  app.get<{ Params: ResourceParams }>('/data/:resource/defaults', { config }, async (request) =>
    answer(await shippedDefaults(open(request, 'list'))),
  );
  app.get<{ Params: RecordParams }>('/data/:resource/:id', { config }, async (request) =>
    answer(await getRecord(open(request, 'read'), request.params.id)),
  );
  app.post<{ Params: ResourceParams }>('/data/:resource', { config: record }, async (request) =>
    answer(await createRecord(open(request, 'create'), request.body), '保存成功'),
  );
  app.patch<{ Params: RecordParams }>('/data/:resource/:id', { config: record }, async (request) =>
    answer(await updateRecord(open(request, 'update'), request.params.id, request.body), '保存成功'),
  );
  app.delete<{ Params: RecordParams; Querystring: { version?: string } }>(
    '/data/:resource/:id',
    { config },
    async (request) => {
      const call = open(request, 'delete');
      await deleteRecord(call, request.params.id, queryVersion(request.query.version));
      return answer(null, '删除成功');
    },
  );
  app.post<{ Params: ResourceParams }>('/data/:resource/preview', { config: record }, async (request) =>
    answer(
      await previewRecord(services, callerOf(request), { key: request.params.resource, body: request.body }),
    ),
  );
  app.post<{ Params: RecordParams & { readonly action: string } }>(
    '/data/:resource/:id/actions/:action',
    { config: record },
    async (request) => {
      const call = openAnyCall(services, callerOf(request), request.params.resource);
      const { version, opinion, inputs } = actionBody(request.body);
      return answer(await runAction(call, request.params, { version, opinion, inputs }));
    },
  );
  app.post<{ Params: ResourceParams & { readonly action: string } }>(
    '/data/:resource/actions/:action',
    { config: record },
    async (request) =>
      answer(
        await batchAction(
          openAnyCall(services, callerOf(request), request.params.resource),
          request.params.action,
          request.body,
        ),
      ),
  );
  app.get<{ Params: RecordParams; Querystring: Record<string, string> }>(
    '/data/:resource/:id/history',
    { config },
    async (request) => answer(await recordHistory(open(request, 'read'), request.params.id)),
  );
  app.get<{ Params: RecordParams; Querystring: Record<string, string> }>(
    '/data/:resource/:id/neighbours',
    { config },
    async (request) => answer(await findNeighbours(open(request, 'list'), request.params.id, request.query)),
  );
  app.get<{ Params: RecordParams & { readonly printId: string } }>(
    '/data/:resource/:id/print/:printId',
    { config },
    async (request) => answer(await printData(open(request, 'print'), request.params)),
  );
  app.get<{ Querystring: Record<string, string> }>(
    '/search',
    { config: { permission: 'session' } },
    async (request) => answer(await searchEverything(services, callerOf(request), request.query['q'] ?? '')),
  );
}

function queryVersion(text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text)) throw new AppError('VERSION_REQUIRED');
  return Number(text);
}

const ACTION_KEYS: ReadonlySet<string> = new Set(['version', 'opinion', 'inputs']);

function actionBody(body: unknown): {
  readonly version: number;
  readonly opinion: string | null;
  readonly inputs: unknown;
} {
  const { version, fields } = splitVersion(body);
  const unknown = Object.keys(fields).find((key) => !ACTION_KEYS.has(key));
  if (unknown !== undefined)
    throw new AppError('BAD_REQUEST', {
      message: `未知参数“${unknown.slice(0, 40)}”`,
      problems: [{ path: unknown, code: 'unknown', message: '未知参数' }],
    });
  const { opinion, inputs } = fields;
  if (opinion !== undefined && opinion !== null && typeof opinion !== 'string')
    throw new AppError('BAD_REQUEST', {
      message: '意见应为文本',
      problems: [{ path: 'opinion', code: 'type', message: '应为文本' }],
    });
  return { version, opinion: typeof opinion === 'string' ? opinion : null, inputs };
}
