import { switchSupplier } from '#server/business/suppliers/switch-supplier.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** The supplier switch (spec section 2.6). */
export function registerRelationRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /relation/updateCustidBySellerCustid', async (request) => {
    await switchSupplier(services, callerOf(request), request.body);
    return answer(null, '替换成功!');
  });
}
