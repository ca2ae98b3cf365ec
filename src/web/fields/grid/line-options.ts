import type { ErpRecord, Field } from '#engine/schema/resource.ts';

/** What changed, for the form around the lines. */
export interface LinesChange {
  readonly cells: readonly { readonly key: string; readonly column: string }[];
  readonly hasNewOrder: boolean;
}

export interface LineStoreOptions {
  readonly columns: readonly Field[];
  readonly lines?: readonly ErpRecord[];
  /** Formula cells of the changed lines, computed before anything is painted. */
  readonly derive?: (line: ErpRecord, changed: readonly string[]) => ErpRecord;
  readonly onChange?: (change: LinesChange) => void;
  /** Values of a new line. */
  readonly newLine?: (above: ErpRecord | undefined) => ErpRecord;
  /** The column that numbers the lines, while it may be written. */
  readonly numbered?: () => string | null;
}
