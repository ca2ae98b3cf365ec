import type { RecordChange } from '#engine/record/diff-records.ts';
import type { LimitDefinition } from '#engine/schema/effects-definition.ts';

/** A document that was made, or a record that an action moved, for the answer and for 将会发生什么. */
export interface MadeRecord {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
}

export interface MovedState extends MadeRecord {
  readonly action: string;
  readonly from: string;
  readonly to: string;
}

/** An entry of a ledger as it was written. */
export interface PostedEntry {
  readonly ledger: string;
  readonly id: string;
  readonly account: { readonly resource: string; readonly id: string };
  readonly type: string;
  readonly amount: string;
  readonly after: string;
  readonly date: unknown;
  readonly isMirror: boolean;
}

/** What a document holds on an account from now on; zero when it lets go. */
export interface HeldAmount {
  readonly account: { readonly resource: string; readonly id: string };
  readonly amount: string;
}

/** What one write changed in a record. */
export interface NotedChange {
  readonly resource: string;
  readonly id: string;
  readonly changes: readonly RecordChange[];
}

/** A voucher that was made. */
export interface MadeVoucher {
  readonly resource: string;
  readonly id: string;
  readonly event: string;
  readonly lines: readonly {
    readonly code: string;
    readonly name: string;
    readonly debit: string;
    readonly credit: string;
  }[];
}

/** A limit that was asked in a rehearsal, with its figures. */
export interface JudgedLimit {
  readonly limit: LimitDefinition;
  readonly resource: string;
  readonly id: string;
  /** The place of the line that it was asked of, from 0; null: of the head. */
  readonly line: number | null;
  /** The field that was compared; empty where nothing could be measured. */
  readonly field: string;
  readonly operator: string;
  readonly message: string;
  readonly figure: string | null;
  readonly bound: string | null;
  /** Of an amount, empty where it is not known; null for other figures. */
  readonly currency: string | null;
  /** The figure before the write; null for a new record. */
  readonly was: string | null;
  readonly isWarning: boolean;
  readonly isBroken: boolean;
}
