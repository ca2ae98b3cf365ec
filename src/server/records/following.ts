import type { ApprovalPreview, Approver } from '#contract/records.ts';
import type { Action, Subject } from '#engine/schema/resource.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import type { Call } from './call/open-call.ts';
import type { OpenRecord } from './read/attach-references.ts';
import type { Reader } from './call/statement.ts';

/** What the floors above do in the transaction of a write: given at start, so that no operation knows them. */
export interface Following {
  /** Starts the approval of a record that was just submitted; `previous` is what it was before. */
  readonly beginApproval: (
    tx: Tx,
    call: Call,
    submitted: { readonly record: OpenRecord; readonly previous: OpenRecord; readonly action: Action },
  ) => Promise<void>;
  /** The action whose approval of a record runs; null when none does. */
  readonly approvalOf: (db: Reader, resource: string, id: string) => Promise<string | null>;
  /** Who would decide, of a record that need not be saved; null when its resource has no approval. */
  readonly simulateApproval: (call: Call, record: OpenRecord) => Promise<ApprovalPreview | null>;
  /** Who could decide on a record that nobody decides on, if the account had not been closed. */
  readonly closedDeciders: (
    db: Reader,
    call: Call,
    submitted: { readonly record: OpenRecord; readonly action: string },
  ) => Promise<readonly ClosedDecider[]>;
  /** Tells an event to its receivers. */
  readonly emitEvent: (tx: Tx, call: Call, told: RecordEvent) => Promise<ToldPeople>;
  /** Ends the sessions of people or partner accounts, but for one. */
  readonly endSessions: (tx: Tx, personIds: readonly string[], exceptId?: string) => Promise<void>;
  /** An employee in force as the subject of access, once for every role held now; empty when there is none. */
  readonly subjectsOf: (db: Reader, personId: string) => Promise<readonly Subject[]>;
}

/** Somebody whose account was closed: how, and on what day. */
export interface ClosedDecider {
  readonly id: string;
  readonly name: string;
  readonly how: 'disabled' | 'left';
  readonly on: string;
}

/** Who was told of an event, and who of them by a short message, by id. */
export interface ToldPeople {
  readonly people: ReadonlySet<string>;
  readonly byPhone: ReadonlySet<string>;
}

/** What happened to a record, for the notices. */
export interface RecordEvent {
  readonly event: string;
  readonly record: OpenRecord;
  readonly opinion?: string | null;
  /** People to tell; default: whom the event's source names. */
  readonly to?: readonly string[];
  /** People to tell besides. */
  readonly also?: readonly string[];
  /** People who know already. */
  readonly except?: ReadonlySet<string>;
  readonly previous?: OpenRecord;
  /** Company of the receivers; default: the record's, else the caller's. */
  readonly company?: string;
  /** Words that win over those of the record. */
  readonly words?: EventWords;
  /** What only one receiver may read, by id: it ends that person's short message. */
  readonly private?: ReadonlyMap<string, string>;
}

/** A level with the people who decide it, or the reason why it is left out. */
export interface ResolvedLevel {
  readonly level_no: number;
  readonly title: string;
  readonly mode: 'any' | 'all';
  readonly timeout_hours: number | null;
  readonly skip_if_same: boolean;
  readonly persons: readonly Approver[];
  /** Why these people, in plain Chinese. */
  readonly reason: string;
  /** Why nobody needs to decide here; null when somebody does. */
  readonly skipped: string | null;
  /** Where its people come from: asked again when somebody decides. */
  readonly source: LevelSource;
}

/** Who decides a level, in the words of the flow. */
export interface LevelSource {
  readonly approver_kind: 'role' | 'person' | 'dept_manager' | 'owner_service';
  /** Role codes, any of them. */
  readonly roles: readonly string[];
  readonly person_ids: readonly string[];
}

/** Words for a notice's template, by their name. */
export type EventWords = Readonly<Record<string, string>>;
