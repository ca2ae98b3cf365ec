import { addComment, commentsOf, mentionable } from '#server/workflow/notices/record-comments.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** Comments of a record, for staff who may read it. */
export function registerCommentRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /comments/:resource/:id', async (request) =>
    answer(await commentsOf(services, callerOf(request), request.params)),
  );
  serve(app, 'GET /comments/:resource/:id/colleagues', async (request) =>
    answer(await mentionable(services, callerOf(request), request.params, request.query.keyword)),
  );
  serve(app, 'POST /comments/:resource/:id', async (request) => {
    const { content, mentions = [] } = request.body;
    const comment = { place: request.params, content, mentions };
    return answer(await addComment(services, callerOf(request), comment), '评论成功');
  });
}
