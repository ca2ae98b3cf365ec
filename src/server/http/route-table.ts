import { type BodyLimits, FORM_BODY } from '#contract/limits.ts';
import type { Permission } from '#contract/call.ts';
import type { App } from './app-types.ts';

/** A call that the server answers, as it is registered: for checks that go over all of them. */
export interface RegisteredRoute {
  readonly method: string;
  /** With its parameters: `/erp/api/data/:resource/:id`. */
  readonly path: string;
  readonly permission: Permission;
  readonly limits: BodyLimits;
  readonly takesFiles: boolean;
}

/** Lists every route that is registered from here on. */
export function listRoutes(app: App): readonly RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat())
      if (one !== 'HEAD')
        routes.push({
          method: one,
          path: url,
          permission: config?.permission ?? 'session',
          limits: config?.limits ?? FORM_BODY,
          takesFiles: config?.takesFiles === true,
        });
  });
  return routes;
}
