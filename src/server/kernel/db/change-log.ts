/** What the statements of one transaction may have changed so far: who remembers rows asks it whether they still hold. */
export interface ChangeLog {
  /** Now, to be compared with later. */
  readonly moment: () => number;
  /** Whether a table that a statement names may have changed since a moment. */
  readonly hasTouched: (statement: string, since: number) => boolean;
}

/** A log, and how it is kept. */
export interface KeptLog extends ChangeLog {
  readonly note: (statement: string) => void;
}

/** Begins the log of a transaction. Of a statement whose table is not plain to see everything counts as changed. */
export function openChangeLog(): KeptLog {
  let count = 0;
  let everything = 0;
  const tables = new Map<string, number>();
  return {
    moment: () => count,
    hasTouched: (statement, since) => {
      if (everything > since) return true;
      for (const [table, at] of tables) if (at > since && statement.includes(table)) return true;
      return false;
    },
    note: (statement) => {
      if (CHANGES_NOTHING.test(statement)) return;
      count += 1;
      const table = ONE_TABLE.exec(statement)?.[1];
      if (table === undefined) everything = count;
      else tables.set(table, count);
    },
  };
}

/** Undoing part of a transaction is no such statement: what was read in that part may not hold. */
const CHANGES_NOTHING = /^[\s(]*(select|begin|savepoint|release|declare|fetch|close|set|commit)\b/i;
const ONE_TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+("?\w+"?)(?=[\s(])/i;
