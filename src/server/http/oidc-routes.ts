import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import { createIdentityProvider, type IdentityProvider } from '#server/auth/oidc/identity-provider.ts';
import {
  OIDC_COOKIE_S,
  type OidcCookie,
  openOidcCookie,
  sealOidcCookie,
} from '#server/auth/oidc/oidc-cookie.ts';
import { beginOidcLogin, concludeOidcLogin, finishOidcLogin } from '#server/auth/oidc/oidc-login.ts';
import type { OidcConfig } from '#server/kernel/outside-config.ts';
import { AppError } from '#server/kernel/errors.ts';
import { toAppError } from '#server/kernel/to-app-error.ts';
import { publicAddress, regionOfHost } from '#server/records/definitions/regions.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { originOf } from './auth-routes.ts';
import { serve } from './serve.ts';

const BELOW = '/erp/api/sys/oidc';
const COOKIE = 'erp_oidc';

/**
 * Login by an identity provider: the browser goes there and comes back to the login page, which asks what came of it.
 * Whatever goes wrong on the way is kept in the cookie and told there, in one place and in the words of a refusal.
 */
export function registerOidcRoutes(app: App, services: AppServices): void {
  const { config, clock } = services;
  const nowMs = (): number => clock().getTime();
  const provider = config.oidc === null ? null : createIdentityProvider(config.oidc, () => Date.now());
  const keep = (request: FastifyRequest, reply: FastifyReply, cookie: OidcCookie | null): void => {
    const value = cookie === null ? '' : sealOidcCookie(cookie, secretOf(config.oidc), nowMs());
    const isSecure = callbackAddress(services, request).startsWith('https:');
    const life = `Max-Age=${cookie === null ? 0 : OIDC_COOKIE_S}`;
    const flags = `Path=${BELOW}; HttpOnly; SameSite=Lax; ${life}${isSecure ? '; Secure' : ''}`;
    void reply.header('set-cookie', `${COOKIE}=${value}; ${flags}`);
  };
  const kept = ({ headers }: FastifyRequest): OidcCookie | null => {
    const value = /(?:^|; )erp_oidc=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
    return value === undefined ? null : openOidcCookie(value, secretOf(config.oidc), nowMs());
  };
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
    return answer(await finishOidcLogin(services, cookie, originOf(request)), '登录成功！');
  });
}

function required(provider: IdentityProvider | null): IdentityProvider {
  if (provider === null) throw new AppError('OIDC_OFF');
  return provider;
}

function secretOf(oidc: OidcConfig | null): string {
  return oidc?.clientSecret ?? '';
}

/** This site's own address, where its login page stands: that looks at `back` once more before it goes there. */
function loginPage(back: string | null): string {
  return `/?oidc=1${back === null ? '' : `&back=${encodeURIComponent(back)}`}`;
}

/**
 * Where the provider sends the browser back to, as it is registered there: below ERP_PUBLIC_URL, else where the browser
 * is. The provider sends nobody to an address that it does not know.
 */
function callbackAddress(services: AppServices, { protocol, host, hostname }: FastifyRequest): string {
  const { publicUrl } = services.config;
  const company = publicUrl === null ? undefined : regionOfHost(services, hostname)?.coCode;
  const isPublic = publicUrl !== null && (company !== undefined || !publicUrl.includes('{company}'));
  const origin = isPublic ? publicAddress(services, company ?? '') : `${protocol}://${host}`;
  if (!URL.canParse(origin)) throw new AppError('BAD_REQUEST');
  return `${new URL(origin).origin}${BELOW}/callback`;
}
