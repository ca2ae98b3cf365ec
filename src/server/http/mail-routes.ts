import type { AppServices } from '#server/auth/app-services.ts';
import { draftMail, mailsOf, queueMail, resendMail } from '#server/workflow/mail/record-mails.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';

/** Mails that bring documents of a record. */
export function registerMailRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /data/:resource/:id/mails', async (request) =>
    answer(await mailsOf(resourceCall(services, request), request.params.id)),
  );
  serve(app, 'GET /data/:resource/:id/print/:printId/mail', async (request) =>
    answer(await draftMail(resourceCall(services, request), request.params)),
  );
  serve(app, 'POST /data/:resource/:id/mails', async (request) =>
    answer(
      await queueMail(resourceCall(services, request), request.params.id, request.body),
      '邮件已加入发送',
    ),
  );
  serve(app, 'POST /data/:resource/:id/mails/:mailId/resend', async (request) => {
    await resendMail(resourceCall(services, request), request.params);
    return answer(null, '已重新加入发送');
  });
}
