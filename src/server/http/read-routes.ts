import { openCall } from '#server/records/call/open-call.ts';
import { markRead, readAmong } from '#server/records/read/read-marks.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { QUERY_BODY } from '#contract/limits.ts';
import { RESOURCE_KEY } from '#contract/common.ts';

const RECORD = {
  type: 'object',
  required: ['resource', 'id'],
  properties: { resource: RESOURCE_KEY, id: { type: 'string', maxLength: 100 } },
} as const;

const RESOURCE = {
  type: 'object',
  required: ['resource'],
  properties: { resource: RESOURCE_KEY },
} as const;

const IDS = {
  type: 'object',
  required: ['ids'],
  properties: { ids: { type: 'array', maxItems: 500, items: { type: 'string', maxLength: 100 } } },
  additionalProperties: false,
} as const;

/** Who has read what, for resources that count readers. */
export function registerReadRoutes(app: App, services: AppServices): void {
  const config = { permission: 'resource' } as const;
  app.post('/data/:resource/:id/read', { config, schema: { params: RECORD } }, async (request) => {
    const { resource, id } = request.params;
    await markRead(openCall(services, callerOf(request), resource, 'read'), id);
    return answer(null);
  });
  app.post(
    '/data/:resource/reads',
    { config: { ...config, limits: QUERY_BODY }, schema: { params: RESOURCE, body: IDS } },
    async (request) => {
      const call = openCall(services, callerOf(request), request.params.resource, 'list');
      return answer(await readAmong(call, request.body.ids));
    },
  );
}
