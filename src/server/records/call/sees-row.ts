import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Call } from './open-call.ts';
import { recordScope } from './record-scope.ts';

/**
 * Whether a record in hand is one that the call may see, as `rowConditions` says it in SQL; null where only the database
 * can tell, since the condition reads other records.
 */
export function seesRow(call: Call, record: ErpRecord): boolean | null {
  const { access, resource, caller } = call;
  const { rows, companies } = access;
  if (resource.scope === 'company' && companies === 'own' && record['co_code'] !== caller.subject.co_code)
    return false;
  if (rows === null) return false;
  const { fields, values } = filterReads(rows);
  const isOwn = [...fields, ...values].every((path) => !path.includes('.') || path.startsWith('user.'));
  return isOwn ? matchesFilter(rows, recordScope(call, record)) : null;
}
