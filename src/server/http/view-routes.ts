import { v7 as uuid } from 'uuid';
import { AppError } from '#server/kernel/errors.ts';
import { openCall } from '#server/records/call/open-call.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { QUERY_BODY } from '#contract/limits.ts';
import { RESOURCE_KEY, UUID } from '#contract/common.ts';

const PARAMS = { type: 'object', required: ['resource'], properties: { resource: RESOURCE_KEY } } as const;

const VIEW = {
  type: 'object',
  required: ['name', 'settings'],
  properties: {
    id: UUID,
    name: { type: 'string', minLength: 1, maxLength: 40 },
    page: { type: ['string', 'null'], maxLength: 200 },
    is_default: { type: 'boolean', default: false },
    is_shared: { type: 'boolean', default: false },
    settings: { type: 'object', additionalProperties: true },
  },
  additionalProperties: false,
} as const;

const ONE = {
  type: 'object',
  required: ['id'],
  properties: { id: UUID },
  additionalProperties: false,
} as const;

const MAX_SETTINGS = 50_000;
const MAX_VIEWS = 100;

/** Saved views of lists: own ones, and those that colleagues of the company share. */
export function registerViewRoutes(app: App, services: AppServices): void {
  const config = { permission: 'resource' } as const;
  const { db } = services;
  app.get('/views/:resource', { config, schema: { params: PARAMS } }, async (request) => {
    const { subject } = openCall(services, callerOf(request), request.params.resource, 'list').caller;
    const rows = await db.query(
      `select id, name, page, is_default, is_shared, settings, person_id = $3 as is_own from sys_view
       where resource = $1 and co_code = $2 and (person_id = $3 or (is_shared and $4))
       order by person_id <> $3, name limit 200`,
      [request.params.resource, subject.co_code, subject.id, subject.kind === 'staff'],
    );
    return answer(rows);
  });
  app.put(
    '/views/:resource',
    { config: { ...config, limits: QUERY_BODY }, schema: { params: PARAMS, body: VIEW } },
    async (request) => {
      const { resource } = request.params;
      const { subject } = openCall(services, callerOf(request), resource, 'list').caller;
      const { name, page, is_default, is_shared, settings } = request.body;
      const text = JSON.stringify(settings);
      if (text.length > MAX_SETTINGS) throw new AppError('BODY_TOO_LARGE');
      const id = request.body.id ?? uuid();
      await db.transaction(async (tx) => {
        const own = await tx.query('select id, name from sys_view where resource = $1 and person_id = $2', [
          resource,
          subject.id,
        ]);
        if (own.length >= MAX_VIEWS && !own.some((row) => row['id'] === id))
          throw new AppError('BAD_REQUEST', { message: `最多保存${MAX_VIEWS}个视图` });
        if (own.some((row) => row['name'] === name && row['id'] !== id))
          throw new AppError('DUPLICATE', { params: { field: '视图名称' } });
        if (is_default)
          await tx.execute(
            'update sys_view set is_default = false where resource = $1 and person_id = $2 and page is not distinct from $3',
            [resource, subject.id, page ?? null],
          );
        const written = await tx.execute(
          `insert into sys_view (id, co_code, person_id, resource, page, name, is_default, is_shared, settings)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (id) do update set page = excluded.page, name = excluded.name, is_default = excluded.is_default,
           is_shared = excluded.is_shared, settings = excluded.settings, updated_at = now()
           where sys_view.person_id = excluded.person_id and sys_view.resource = excluded.resource`,
          [
            id,
            subject.co_code,
            subject.id,
            resource,
            page ?? null,
            name,
            is_default,
            is_shared && subject.kind === 'staff',
            text,
          ],
        );
        if (written === 0) throw new AppError('NOT_FOUND');
      });
      return answer({ id }, '保存成功');
    },
  );
  app.delete(
    '/views/:resource',
    { config, schema: { params: PARAMS, querystring: ONE } },
    async (request) => {
      const { subject } = openCall(services, callerOf(request), request.params.resource, 'list').caller;
      const gone = await db.execute(
        'delete from sys_view where id = $1 and person_id = $2 and resource = $3',
        [request.query.id, subject.id, request.params.resource],
      );
      if (gone === 0) throw new AppError('NOT_FOUND');
      return answer(null, '删除成功');
    },
  );
}
