import { openCall } from '#server/records/call/open-call.ts';
import { showChain } from '#server/records/follow/show-chain.ts';
import { recordLimits } from '#server/records/follow/record-limits.ts';
import { recordEntries } from '#server/records/ledger/record-entries.ts';
import { traceEntry } from '#server/records/ledger/trace-entry.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** What came from what, what documents posted, hold and vouched, who holds an account, and where money came from and went. */
export function registerLedgerRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /data/:resource/:id/entries', async (request) => {
    const { resource, id } = request.params;
    return answer({ ...(await recordEntries(openCall(services, callerOf(request), resource, 'read'), id)) });
  });
  serve(app, 'GET /data/:resource/:id/chain', async (request) => {
    const { resource, id } = request.params;
    return answer(await showChain(openCall(services, callerOf(request), resource, 'read'), id));
  });
  serve(app, 'GET /data/:resource/:id/limits', async (request) => {
    const { resource, id } = request.params;
    return answer(await recordLimits(openCall(services, callerOf(request), resource, 'read'), id));
  });
  serve(app, 'GET /ledger/:ledger/:entryId/trace', async (request) => {
    const { ledger, entryId } = request.params;
    return answer({ ...(await traceEntry(openCall(services, callerOf(request), ledger, 'read'), entryId)) });
  });
}
