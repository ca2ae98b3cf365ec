import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Call } from './open-call.ts';

/** The surroundings in which the rules, formulas and guards of a record run. */
export function recordScope(call: Call, record: ErpRecord, input?: ErpRecord): Scope {
  const { caller, catalog, resource } = call;
  const context = input === undefined ? caller.context : { ...caller.context, input };
  return { resource, catalog, record, context };
}
