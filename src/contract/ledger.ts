import type { CallGroup } from './call.ts';
import { OF_RECORD, RECORD, RESOURCE_KEY } from './common.ts';

const OF_ENTRY = {
  type: 'object',
  required: ['ledger', 'entryId'],
  properties: { ledger: RESOURCE_KEY, entryId: { type: 'string', maxLength: 100 } },
} as const;

/** What documents posted, hold and vouched, who holds an account, and where money came from and went. */
export const LEDGER_CALLS = {
  'GET /data/:resource/:id/entries': {
    title: '分录、冻结与凭证',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: RECORD,
  },
  'GET /ledger/:ledger/:entryId/trace': {
    title: '追溯资金来源与去向',
    permission: 'resource',
    params: OF_ENTRY,
    data: RECORD,
  },
} as const satisfies CallGroup;
