/** What GET /approval/record/{resource}/{id} tells of a document's approval. */
export interface ApprovalRecord {
  readonly status: 'running' | 'approved' | 'rejected' | 'withdrawn' | 'none';
  readonly flow: string | null;
  readonly submitted_by: string | null;
  readonly submitted_at: string | null;
  readonly steps: readonly ApprovalStep[];
  /** What changed since the last submission. */
  readonly changes: readonly {
    readonly field: string;
    readonly title: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
  readonly checks: readonly {
    readonly title: string;
    readonly level: 'ok' | 'warning' | 'error';
    readonly message: string;
  }[];
  /** My open task on this document. */
  readonly task: { readonly id: string; readonly version: number; readonly level_title: string } | null;
  readonly canWithdraw: boolean;
}

export interface ApprovalStep {
  readonly level_no: number;
  readonly title: string;
  readonly mode: 'any' | 'all';
  readonly persons: readonly { readonly id: string; readonly name: string }[];
  readonly reason: string;
  readonly status: 'done' | 'current' | 'waiting' | 'skipped' | 'rejected';
  readonly acted: readonly {
    readonly person_name: string;
    readonly result: string;
    readonly at: string;
    readonly opinion: string | null;
  }[];
}

/** One row of the inbox. */
export interface ApprovalTask {
  readonly id: string;
  readonly version: number;
  readonly task_no: string;
  readonly resource: string;
  readonly resource_title: string;
  readonly record_id: string;
  readonly record_no: string;
  readonly record_title: string | null;
  readonly amount_cny: string | null;
  readonly level_title: string;
  readonly submitter_name: string;
  readonly submitted_at: string;
  readonly due_at: string | null;
  readonly result: string;
  readonly acted_at: string | null;
  readonly batchable?: boolean;
}

/** One group of the inbox's counts. */
export interface ApprovalCount {
  readonly resource: string;
  readonly title: string;
  readonly count: number;
  readonly oldest_hours: number;
  readonly amount_cny: string | null;
}
