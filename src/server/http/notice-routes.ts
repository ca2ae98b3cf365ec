import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { UUID } from './common-schemas.ts';

const QUERY = {
  type: 'object',
  properties: {
    tab: { enum: ['unread', 'read', 'archived', 'all'], default: 'all' },
    keyword: { type: 'string', maxLength: 100, default: '' },
    currentPage: { type: 'integer', minimum: 1, maximum: 100_000, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
  },
  additionalProperties: false,
} as const;

const ONE = { type: 'object', required: ['id'], properties: { id: UUID } } as const;

/** The message centre: everybody's own notices. */
export function registerNoticeRoutes(app: App, services: AppServices): void {
  const config = { permission: 'session' } as const;
  app.post('/notice/query', { config, schema: { body: QUERY } }, async (request) => {
    const { tab, keyword, currentPage, pageSize } = request.body;
    const page = { tab, keyword, currentPage, pageSize };
    const found = await services.notices.query(callerOf(request).subject.id, page);
    return answer({ ...found, currentPage, pageSize });
  });
  app.get('/notice/unread', { config: { ...config, isPassive: true } }, async (request) =>
    answer({ total: await services.notices.countUnread(callerOf(request).subject.id) }),
  );
  app.post('/notice/readAll', { config }, async (request) =>
    answer({ total: await services.notices.markAllRead(callerOf(request).subject.id) }),
  );
  for (const [path, as] of [
    ['read', 'read'],
    ['archive', 'archived'],
  ] as const)
    app.post(`/notice/:id/${path}`, { config, schema: { params: ONE } }, async (request) => {
      const isOwn = await services.notices.mark(callerOf(request).subject.id, request.params.id, as);
      if (!isOwn) throw new AppError('NOT_FOUND');
      return answer(null);
    });
}
