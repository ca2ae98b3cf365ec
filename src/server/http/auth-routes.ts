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
import { serve } from './serve.ts';

/** Signing in and out (spec section 7). */
export function registerAuthRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /sys/login', async (request) => {
    const { personid, password, id, erpToken } = request.body;
    if (erpToken !== undefined && id !== undefined)
      return answer(await signInSilently(services, { id, erpToken }, originOf(request)), '登录成功！');
    const form = { personid: personid ?? '', password: password ?? '' };
    return answer(await signInStaff(services, form, originOf(request)), '登录成功！');
  });
  serve(app, 'POST /sys/loginByMobile', async (request) => {
    const form = { psMobile: request.body.psMobile ?? '', password: request.body.password ?? '' };
    return answer(await signInByMobile(services, form, originOf(request)), '登录成功！');
  });
  serve(app, 'POST /sys/loginByAgcustMobileNo', async (request) => {
    const { personid = '', password, code } = request.body;
    if (password === undefined && typeof code === 'string' && code !== '')
      return answer(await signInByCode(services, { personid, code }, originOf(request)), '登录成功！');
    const form = { personid, password: password ?? '' };
    return answer(await signInPartner(services, form, originOf(request)), '登录成功！');
  });
  serve(app, 'POST /sys/setPosition', async (request) =>
    answer(await setPosition(services, sessionOf(request), request.body, originOf(request))),
  );
  serve(app, 'GET /sys/session', async (request) => {
    const token = (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '');
    const person = await fullPerson(services, token, {
      subject: callerOf(request).subject,
      candidates: sessionOf(request).candidates,
    });
    if (person === null) throw new AppError('NOT_SIGNED_IN');
    return answer(person);
  });
}

/** Where a request comes from, for sessions and the login log. */
export function originOf(request: Pick<FastifyRequest, 'ip' | 'headers'>): SessionOrigin {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
