import type { FastifyRequest } from 'fastify';
import {
  registrationStates,
  sendForgottenCode,
  sendStateCode,
  setForgottenPassword,
} from '#server/auth/forgotten-password.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { serve } from './serve.ts';
import { siteOf } from './site.ts';

/** For whoever cannot come in: a new password, and the state of a registration. */
export function registerForgottenRoutes(app: App, services: AppServices): void {
  const from = async ({ hostname, ip }: Pick<FastifyRequest, 'hostname' | 'ip'>) => ({
    address: ip,
    label: (await siteOf(services, hostname)).label,
  });
  serve(app, 'POST /sys/forgotten/code', async (request) => {
    await sendForgottenCode(services, request.body, await from(request));
    return answer(null, '账号与手机号相符时，验证码会发到该手机');
  });
  serve(app, 'POST /sys/forgotten/password', async (request) => {
    await setForgottenPassword(services, request.body, request.ip);
    return answer(null, '密码已重设，请用新密码登录');
  });
  serve(app, 'POST /sys/registration-state/code', async (request) => {
    await sendStateCode(services, request.body.mobile, await from(request));
    return answer(null, '有注册记录时，验证码会发到该手机');
  });
  serve(app, 'POST /sys/registration-state', async (request) =>
    answer(await registrationStates(services, request.body)),
  );
}
