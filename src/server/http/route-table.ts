import { type BodyLimits, FORM_BODY } from '#contract/limits.ts';
import type { CallContract, Permission } from '#contract/call.ts';
import type { App } from './app-types.ts';

/** A call that the server answers, as it is registered: for checks and descriptions that go over all of them. */
export interface RegisteredRoute {
  readonly method: string;
  /** With its parameters: `/erp/api/data/:resource/:id`. */
  readonly path: string;
  readonly contract: CallContract;
  readonly permission: Permission;
  readonly limits: BodyLimits;
  readonly takesFiles: boolean;
}

/** Lists every route that is registered from here on. */
export function listRoutes(app: App): readonly RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const contract = config?.contract;
    if (contract === undefined) return;
    const { permission, takes, limits } = contract;
    const route = { path: url, contract, permission, limits: limits?.body ?? FORM_BODY };
    for (const one of [method].flat())
      if (one !== 'HEAD') routes.push({ ...route, method: one, takesFiles: takes === 'files' });
  });
  return routes;
}
