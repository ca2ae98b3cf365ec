import type { ErpRecord } from '#engine/schema/resource.ts';
import type { ValueLabel } from '#web/fields/field-view.ts';
import type { CellState } from '#web/fields/grid/line-cell.ts';
import type { FormSurroundings } from './form-scope.ts';
import type { MadeSource } from './record-changes.ts';

export interface FormOptions extends FormSurroundings {
  /** The saved record; null for a new one. */
  readonly record: ErpRecord | null;
  /** Values that the page stamps on a new record; they cannot be changed there. */
  readonly stamped?: ErpRecord;
  /** Values that a new record starts with (a copy, a link with values). */
  readonly initial?: ErpRecord;
  /** What a new record is made from. */
  readonly source?: MadeSource;
  /** Runs work after the next paint; tests run it at once. */
  readonly defer?: (work: () => void) => void;
}

/** What one control shows; the same object for as long as nothing of it changes. */
export interface FieldSnapshot extends CellState {
  readonly value: unknown;
  readonly label: ValueLabel;
  readonly problem: string | null;
  /** The problem is to be looked at, and stops nothing. */
  readonly isWarning: boolean;
  /** Why it is required, when a rule says so. */
  readonly requiredReason: string | null;
}
