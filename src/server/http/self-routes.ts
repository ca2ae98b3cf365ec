import { changeOwnMobile, changeOwnPassword, ownAccount, sendMobileCode } from '#server/auth/own-account.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** The personal page: own data, password, mobile, sessions. */
export function registerSelfRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /self', async (request) => answer(await ownAccount(services, callerOf(request))));
  serve(app, 'POST /self/password', async (request) => {
    await changeOwnPassword(services, callerOf(request), request.body);
    return answer(null, '密码修改成功');
  });
  serve(app, 'POST /self/mobile/code', async (request) => {
    await sendMobileCode(services, callerOf(request), request.body.mobile);
    return answer(null, '验证码已发送');
  });
  serve(app, 'POST /self/mobile', async (request) => {
    await changeOwnMobile(services, callerOf(request), request.body);
    return answer(null, '手机号码修改成功');
  });
  serve(app, 'GET /self/sessions', async (request) => {
    const { subject, sessionId } = callerOf(request);
    return answer(await services.sessions.list(subject.id, sessionId));
  });
  serve(app, 'DELETE /self/sessions', async (request) => {
    const { subject, sessionId } = callerOf(request);
    const { id } = request.query;
    // Without an id every other session ends.
    if (id === undefined) await services.sessions.revokePeople(services.db, [subject.id], sessionId);
    else if (!(await services.sessions.end(subject.id, id))) throw new AppError('NOT_FOUND');
    return answer(null, '已退出该登录');
  });
}
