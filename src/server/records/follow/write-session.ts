import type { RecordChange } from '#engine/record/diff-records.ts';
import type { FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { isRehearsal } from '#server/records/call/rehearsal.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { settleWrite } from './settle-write.ts';
import type { HeldAmount, JudgedLimit, MadeRecord, MadeVoucher, MovedState, NotedChange, PostedEntry } from './write-outcome.ts'; // prettier-ignore
import { asStored, unchangedSince, type Written } from './written-record.ts';

/** A record whose fields or figures moved in this transaction. */
export interface MovedRecord {
  readonly call: Call;
  readonly resource: Resource;
  readonly id: string;
  /** As it was before the transaction; null for a new one. */
  readonly before: OpenRecord | null;
  /** Every state that it was seen in after a write: by others it does not move itself. */
  readonly states: Set<unknown>;
  /** As it was written last, and when that was; null where the writer does not know the whole of it. */
  written: Written | null;
  isGone: boolean;
}

/** Which column of a written document moved a figure: where a limit's refusal stands. */
export interface FigureCause {
  readonly resource: string;
  readonly id: string;
  readonly path: string;
}

/** What one transaction has written so far. */
export interface WriteSession {
  /** By resource and id, in the order in which they were first touched. */
  readonly moved: Map<string, MovedRecord>;
  /** By resource, record and line. */
  readonly causes: Map<string, FigureCause[]>;
  /** Sums of entries that do not count for an account's limits, by account. */
  readonly forced: Map<string, string>;
  readonly made: MadeRecord[];
  readonly states: MovedState[];
  /** Actions that have run by themselves: each once a record and write. */
  readonly ran: Set<string>;
  /** Warnings of limits and blockers. */
  readonly warnings: FieldProblem[];
  /** Limits whose figure moved, for the preview. */
  readonly limits: JudgedLimit[];
  /** What was posted, held and vouched, for 将会发生什么. */
  readonly entries: PostedEntry[];
  readonly holds: HeldAmount[];
  readonly vouchers: MadeVoucher[];
  /** What changed in records that were there, for 将会发生什么; noted in a rehearsal only. */
  readonly changes: NotedChange[];
  /** Submitted records: their limits are asked as if they were approved. */
  readonly submitted: Submitted[];
  /** Documents that were approved, by their resource: what they claim is asked as if it were new. */
  readonly approved: Map<string, Set<string>>;
  /** Records as they were read last, when nothing moved any more, by their keys; and when that was. */
  standing: { readonly records: ReadonlyMap<string, OpenRecord>; readonly since: number };
  /** Somebody decides on another's document: what is made now is not of his making. */
  isDecision: boolean;
  /** The record that the request writes. */
  origin: { readonly resource: string; readonly id: string } | null;
}

/** A record that waits for its approval, and the state that this would enter. */
export interface Submitted {
  readonly call: Call;
  readonly id: string;
  readonly approved: string;
}

const SESSION = Symbol('write session');
const SETTLER = Symbol('settler');

/** The session of a transaction; the first call arranges that it is settled before the commit. */
export function sessionOf(tx: Tx): WriteSession {
  const known = tx.memory.get(SESSION);
  if (known !== undefined) return known as WriteSession;
  const session = newSession();
  tx.memory.set(SESSION, session);
  tx.beforeCommit(() => settleNow(tx));
  return session;
}

/**
 * Settles what has been written so far: what moves by itself, exclusions and limits. Runs before the commit; whoever
 * writes several records in one transaction calls it after each, so that each is refused alone.
 */
export async function settleNow(tx: Tx): Promise<void> {
  const session = tx.memory.get(SESSION);
  if (session === undefined || tx.memory.has(SETTLER)) return;
  tx.memory.set(SETTLER, true);
  try {
    await settleWrite(tx, session as WriteSession);
  } finally {
    tx.memory.delete(SETTLER);
  }
}

/**
 * Forgets what was written so far: for a transaction that makes several writes, after one is settled or undone. The next
 * is judged by what it does itself.
 */
export function beginNextWrite(tx: Tx): void {
  const session = tx.memory.get(SESSION);
  if (session !== undefined) Object.assign(session as WriteSession, newSession());
}

/**
 * Remembers that a record was written: as it was before the transaction, and that this is what a refusal speaks of.
 * `storedAt`: the moment at which it stood in the table just so, with its lines; left out by who does not know that.
 */
export function noteWritten(
  tx: Tx,
  call: Call,
  noted: {
    readonly before: OpenRecord | null;
    readonly after: OpenRecord;
    readonly storedAt?: number;
    readonly isGone?: boolean;
  },
): void {
  const session = sessionOf(tx);
  const id = String(noted.after['id']);
  const key = recordKey(call.resource.resource, id);
  session.origin ??= { resource: call.resource.resource, id };
  if (!isJudged(call.resource)) return;
  const known = session.moved.get(key);
  const written =
    noted.storedAt === undefined
      ? null
      : { record: asStored(call.resource, noted.after), since: noted.storedAt };
  if (known !== undefined) {
    known.isGone = noted.isGone ?? known.isGone;
    known.states.add(noted.after['status']);
    known.written = written;
    return;
  }
  session.moved.set(key, {
    call: withoutInput(call),
    resource: call.resource,
    id,
    before: noted.before,
    states: new Set([noted.after['status']]),
    written,
    isGone: noted.isGone ?? false,
  });
}

/**
 * A record as the transaction read it when nothing moved any more, to be shown; null where it was not read then or a
 * statement since may have changed it.
 */
export function standingRecord(tx: Tx, { resource }: Call, id: string): OpenRecord | null {
  const session = tx.memory.get(SESSION) as WriteSession | undefined;
  const record = session?.standing.records.get(recordKey(resource.resource, id));
  if (session === undefined || record === undefined) return null;
  return unchangedSince(tx, resource, { record, since: session.standing.since });
}

/** Only what may move itself, or is judged at the end, has to be known then. */
function isJudged({ limits, exclude, lifecycle }: Resource): boolean {
  if (limits.length > 0 || exclude.length > 0) return true;
  return Object.values(lifecycle?.actions ?? {}).some(({ auto }) => auto === true);
}

/** Remembers which column moved a figure of a record (or of one of its lines). */
export function noteCause(
  tx: Tx,
  figure: { readonly resource: string; readonly id: string; readonly line: string | null },
  cause: FigureCause,
): void {
  const { causes } = sessionOf(tx);
  const key = `${recordKey(figure.resource, figure.id)}:${figure.line ?? ''}`;
  const known = causes.get(key);
  if (known === undefined) causes.set(key, [cause]);
  else known.push(cause);
}

/** The column of the request's own document that moved a figure; empty when another document did. */
export function causeOf(
  session: WriteSession,
  figure: { readonly resource: string; readonly id: string; readonly line: string | null },
): string {
  const found = session.causes.get(`${recordKey(figure.resource, figure.id)}:${figure.line ?? ''}`) ?? [];
  const own = found.find(
    ({ resource, id }) => resource === session.origin?.resource && id === session.origin.id,
  );
  return own?.path ?? '';
}

/** Remembers that an action moved a record, for 将会发生什么. */
export function noteMoved(
  tx: Tx,
  call: Call,
  moved: { readonly before: OpenRecord; readonly after: OpenRecord; readonly action: string },
): void {
  const { before, after, action } = moved;
  sessionOf(tx).states.push({
    resource: call.resource.resource,
    id: String(after['id']),
    label: recordLabel(call.resource, after),
    action,
    from: String(before['status']),
    to: String(after['status']),
  });
}

/** Remembers what changed in a record, for 将会发生什么. */
export function noteChange(
  tx: Tx,
  call: Call,
  { id, changes }: { readonly id: string; readonly changes: readonly RecordChange[] },
): void {
  if (changes.length > 0) sessionOf(tx).changes.push({ resource: call.resource.resource, id, changes });
}

/** Remembers what rules and blockers only warn of, for 将会发生什么. */
export function noteWarnings(tx: Tx, problems: readonly FieldProblem[]): void {
  if (isRehearsal(tx)) sessionOf(tx).warnings.push(...problems.filter(({ level }) => level === 'warning'));
}

/** Remembers that a record was submitted: before the commit its limits are asked as if it were approved. */
export function noteSubmitted(
  tx: Tx,
  call: Call,
  submitted: { readonly id: string; readonly approved: string },
): void {
  sessionOf(tx).submitted.push({ call: withoutInput(call), ...submitted });
}

/** Remembers that a document's last approval was given. */
export function noteApproved(tx: Tx, { resource }: Call, id: string): void {
  const { approved } = sessionOf(tx);
  approved.set(resource.resource, (approved.get(resource.resource) ?? new Set()).add(id));
}

export function recordKey(resource: string, id: string): string {
  return `${resource}:${id}`;
}

/** What the system does has no inputs of its own. */
function withoutInput(call: Call): Call {
  const { input: _input, inputFields: _fields, ...context } = call.caller.context;
  return { ...call, caller: { ...call.caller, context } };
}

function newSession(): WriteSession {
  return {
    moved: new Map(),
    causes: new Map(),
    forced: new Map(),
    made: [],
    states: [],
    ran: new Set(),
    warnings: [],
    limits: [],
    entries: [],
    holds: [],
    vouchers: [],
    changes: [],
    submitted: [],
    approved: new Map(),
    isDecision: false,
    standing: { records: new Map(), since: -1 },
    origin: null,
  };
}
