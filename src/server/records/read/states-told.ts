import { rowsFor } from '#engine/access/resource-access.ts';
import { filterParts } from '#engine/filter/filter-paths.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';

/** What of a filter can be told of a record as it stood earlier: its state, and who began it. */
const LASTING: ReadonlySet<string> = new Set(['status', 'created_by']);

/**
 * The states in which a reader sees a record like this one: what was done to it in others was the house's own affair.
 * Conditions on anything else count as met.
 */
export function statesTold(call: Call, record: ErpRecord): ReadonlySet<string> {
  const { rows } = rowsFor(call.access, 'read');
  const states = Object.keys(call.resource.lifecycle?.states ?? {});
  return new Set(states.filter((status) => rows !== null && couldHold(rows, call, { ...record, status })));
}

function couldHold(filter: Filter, call: Call, record: ErpRecord): boolean {
  return filterParts(filter).every((part) => {
    if (part.kind !== 'condition') {
      const holds = (inner: Filter): boolean => couldHold(inner, call, record);
      return part.kind === 'or' ? part.filters.some(holds) : part.filters.every(holds);
    }
    if (!LASTING.has(part.path)) return true;
    return matchesFilter({ [part.path]: { [part.operator]: part.value } }, recordScope(call, record));
  });
}
