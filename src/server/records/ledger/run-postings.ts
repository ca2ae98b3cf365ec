import type { Scope } from '#engine/filter/scope.ts';
import { readsLedger } from '#engine/ledger/ledger-figures.ts';
import {
  dueScopes,
  lineOf,
  NoPostingType,
  type PlannedEntry,
  planEntry,
} from '#engine/ledger/plan-entries.ts';
import { givenValue } from '#engine/record/compute-record.ts';
import { isAt, isInStates, type PostingMoment } from '#engine/ledger/posting-moment.ts';
import type { PostingDefinition } from '#engine/schema/ledger-definition.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { accountIds } from './account-rows.ts';
import { syncHolds } from './hold-amounts.ts';
import { baseOf, entriesOf, postingBase } from './posted-entries.ts';
import { reverseEntries } from './reverse-entries.ts';
import { newEntry, type PostingSource, writeEntries } from './write-entries.ts';

/** A write of a document that may post, hold or vouch. `after` is as stored by this write. */
export interface LedgerMoment extends PostingMoment {
  readonly before: OpenRecord | null;
  readonly after: OpenRecord;
}

/** What the ledgers did with a write, for its vouchers. */
export interface Posted extends LedgerMoment {
  /** The lines that were reversed, null among them for the head; `all` when everything was. */
  readonly reversed: ReadonlySet<string | null> | 'all' | null;
  /** The day of what was reversed, where it is not today. */
  readonly reversedOn?: string | null;
}

/** Holds, then postings of a write, in the file's order. Gives the record as it is then. */
export async function runPostings(tx: Tx, call: Call, moment: LedgerMoment): Promise<Posted> {
  const { postings, holds } = call.resource;
  const due = postings.filter(({ at }) => isAt(at, moment, call.resource));
  if (due.length + holds.length === 0) return { ...moment, reversed: null };
  const run = await PostingRun.start(tx, inCompanyOf(call, moment.after), moment);
  if (holds.length > 0) await syncHolds(tx, run.call, { ...moment, scope: run.scope });
  for (const posting of due) await run.post(posting);
  await run.flush();
  await refuseDead(tx, run.call, moment);
  if (due.length === 0) return { ...moment, reversed: null };
  await run.read();
  return { ...moment, after: run.record, reversed: run.reversed, reversedOn: run.reversedOn };
}

/** The call within the company of a record, whoever asks. */
export function inCompanyOf(call: Call, record: OpenRecord): Call {
  const company = record['co_code'];
  const system = {
    ...openSystemCall(call.services, call.caller, call.resource.resource),
    catalog: call.catalog,
  };
  const { subject, context } = call.caller;
  if (typeof company !== 'string' || company === subject.co_code) return system;
  const moved = { ...subject, co_code: company };
  return { ...system, caller: { ...call.caller, subject: moved, context: { ...context, subject: moved } } };
}

/** How often each posting of a document was posted, whether it is now, and whether its line was taken back alone. */
type Counts = Map<
  string,
  { readonly total: number; readonly isLive: boolean; readonly isTakenBack: boolean }
>;

const NEVER_POSTED = { total: 0, isLive: false, isTakenBack: false };

/** The postings of one write, one after the other: entries wait together until one of them reads what they move. */
class PostingRun {
  record: OpenRecord;
  reversed: Posted['reversed'] = null;
  reversedOn: string | null = null;
  private waiting: PlannedEntry[] = [];
  private counts: Counts | null = null;
  /** Lines that this write has taken back. */
  private readonly takenBack = new Set<string | null>();

  private constructor(
    readonly tx: Tx,
    readonly call: Call,
    readonly moment: LedgerMoment,
  ) {
    this.record = moment.after;
  }

  static async start(tx: Tx, call: Call, moment: LedgerMoment): Promise<PostingRun> {
    const run = new PostingRun(tx, call, moment);
    await run.read();
    return run;
  }

  get scope(): Scope {
    return { ...recordScope(this.call, this.record), before: this.moment.before };
  }

  /** Takes the record as it is stored now, with the values behind its references. */
  async read(): Promise<void> {
    const stored = await readStored(this.tx, this.call, String(this.moment.after['id']));
    if (stored === null) return;
    await attachFor(this.tx, this.call, stored);
    this.record = stored;
  }

