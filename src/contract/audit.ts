import type { CallGroup } from './call.ts';
import { NOTHING, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';

const FAULT = {
  title: 'AuditFault',
  type: 'object',
  required: ['kind', 'seq', 'audit_id', 'at', 'co_code', 'resource', 'record_id', 'person_name', 'action'],
  properties: {
    kind: { enum: ['changed', 'missing', 'unsealed', 'broken', 'rewritten'] },
    seq: TEXT_OR_NULL,
    audit_id: TEXT_OR_NULL,
    at: TEXT_OR_NULL,
    co_code: TEXT_OR_NULL,
    resource: TEXT_OR_NULL,
    record_id: TEXT_OR_NULL,
    person_name: TEXT_OR_NULL,
    action: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

/** What the last look at the whole audit found; null before the first. */
const VERIFICATION = {
  title: 'AuditVerification',
  type: ['object', 'null'],
  required: ['at', 'links', 'total', 'head', 'faults'],
  properties: {
    at: TEXT,
    links: WHOLE,
    total: WHOLE,
    head: {
      type: ['object', 'null'],
      required: ['seq', 'hash'],
      properties: { seq: TEXT, hash: TEXT },
      additionalProperties: false,
    },
    faults: { type: 'array', items: FAULT },
    /** When a backup was last brought back. */
    restoredAt: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

/** Whether anybody has changed what the audit says: for group administrators. */
export const AUDIT_CALLS = {
  'GET /audit/verification': { title: '操作记录核对结果', permission: 'admin', data: VERIFICATION },
  'POST /audit/verification': { title: '核对操作记录', permission: 'admin', data: NOTHING },
} as const satisfies CallGroup;
