import { changeOwnMobile, changeOwnPassword, ownAccount, sendMobileCode } from '../auth/own-account.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { PASSWORD_ENVELOPE, UUID } from './common-schemas.ts';

const PASSWORD = {
  type: 'object',
  required: ['password', 'newPassword'],
  properties: { password: PASSWORD_ENVELOPE, newPassword: PASSWORD_ENVELOPE },
  additionalProperties: false,
} as const;

const MOBILE_NUMBER = { type: 'string', pattern: '^1[3-9]\\d{9}$' } as const;

const MOBILE = {
  type: 'object',
  required: ['password', 'mobile', 'sms'],
  properties: {
    password: PASSWORD_ENVELOPE,
    mobile: MOBILE_NUMBER,
    sms: { type: 'string', maxLength: 20 },
  },
  additionalProperties: false,
} as const;

const CODE_REQUEST = {
  type: 'object',
  required: ['mobile'],
  properties: { mobile: MOBILE_NUMBER },
  additionalProperties: false,
} as const;

const ENDED = {
  type: 'object',
  properties: { id: UUID },
  additionalProperties: false,
} as const;

/** The personal page: own data, password, mobile, sessions. */
export function registerSelfRoutes(app: App, services: Services): void {
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
