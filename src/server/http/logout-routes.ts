import type { AppServices } from '#server/auth/app-services.ts';
import { createIdentityProvider } from '#server/auth/oidc/identity-provider.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { oidcCookies, SESSION_COOKIE } from './oidc-cookies.ts';
import { serve } from './serve.ts';
import { siteOrigin } from './site-origin.ts';

/** Ends the session here and, of who came by the identity provider, says where the one there is ended. */
export function registerLogoutRoutes(app: App, services: AppServices): void {
  const { config, sessions, db } = services;
  const provider = config.oidc === null ? null : createIdentityProvider(config.oidc, () => Date.now());
  const cookies = oidcCookies(services);
  serve(app, 'POST /sys/logout', async (request, reply) => {
    // Logging out of a session that is gone is no fault.
    const session = await sessions.find(request.headers.authorization ?? '');
    if (session !== null) await sessions.revoke(db, [session.id]);
    const cookie = cookies.kept(SESSION_COOKIE, request);
    if (provider === null || cookie?.kind !== 'session') return answer({ next: null }, '已退出登录');
    cookies.keep(SESSION_COOKIE, { request, reply }, null);
    const person = session?.subject?.id;
    // Somebody else has logged in here since, with a password.
    if (person !== undefined && person !== cookie.personId) return answer({ next: null }, '已退出登录');
    const next = await provider
      .endSession(`${siteOrigin(services, request)}/login`, cookie.idToken)
      .catch((error: unknown) => {
        request.log.warn({ err: error }, 'the session at the identity provider was not ended');
        return null;
      });
    return answer({ next }, '已退出登录');
  });
}
