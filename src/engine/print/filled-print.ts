/** A print whose texts are filled in: nothing of it says which fields they came from. */
export interface FilledPrint {
  readonly title: string;
  readonly language: 'en' | 'zh';
  readonly landscape: boolean;
  /** Everything so much smaller; 1 where nothing is said. */
  readonly scale?: number;
  /** Above every page: that the paper is not in force. */
  readonly note?: string;
  readonly blocks: readonly FilledBlock[];
}

export type Align = 'left' | 'right' | 'center';

export type FilledBlock =
  | {
      readonly kind: 'letterhead';
      readonly name: string;
      readonly lines: readonly string[];
      /** Name of a picture, where there is one. */
      readonly logo: string | null;
    }
  | { readonly kind: 'title'; readonly text: string; readonly sub: string }
  | {
      readonly kind: 'fields';
      readonly columns: number;
      readonly grid: boolean;
      /** Labels above the values. */
      readonly stacked: boolean;
      /** The next block follows without a gap. */
      readonly joined: boolean;
      readonly items: readonly {
        readonly label: string;
        readonly value: string;
        readonly wide: boolean;
        /** Share of its row. */
        readonly width: number;
      }[];
    }
  | {
      readonly kind: 'parties';
      readonly parties: readonly { readonly label: string; readonly lines: readonly string[] }[];
    }
  | FilledTable
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly lines: readonly string[];
      readonly align: Align;
      readonly isBold: boolean;
    }
  | {
      readonly kind: 'signatures';
      readonly parties: readonly {
        readonly label: string;
        readonly name: string;
        readonly hasSeal: boolean;
        /** Name of a picture, where one is to be there. */
        readonly stamp: string | null;
        readonly foot: string;
      }[];
    }
  | { readonly kind: 'space'; readonly height: number };

export interface FilledTable {
  readonly kind: 'table';
  readonly columns: readonly FilledColumn[];
  readonly rows: readonly FilledRow[];
  /** What the totals are called; null: none are printed. */
  readonly total: string | null;
  readonly isCarried: boolean;
  /** The next block follows without a gap. */
  readonly isJoined?: boolean;
  /** Below the totals, such as a closing balance. */
  readonly closing?: FixedRow | null;
  /** The words for sums that go on: at the foot of a page, and at the head of the next. */
  readonly carryWords: readonly [foot: string, head: string];
}

export interface FilledColumn {
  readonly label: string;
  /** Share of the width. */
  readonly width: number;
  readonly align: Align;
  /** Decimals of its sums; null: the column is not summed. */
  readonly sum: number | null;
}

/** A line that stands as it is, such as an opening balance: its texts by column. */
export interface FixedRow {
  readonly fixed: readonly string[];
}

/** A line of the table, or the heading of a group. */
export type FilledRow =
  | { readonly group: string }
  | FixedRow
  | {
      readonly cells: readonly string[];
      /** What each cell adds to the sum of its column, with its unit ('' where sums have none). */
      readonly amounts: readonly (FilledAmount | null)[];
    };

export interface FilledAmount {
  readonly amount: string;
  readonly unit: string;
}
