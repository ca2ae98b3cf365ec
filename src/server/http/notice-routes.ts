import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** The message centre: everybody's own notices. */
export function registerNoticeRoutes(app: App, services: AppServices): void {
  const { notices } = services;
  serve(app, 'POST /notice/query', async (request) => {
    const found = await notices.query(callerOf(request).subject.id, request.body);
    const { currentPage, pageSize } = request.body;
    return answer({ ...found, currentPage, pageSize });
  });
  serve(app, 'GET /notice/unread', async (request) =>
    answer({ total: await notices.countUnread(callerOf(request).subject.id) }),
  );
  serve(app, 'POST /notice/readAll', async (request) =>
    answer({ total: await notices.markAllRead(callerOf(request).subject.id) }),
  );
  const marks = { 'POST /notice/:id/read': 'read', 'POST /notice/:id/archive': 'archived' } as const;
  for (const key of ['POST /notice/:id/read', 'POST /notice/:id/archive'] as const)
    serve(app, key, async (request) => {
      const isOwn = await notices.mark(callerOf(request).subject.id, request.params.id, marks[key]);
      if (!isOwn) throw new AppError('NOT_FOUND');
      return answer(null);
    });
}
