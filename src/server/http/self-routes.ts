import { changeOwnMobile, changeOwnPassword, ownAccount, sendMobileCode } from '#server/auth/own-account.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { PASSWORD_ENVELOPE, UUID } from './common-schemas.ts';

// What is missing or empty is told by the form's own check, beside its field.
const ENVELOPE = { ...PASSWORD_ENVELOPE, minLength: 0, default: '' } as const;
const TEXT = { type: 'string', maxLength: 100, default: '' } as const;

const PASSWORD = {
  type: 'object',
  required: ['password', 'newPassword'],
  properties: { password: ENVELOPE, newPassword: ENVELOPE },
  additionalProperties: false,
} as const;

const MOBILE = {
  type: 'object',
  required: ['password', 'mobile', 'sms'],
  properties: { password: ENVELOPE, mobile: TEXT, sms: TEXT },
  additionalProperties: false,
} as const;

const CODE_REQUEST = {
  type: 'object',
  required: ['mobile'],
  properties: { mobile: TEXT },
  additionalProperties: false,
} as const;

const ENDED = {
  type: 'object',
  properties: { id: UUID },
  additionalProperties: false,
} as const;

/** The personal page: own data, password, mobile, sessions. */
export function registerSelfRoutes(app: App, services: AppServices): void {
  const config = { permission: 'session' } as const;
  app.get('/self', { config }, async (request) => answer(await ownAccount(services, callerOf(request))));
  const before = { ...config, isOpenBeforeNewPassword: true } as const;
  app.post('/self/password', { config: before, schema: { body: PASSWORD } }, async (request) => {
    await changeOwnPassword(services, callerOf(request), request.body);
    return answer(null, '密码修改成功');
  });
  app.post('/self/mobile/code', { config, schema: { body: CODE_REQUEST } }, async (request) => {
    await sendMobileCode(services, callerOf(request), request.body.mobile);
    return answer(null, '验证码已发送');
  });
  app.post('/self/mobile', { config, schema: { body: MOBILE } }, async (request) => {
    await changeOwnMobile(services, callerOf(request), request.body);
    return answer(null, '手机号码修改成功');
  });
  app.get('/self/sessions', { config }, async (request) => {
    const { subject, sessionId } = callerOf(request);
    return answer(await services.sessions.list(subject.id, sessionId));
  });
  app.delete('/self/sessions', { config, schema: { querystring: ENDED } }, async (request) => {
    const { subject, sessionId } = callerOf(request);
    const { id } = request.query;
    // Without an id every other session ends.
    if (id === undefined) await services.sessions.revokePeople(services.db, [subject.id], sessionId);
    else if (!(await services.sessions.end(subject.id, id))) throw new AppError('NOT_FOUND');
    return answer(null, '已退出该登录');
  });
}
