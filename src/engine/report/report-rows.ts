/** A figure or value; in original currency on a total, by currency. */
export type ReportCellValue = string | boolean | null | Readonly<Record<string, string>>;

/** Rows as the database grouped them. */
export interface RawRow {
  /** 0 the whole report, then the group levels, last the lines. */
  readonly level: number;
  readonly keys: readonly unknown[];
  /** Values of the lines. */
  readonly shown: readonly unknown[];
  readonly id: string | null;
  readonly source: string | null;
  readonly currency: string | null;
  /** Of all currencies together, or of one of them. */
  readonly isByCurrency: boolean;
  readonly figures: readonly (string | null)[];
  readonly count: number;
}

/** A line, subtotal or total of a report. */
export interface ReportRow {
  /** 0 the total, 1… the group levels, last the lines. */
  readonly level: number;
  readonly isLine: boolean;
  readonly keys: readonly unknown[];
  readonly id: string | null;
  readonly source: string | null;
  readonly currency: string | null;
  readonly count: number;
  readonly cells: Readonly<Record<string, ReportCellValue>>;
  /** What is left over beyond the first lines. */
  readonly isRest?: true;
}

/** A row while it is reckoned. */
export interface OpenRow {
  readonly raw: RawRow;
  readonly cells: Record<string, ReportCellValue>;
}

/** The cells of a row, to be read. */
export type Cells = Readonly<Record<string, ReportCellValue | undefined>>;
