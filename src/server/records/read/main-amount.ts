import { canSee } from '#engine/access/resource-access.ts';
import { currencyOf } from '#engine/record/compute-record.ts';
import { mainAmount } from '#engine/record/main-amount.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { OpenRecord } from './attach-references.ts';

/** The amount that a record is known by, with its currency, as far as the caller may see it. */
export function amountOf(
  call: Call,
  record: OpenRecord,
): { readonly amount: string | null; readonly currency: string | null } {
  const field = mainAmount(call.resource);
  const value = field === undefined || !canSee(call.access, field.name) ? null : record[field.name];
  if (field === undefined || typeof value !== 'string') return { amount: null, currency: null };
  return { amount: value, currency: currencyOf(field, recordScope(call, record)) };
}
