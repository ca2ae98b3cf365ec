import { switchSupplier } from '#server/business/suppliers/switch-supplier.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';

// What is missing or empty is told in the words of the form.
const CODE = { type: 'string', maxLength: 30, default: '' } as const;

const CODES = {
  type: 'object',
  required: ['sellerCustid', 'agcustid'],
  properties: { sellerCustid: CODE, agcustid: CODE },
  additionalProperties: false,
} as const;

/** The supplier switch of /gysqh. */
export function registerRelationRoutes(app: App, services: AppServices): void {
  app.post(
    '/relation/updateCustidBySellerCustid',
    { config: { permission: 'staff' }, schema: { body: CODES } },
    async (request) => {
      await switchSupplier(services, callerOf(request), request.body);
      return answer(null, '替换成功!');
    },
  );
}
