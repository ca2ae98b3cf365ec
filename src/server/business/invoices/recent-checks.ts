import { parseListRequest } from '#server/records/list/list-request.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Caller, Services } from '#server/records/services.ts';

const RESOURCE = 'invoice_check';
const SHOWN = 20;

/**
 * The last verifications of the caller's company, newest first. Null for visitors, for sessions that ended and for roles
 * that may not list them: the page is public, and none of these is a fault there.
 */
export async function recentChecks(
  services: Services,
  caller: Caller | null,
): Promise<readonly OpenRecord[] | null> {
  if (caller === null || currentCatalog(services).resources[RESOURCE] === undefined) return null;
  const call = openAnyCall(services, caller, RESOURCE);
  if (!call.access.operations.has('list')) return null;
  const request = parseListRequest(call, { pageSize: SHOWN, sorters: ['-created_at'] });
  return (await queryRecords(call, request)).records;
}
