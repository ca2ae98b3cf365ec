import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { waitingPart } from '#server/records/second/second-person.ts';

/** Most data rows of one import. */
export const MAX_IMPORT_ROWS = 50_000;
/** Most columns that are looked at. */
export const MAX_IMPORT_COLUMNS = 300;

/** A file that cannot be imported, and why. */
export function importFault(message: string, cause?: unknown): AppError {
  return new AppError('IMPORT_FAULT', { message, ...(cause === undefined ? {} : { cause }) });
}

/** A file's rows are written at once, past the second person whom such records wait for, whatever a rule grants. */
export function refusePastSecond(call: Call): void {
  if (waitingPart(call) === null) return;
  throw importFault(`${call.resource.title}的新增与修改须由另一人复核，不能用文件导入，请在页面上逐条办理`);
}

/** One cell of a file: its text, and what only a spreadsheet knows of it. */
export interface ReadCell {
  readonly text: string;
  /**
   * csv: text. A spreadsheet tells numbers, and numbers that it shows as dates or percentages, apart; an error (`#N/A`)
   * is what a formula has for want of a result.
   */
  readonly kind: 'text' | 'number' | 'date' | 'percent' | 'error';
}

/** What stands for the result of a formula that no spreadsheet has reckoned. */
export const NO_RESULT = '#无结果';

/** One row of a file with the number that the spreadsheet shows; empty cells are null. */
export interface ReadRow {
  readonly row: number;
  readonly cells: readonly (ReadCell | null)[];
  /** Of a further sheet: its name. */
  readonly sheet?: string;
}
