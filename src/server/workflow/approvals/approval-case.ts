import type { ResolvedLevel } from '#server/records/following.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Reader, statementName } from '#server/records/call/statement.ts';

/** A level of a running case: who decides, which tasks it has. */
export interface CaseLevel extends ResolvedLevel {
  /** Tasks of the level, empty before it is reached. */
  readonly tasks: readonly string[];
  /** Tasks that somebody handed on, and who. */
  readonly handed?: Readonly<Record<string, string>>;
}

/** What a case keeps of the flow it was submitted under. */
interface CaseFlow {
  readonly flow_id: string | null;
  readonly name: string;
  readonly version: number;
  readonly amount_cny: string | null;
  readonly submitter_id: string;
  readonly submitter_name: string;
  readonly levels: readonly CaseLevel[];
  /** What the submission changed (变更), as it was; only where its withdrawal leads back to the state before. */
  readonly before?: OpenRecord | null;
}

export interface ApprovalCase {
  readonly id: string;
  readonly co_code: string;
  readonly resource: string;
  readonly record_id: string;
  readonly record_version: number;
  /** The action that started it. */
  readonly action: string;
  readonly flow: CaseFlow;
  readonly level_no: number;
  readonly status: string;
  readonly submitted_by: string | null;
  readonly submitted_at: string;
  readonly snapshot: OpenRecord;
  readonly ended_at: string | null;
}

/** The running case of a record, locked when asked; null when none runs. */
export async function findOpenCase(
  db: Reader,
  record: { readonly resource: string; readonly id: string },
  isLocking = false,
): Promise<ApprovalCase | null> {
  const text = `select * from sys_approval_case where resource = $1 and record_id = $2::uuid and ended_at is null${isLocking ? ' for update' : ''}`;
  const [row] = await db.query(text, [record.resource, record.id], statementName(text));
  return row === undefined ? null : readCase(row);
}

/** The action whose approval of a record runs; null when none does. */
export async function approvalOf(db: Reader, resource: string, id: string): Promise<string | null> {
  const text = `select action from sys_approval_case where resource = $1 and record_id = $2::uuid and ended_at is null`;
  const [row] = await db.query(text, [resource, id], 'approval_running');
  return row === undefined ? null : String(row['action']);
}

/** All cases of a record, newest first. */
export async function listCases(
  db: Reader,
  record: { readonly resource: string; readonly id: string },
): Promise<readonly ApprovalCase[]> {
  const rows = await db.query(
    `select * from sys_approval_case where resource = $1 and record_id = $2::uuid order by submitted_at desc, id desc limit 50`,
    [record.resource, record.id],
    'approval_cases',
  );
  return rows.map(readCase);
}

export async function insertCase(tx: Reader, made: ApprovalCase): Promise<void> {
  await tx.query(
    `insert into sys_approval_case (id, co_code, resource, record_id, record_version, action, flow, level_no, status, submitted_by, submitted_at, snapshot)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12::jsonb)`,
    [
      made.id,
      made.co_code,
      made.resource,
      made.record_id,
      made.record_version,
      made.action,
      JSON.stringify(made.flow),
      made.level_no,
      made.status,
      made.submitted_by,
      made.submitted_at,
      JSON.stringify(made.snapshot),
    ],
    'approval_case_insert',
  );
}

/** Writes where a case stands. */
export async function updateCase(tx: Reader, changed: ApprovalCase): Promise<void> {
  await tx.query(
    `update sys_approval_case set flow = $2::jsonb, level_no = $3, status = $4, ended_at = $5, record_version = $6 where id = $1`,
    [
      changed.id,
      JSON.stringify(changed.flow),
      changed.level_no,
      changed.status,
      changed.ended_at,
      changed.record_version,
    ],
    'approval_case_update',
  );
}

/** A record as it is kept with a case: without texts and values of other records. */
export function snapshotOf(record: OpenRecord): OpenRecord {
  const plain: OpenRecord = {};
  for (const [name, value] of Object.entries(record)) {
    if (name.startsWith('_')) continue;
    plain[name] = Array.isArray(value) ? value.map(plainLine) : value;
  }
  return plain;
}

function plainLine(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('_')));
}

function readCase(row: Readonly<Record<string, unknown>>): ApprovalCase {
  // The columns are written by insertCase and updateCase alone.
  const flow = row['flow'] as CaseFlow;
  const snapshot = (row['snapshot'] ?? {}) as OpenRecord;
  return {
    id: String(row['id']),
    co_code: String(row['co_code']),
    resource: String(row['resource']),
    record_id: String(row['record_id']),
    record_version: Number(row['record_version']),
    action: String(row['action']),
    flow,
    level_no: Number(row['level_no']),
    status: String(row['status']),
    submitted_by: typeof row['submitted_by'] === 'string' ? row['submitted_by'] : null,
    submitted_at: String(row['submitted_at']),
    snapshot,
    ended_at: typeof row['ended_at'] === 'string' ? row['ended_at'] : null,
  };
}
