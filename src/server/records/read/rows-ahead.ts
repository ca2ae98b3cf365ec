import type { ReferenceNeed, ReferenceRow } from './reference-book.ts';
import { hasAll } from './remembered-rows.ts';

/** Rows that paths come to later, loaded by the statement that loaded where they begin. */
export interface RowsAhead {
  readonly add: (need: ReferenceNeed, rows: Map<string, ReferenceRow>) => void;
  /** The rows of a need where all of them are there, else null. */
  readonly rowsOf: (need: ReferenceNeed) => Map<string, ReferenceRow> | null;
}

/** Nothing is loaded ahead yet. */
export function openAhead(): RowsAhead {
  const loaded: { readonly need: ReferenceNeed; readonly rows: Map<string, ReferenceRow> }[] = [];
  return {
    add: (need, rows) => {
      loaded.push({ need, rows });
    },
    rowsOf: ({ target, ids, columns, isAnyCompany }) => {
      if (isAnyCompany) return null;
      const known = loaded.find(
        ({ need }) => need.target === target && hasAll(need.ids, ids) && hasAll(need.columns, columns),
      );
      return known?.rows ?? null;
    },
  };
}
