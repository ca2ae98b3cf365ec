import { uuidv7 } from '#server/operations/record-id.ts';
import type { Caller } from '#server/services.ts';
import { type Reader, statementName } from './statement.ts';

/** One audit row: who did what to which record, for whom, and what changed. */
export interface AuditEntry {
  readonly resource: string;
  readonly record_id: string;
  readonly co_code: unknown;
  readonly action: string;
  readonly from_status?: unknown;
  readonly to_status?: unknown;
  readonly opinion?: string | null;
  readonly changes?: readonly unknown[];
}

/** Writes the audit row of a write, in its transaction. */
export async function writeAudit(
  tx: Reader,
  who: { readonly caller: Caller; readonly at: Date },
  entry: AuditEntry,
): Promise<void> {
  const { subject, requestId } = who.caller;
  const isForOther = subject.sales_id !== null && subject.sales_id !== subject.id;
  await tx.query(
    INSERT,
    [
      uuidv7(who.at),
      who.at.toISOString(),
      entry.resource,
      entry.record_id,
      entry.co_code ?? subject.co_code,
      uuidOrNull(subject.id),
      subject.name,
      isForOther ? uuidOrNull(subject.sales_id) : null,
      entry.action,
      entry.from_status ?? null,
      entry.to_status ?? null,
      entry.opinion ?? null,
      JSON.stringify(entry.changes ?? []),
      requestId,
    ],
    statementName(INSERT),
  );
}

const INSERT = `insert into sys_audit (id, at, resource, record_id, co_code, person_id, person_name, for_sales_id, action, from_status, to_status, opinion, changes, request_id)
 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14)`;

/** Null for the system, which is no person. */
export function uuidOrNull(id: string | null): string | null {
  return id !== null && /^[0-9a-f-]{36}$/.test(id) ? id : null;
}
