import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import { lifeOf, type OidcCookie, openOidcCookie, sealOidcCookie } from '#server/auth/oidc/oidc-cookie.ts';
import { siteOrigin } from './site-origin.ts';

/** A cookie of the login by an identity provider, and the addresses that it is sent to. */
interface Place {
  readonly name: string;
  readonly path: string;
}

/** Between the way to the provider and the login page. */
export const LOGIN_COOKIE: Place = { name: 'erp_oidc', path: '/erp/api/sys/oidc' };
/** Until the session is ended. */
export const SESSION_COOKIE: Place = { name: 'erp_oidc_session', path: '/erp/api/sys/logout' };

/** Keeps and reads the sealed cookies of one server. */
export function oidcCookies(services: AppServices) {
  const secret = services.config.oidc?.clientSecret ?? '';
  const nowMs = (): number => services.clock().getTime();
  return {
    /** Null takes it away. */
    keep: (
      { name, path }: Place,
      { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
      cookie: OidcCookie | null,
    ): void => {
      const value = cookie === null ? '' : sealOidcCookie(cookie, secret, nowMs());
      const isSecure = siteOrigin(services, request).startsWith('https:');
      const life = `Max-Age=${cookie === null ? 0 : lifeOf(cookie)}`;
      const flags = `Path=${path}; HttpOnly; SameSite=Lax; ${life}${isSecure ? '; Secure' : ''}`;
      void reply.header('set-cookie', `${name}=${value}; ${flags}`);
    },
    kept: ({ name }: Place, { headers }: Pick<FastifyRequest, 'headers'>): OidcCookie | null => {
      const value = new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
      return value === undefined ? null : openOidcCookie(value, secret, nowMs());
    },
  };
}
