import type { ApprovalStatus } from '#contract/approval.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { labelsOf } from '#web/fields/field-text.ts';

/** What is told of a document's approval once it has one. */
export type ApprovalRecord = NonNullable<ApprovalStatus>;

/** One row of the inbox: an approval task with its labels. */
export interface ApprovalTask {
  readonly id: string;
  readonly version: number;
  readonly resource: string;
  readonly resource_title: string;
  readonly record_id: string;
  readonly record_no: string;
  readonly record_title: string;
  readonly amount_cny: string | null;
  readonly party: string | null;
  /** In the document's currency. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Titles of what differs from the last submission; null: submitted for the first time. */
  readonly changed: readonly string[] | null;
  readonly level_title: string;
  readonly submitted_at: string;
  readonly due_at: string | null;
  readonly waiting_hours: number;
  /** Why it is not approved together with others; null when it may be. */
  readonly batch_refusal: string | null;
  readonly labels: ReturnType<typeof labelsOf>;
}

/** A task as the inbox lists it. */
export function readTask(record: ErpRecord): ApprovalTask {
  const text = (name: string): string | null => {
    const value = record[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  return {
    id: text('id') ?? '',
    version: Number(record['version']),
    resource: text('resource') ?? '',
    resource_title: text('resource_title') ?? '',
    record_id: text('record_id') ?? '',
    record_no: text('record_no') ?? '',
    record_title: text('record_title') ?? '',
    amount_cny: text('amount_cny'),
    party: text('party'),
    amount: text('amount'),
    currency: text('currency'),
    changed: Array.isArray(record['changed']) ? record['changed'].map(String) : null,
    level_title: text('level_title') ?? '',
    submitted_at: text('submitted_at') ?? '',
    due_at: text('due_at'),
    waiting_hours: Number(record['waiting_hours'] ?? 0),
    batch_refusal: text('batch_refusal'),
    labels: labelsOf(record),
  };
}
