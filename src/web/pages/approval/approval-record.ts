/** What GET /approval/record/{resource}/{id} tells of a document's approval. */
export interface ApprovalRecord {
  readonly status: string;
  readonly flow: string | null;
  readonly amount_cny: string | null;
  readonly submitted_by: ApprovalPerson | null;
  readonly submitted_at: string | null;
  readonly steps: readonly ApprovalStep[];
  /** Who decides next, and why these persons. */
  readonly next: {
    readonly title: string;
    readonly persons: readonly ApprovalPerson[];
    readonly reason: string;
    readonly due_at: string | null;
  } | null;
  /** My open task on this document, with the fields that I may fill at this level. */
  readonly task: { readonly id: string; readonly version: number; readonly fields: readonly string[] } | null;
  readonly canWithdraw: boolean;
  /** What changed since the last submission. */
  readonly changes: readonly {
    readonly field: string;
    readonly title: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
  readonly checks: readonly {
    readonly path: string;
    readonly message: string;
    readonly level?: 'error' | 'warning';
    readonly ok: boolean;
  }[];
}

export interface ApprovalPerson {
  readonly id: string;
  readonly name: string;
}

export interface ApprovalStep {
  readonly level_no: number;
  readonly title: string;
  readonly mode: 'any' | 'all';
  readonly status: 'approved' | 'rejected' | 'pending' | 'waiting' | 'skipped' | 'cancelled';
  readonly persons: readonly ApprovalPerson[];
  readonly reason: string;
  /** Why the level was left out. */
  readonly skipped: string | null;
  readonly decisions: readonly {
    readonly task_id: string;
    readonly name: string;
    readonly for_name: string;
    readonly result: string;
    readonly opinion: string | null;
    readonly at: string | null;
  }[];
}

/** One row of the inbox: an approval task with its labels. */
export interface ApprovalTask {
  readonly id: string;
  readonly version: number;
  readonly task_no: string;
  readonly resource: string;
  readonly resource_title: string;
  readonly route: string | null;
  readonly record_id: string;
  readonly record_no: string;
  readonly record_title: string | null;
  readonly amount_cny: string | null;
  readonly level_title: string;
  readonly submitted_at: string;
  readonly due_at: string | null;
  readonly acted_at: string | null;
  readonly waiting_hours: number;
  readonly _labels?: Readonly<Record<string, string | readonly string[] | null>>;
}

/** How much waits, by kind of document. */
export interface ApprovalCounts {
  readonly mine: number;
  readonly done: number;
  readonly submitted: number;
  readonly groups: readonly {
    readonly resource: string;
    readonly title: string;
    readonly count: number;
    readonly oldestHours: number;
    readonly amountCny: string | null;
  }[];
}
