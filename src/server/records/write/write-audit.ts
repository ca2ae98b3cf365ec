import { uuidv7 } from '#server/records/call/record-id.ts';
import type { Caller } from '#server/records/services.ts';
import { markWritten } from './keep-answer.ts';
import { type Reader, statementName } from '#server/records/call/statement.ts';

/** One audit row: who did what to which record, for whom, and what changed. */
export interface AuditEntry {
  readonly resource: string;
  /** Null where a write or an export is about many records. */
  readonly record_id: string | null;
  readonly co_code: unknown;
  readonly action: string;
  readonly from_status?: unknown;
  readonly to_status?: unknown;
  readonly opinion?: string | null;
  readonly changes?: readonly unknown[];
}

/** Who writes, and when. */
interface AuditAuthor {
  readonly caller: Pick<Caller, 'subject' | 'requestId' | 'address' | 'onBehalfOf' | 'idempotency'>;
  readonly at: Date;
}

/** Writes the audit row of a write, in its transaction. */
export async function writeAudit(tx: Reader, who: AuditAuthor, entry: AuditEntry): Promise<void> {
  await writeAudits(tx, who, [entry]);
}

/** Writes the audit rows of many writes in one statement. */
export async function writeAudits(
  tx: Reader,
  who: AuditAuthor,
  entries: readonly AuditEntry[],
): Promise<void> {
  const { subject, requestId, onBehalfOf, address } = who.caller;
  const isForOther = subject.sales_id !== null && subject.sales_id !== subject.id;
  const rows = entries.map((entry) => ({
    id: uuidv7(who.at),
    at: who.at.toISOString(),
    resource: entry.resource,
    record_id: entry.record_id,
    co_code: entry.co_code ?? subject.co_code,
    person_id: uuidOrNull(subject.id),
    person_name: subject.name,
    for_sales_id: isForOther ? uuidOrNull(subject.sales_id) : null,
    on_behalf_id: uuidOrNull(onBehalfOf?.id ?? null),
    on_behalf_name: onBehalfOf?.name ?? null,
    action: entry.action,
    from_status: entry.from_status ?? null,
    to_status: entry.to_status ?? null,
    opinion: entry.opinion ?? null,
    changes: entry.changes ?? [],
    request_id: requestId,
    address: address === '' ? null : address,
  }));
  await tx.query(INSERT, [JSON.stringify(rows)], statementName(INSERT));
  await markWritten(tx, who.caller);
}

const COLUMNS =
  'id, at, resource, record_id, co_code, person_id, person_name, for_sales_id, on_behalf_id, on_behalf_name, action, from_status, to_status, opinion, changes, request_id, address';
const INSERT = `insert into sys_audit (${COLUMNS}) select ${COLUMNS} from jsonb_populate_recordset(null::sys_audit, $1::jsonb)`;

/** Null for the system, which is no person. */
export function uuidOrNull(id: string | null): string | null {
  return id !== null && /^[0-9a-f-]{36}$/.test(id) ? id : null;
}
