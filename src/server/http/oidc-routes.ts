import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import { createIdentityProvider, type IdentityProvider } from '#server/auth/oidc/identity-provider.ts';
import type { OidcCookie } from '#server/auth/oidc/oidc-cookie.ts';
import { beginOidcLogin, concludeOidcLogin, finishOidcLogin } from '#server/auth/oidc/oidc-login.ts';
import { AppError } from '#server/kernel/errors.ts';
import { toAppError } from '#server/kernel/to-app-error.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { originOf } from './auth-routes.ts';
import { LOGIN_COOKIE, oidcCookies, SESSION_COOKIE } from './oidc-cookies.ts';
import { serve } from './serve.ts';
import { siteOrigin } from './site-origin.ts';

/**
 * Login by an identity provider: the browser goes there and comes back to the login page, which asks what came of it.
 * Whatever goes wrong on the way is kept in the cookie and told there, in one place and in the words of a refusal.
 */
export function registerOidcRoutes(app: App, services: AppServices): void {
  const { config } = services;
  const provider = config.oidc === null ? null : createIdentityProvider(config.oidc, () => Date.now());
  const cookies = oidcCookies(services);
  const keep = (request: FastifyRequest, reply: FastifyReply, cookie: OidcCookie | null): void =>
    cookies.keep(LOGIN_COOKIE, { request, reply }, cookie);
  const kept = (request: FastifyRequest): OidcCookie | null => cookies.kept(LOGIN_COOKIE, request);
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    const refusal = toAppError(error);
    const level = refusal.code === 'INTERNAL' ? 'error' : 'warn';
    request.log[level]({ err: refusal.cause, code: refusal.code }, 'login by the identity provider failed');
    keep(request, reply, { kind: 'refused', error: refusal.code });
  };

  serve(app, 'GET /sys/oidc/begin', async (request, reply) => {
    const { back } = request.query;
    try {
      const redirectUri = callbackAddress(services, request);
      const { url, cookie } = await beginOidcLogin(required(provider), { redirectUri, back });
      keep(request, reply, cookie);
      return await reply.redirect(url, 302);
    } catch (error) {
      if (provider === null) throw error;
      refuse(request, reply, error);
      return reply.redirect(loginPage(null), 302);
    }
  });
  serve(app, 'GET /sys/oidc/callback', async (request, reply) => {
    const asked = kept(request);
    const identities = required(provider);
    try {
      if (asked?.kind !== 'asked') throw new AppError('OIDC_EXPIRED');
      const cameBackTo = new URL(callbackAddress(services, request));
      cameBackTo.search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      const origin = originOf(request);
      keep(request, reply, await concludeOidcLogin(services, identities, { cameBackTo, asked, origin }));
    } catch (error) {
      refuse(request, reply, error);
    }
    return reply.redirect(loginPage(asked?.kind === 'asked' ? asked.back : null), 302);
  });
  serve(app, 'POST /sys/oidc/finish', async (request, reply) => {
    required(provider);
    const cookie = kept(request);
    keep(request, reply, null);
    const person = await finishOidcLogin(services, cookie, originOf(request));
    const idToken = cookie?.kind === 'identified' ? cookie.idToken : null;
    cookies.keep(SESSION_COOKIE, { request, reply }, { kind: 'session', personId: person.id, idToken });
    return answer(person, '登录成功！');
  });
}

function required(provider: IdentityProvider | null): IdentityProvider {
  if (provider === null) throw new AppError('OIDC_OFF');
  return provider;
}

/** This site's own address, where its login page stands: that looks at `back` once more before it goes there. */
function loginPage(back: string | null): string {
  return `/?oidc=1${back === null ? '' : `&back=${encodeURIComponent(back)}`}`;
}

/** Where the provider sends the browser back to, as it is registered there: it sends nobody to an address that it does not know. */
function callbackAddress(services: AppServices, request: FastifyRequest): string {
  return `${siteOrigin(services, request)}${LOGIN_COOKIE.path}/callback`;
}