  async post(posting: PostingDefinition): Promise<void> {
    if (posting.reverse !== undefined) return this.reverse(posting);
    if (!readsLedger(posting, this.call.resource, this.call.catalog)) {
      for (const scope of dueScopes(posting, this.scope)) this.plan(posting, scope);
      return;
    }
    await this.flush();
    await this.read();
    for (const line of dueScopes(posting, this.scope).map(lineOf)) {
      const scope = dueScopes(posting, this.scope).find((here) => lineOf(here) === line);
      if (scope === undefined) continue;
      this.plan(posting, scope);
      if (await this.flush()) await this.read();
    }
  }

  /** Writes what waits; false when nothing did. */
  async flush(): Promise<boolean> {
    if (this.waiting.length === 0) return false;
    const counts = await this.posted();
    const open = this.waiting.splice(0).flatMap((entry) => {
      const key = this.openKey(entry, counts);
      return key === null ? [] : [{ entry, key }];
    });
    const ids = await accountIds(
      this.tx,
      this.call,
      open.map(({ entry }) => entry),
    );
    const entries = open.flatMap(({ entry, key }, index) => {
      const id = ids[index];
      if (entry.account === null || id === undefined) return [];
      return [newEntry(entry, { account: { resource: entry.account.resource, id }, key })];
    });
    await writeEntries(this.tx, this.source(), entries);
    return entries.length > 0;
  }

  private async reverse(posting: PostingDefinition): Promise<void> {
    await this.flush();
    const date = posting.date === undefined ? null : givenValue(undefined, posting.date, this.scope);
    if (typeof date === 'string') this.reversedOn = date;
    const lines = await reverseEntries(this.tx, this.source(), {
      posting,
      scope: this.scope,
      on: this.reversedOn,
    });
    this.counts = null;
    if (posting.each !== undefined) for (const line of lines) this.takenBack.add(line);
    if (posting.reverse !== '*') return;
    if (posting.each === undefined)
      this.reversed = dueScopes(posting, this.scope).length > 0 ? 'all' : this.reversed;
    else if (this.reversed !== 'all') this.reversed = new Set([...(this.reversed ?? []), ...lines]);
    await this.read();
  }

  private plan(posting: PostingDefinition, scope: Scope): void {
    const entry = plannedEntry(posting, scope);
    if (entry !== null) this.waiting.push(entry);
  }

  /** The key of the next entry of a posting: a posted line is not posted again (null), a head that would be is at fault. */
  private openKey(entry: PlannedEntry, counts: Counts): string | null {
    const base = postingBase(String(this.record['id']), entry);
    const { total, isLive, isTakenBack } = counts.get(base) ?? NEVER_POSTED;
    if (isLive && entry.line === null)
      throw new AppError('RULE_REFUSED', { message: '已过账，不能重复过账' });
    // A line that was posted is done: it is posted anew only where the same write takes it back and corrects it.
    if (isLive || (isTakenBack && !this.takenBack.has(entry.line))) return null;
    counts.set(base, { total: total + 1, isLive: true, isTakenBack });
    return `${base}:${total}`;
  }

  private async posted(): Promise<Counts> {
    if (this.counts !== null) return this.counts;
    const counts: Counts = new Map();
    for (const entry of await entriesOf(this.tx, this.call, [String(this.record['id'])])) {
      const known = counts.get(baseOf(entry)) ?? NEVER_POSTED;
      counts.set(baseOf(entry), {
        total: known.total + 1,
        isLive: known.isLive || entry.isLive,
        isTakenBack: known.isTakenBack || entry.isTakenBack,
      });
    }
    this.counts = counts;
    return counts;
  }

  private source(): PostingSource {
    return { call: this.call, record: this.record, action: this.moment.action };
  }
}

/** The entry of a posting on a scope, null for none. @throws RULE_REFUSED where it has no type */
export function plannedEntry(posting: PostingDefinition, scope: Scope): PlannedEntry | null {
  try {
    return planEntry(posting, scope);
  } catch (error) {
    if (!(error instanceof NoPostingType)) throw error;
    throw new AppError('RULE_REFUSED', { message: '没有对应的过账类型，不能过账', cause: error });
  }
}

/** What has never been may have no entries: a dead state is reached through a reversal only. */
async function refuseDead(tx: Tx, call: Call, { before, after }: LedgerMoment): Promise<void> {
  if (!isInStates('@dead', after, call.resource) || isInStates('@dead', before, call.resource)) return;
  if (call.resource.postings.length === 0) return;
  const entries = await entriesOf(tx, call, [String(after['id'])]);
  if (entries.some(({ isLive }) => isLive))
    throw new AppError('RULE_REFUSED', { message: '已过账，须先冲销' });
}
