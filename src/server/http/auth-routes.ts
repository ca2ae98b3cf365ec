import type { FastifyRequest } from 'fastify';
import { fullPerson } from '#server/auth/person-answer.ts';
import type { SessionOrigin } from '#server/auth/session-store.ts';
import { setPosition } from '#server/auth/set-position.ts';
import {
  signInByCode,
  signInByMobile,
  signInPartner,
  signInSilently,
  signInStaff,
} from '#server/auth/sign-in.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf, sessionOf } from './app-types.ts';

const ENVELOPE = { type: 'string', maxLength: 1_024 } as const;
const ACCOUNT = { type: 'string', maxLength: 100 } as const;
const OPTIONAL_TEXT = { type: ['string', 'number', 'null'], maxLength: 500 } as const;

/** Nothing is required here: what is missing is said in the words of the form. */
const LOGIN = {
  type: 'object',
  properties: {
    personid: ACCOUNT,
    password: ENVELOPE,
    id: ACCOUNT,
    erpToken: { type: 'string', maxLength: 200 },
  },
  additionalProperties: false,
} as const;

const MOBILE_LOGIN = {
  type: 'object',
  properties: { psMobile: ACCOUNT, password: ENVELOPE },
  additionalProperties: false,
} as const;

/** isp, appid, cwStatus and otherCode are taken and decide nothing. */
const PARTNER_LOGIN = {
  type: 'object',
  properties: {
    personid: ACCOUNT,
    password: ENVELOPE,
    code: OPTIONAL_TEXT,
    isp: OPTIONAL_TEXT,
    appid: OPTIONAL_TEXT,
    cwStatus: OPTIONAL_TEXT,
    otherCode: OPTIONAL_TEXT,
  },
  additionalProperties: false,
} as const;

/** The client sends the whole person back; only ids are read. */
const POSITION = {
  type: 'object',
  properties: {
    id: { type: ['string', 'null'], maxLength: 100 },
    roleId: { type: ['string', 'null'], maxLength: 100 },
    roleIdList: { type: ['array', 'null'], items: { type: 'string', maxLength: 100 }, maxItems: 50 },
    saleId: { type: ['string', 'null'], maxLength: 100 },
  },
  additionalProperties: true,
} as const;

/** Signing in and out (spec section 7). */
export function registerAuthRoutes(app: App, services: AppServices): void {
  const open = { permission: 'public' } as const;
  app.post('/sys/login', { config: open, schema: { body: LOGIN } }, async (request) => {
    const { personid, password, id, erpToken } = request.body;
    if (erpToken !== undefined && id !== undefined)
      return answer(await signInSilently(services, { id, erpToken }, originOf(request)), '登录成功！');
    const form = { personid: personid ?? '', password: password ?? '' };
    return answer(await signInStaff(services, form, originOf(request)), '登录成功！');
  });
  app.post('/sys/loginByMobile', { config: open, schema: { body: MOBILE_LOGIN } }, async (request) =>
    answer(
      await signInByMobile(
        services,
        { psMobile: request.body.psMobile ?? '', password: request.body.password ?? '' },
        originOf(request),
      ),
      '登录成功！',
    ),
  );
  app.post(
    '/sys/loginByAgcustMobileNo',
    { config: open, schema: { body: PARTNER_LOGIN } },
    async (request) => {
      const { personid = '', password, code } = request.body;
      if (password === undefined && typeof code === 'string' && code !== '')
        return answer(await signInByCode(services, { personid, code }, originOf(request)), '登录成功！');
      const form = { personid, password: password ?? '' };
      return answer(await signInPartner(services, form, originOf(request)), '登录成功！');
    },
  );
  app.post(
    '/sys/setPosition',
    { config: { permission: 'pending', isOpenBeforeNewPassword: true }, schema: { body: POSITION } },
    async (request) =>
      answer(await setPosition(services, sessionOf(request), request.body, originOf(request))),
  );
  app.post('/sys/logout', { config: open }, async (request) => {
    // Logging out of a session that is gone is no fault.
    const session = await services.sessions.find(request.headers.authorization ?? '');
    if (session !== null) await services.sessions.revoke(services.db, [session.id]);
    return answer(null, '已退出登录');
  });
  app.get(
    '/sys/session',
    { config: { permission: 'session', isOpenBeforeNewPassword: true } },
    async (request) => {
      const token = (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '');
      const person = await fullPerson(services, token, callerOf(request).subject);
      if (person === null) throw new AppError('NOT_SIGNED_IN');
      return answer(person);
    },
  );
}

/** Where a request comes from, for sessions and the login log. */
export function originOf(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
