import type { Field } from '#engine/schema/resource.ts';
import { openChangeLog } from '#server/kernel/db/change-log.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';
import type { ReferenceNeed, ReferenceRow } from './reference-book.ts';

/** A need with the statement that loaded it. */
export interface LoadedNeed {
  readonly need: ReferenceNeed;
  readonly text: string;
  readonly fields: readonly Field[];
  readonly rows: Map<string, ReferenceRow>;
  /** It was reached from another need of the same statement: its ids are those that were found. */
  readonly isStep: boolean;
}

/** What one statement loaded of one target, and when in the transaction that was. */
interface Remembered {
  readonly text: string;
  readonly columns: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  readonly rows: Map<string, ReferenceRow>;
  readonly since: number;
}

interface RowMemory {
  /** The rows of a need where all of them are there and nothing that they were read from has changed; else null. */
  readonly rowsOf: (need: ReferenceNeed) => Map<string, ReferenceRow> | null;
  /** Remembers what has been loaded since this memory was opened. */
  readonly keep: (loads: readonly LoadedNeed[]) => void;
}

const MEMORY = Symbol('referenced rows');

/**
 * What a write has read of other records is not read again for its answer: rows that a transaction loaded hold until a
 * statement of its own touches a table of theirs. Only answers take them: what decides is read anew, perhaps under locks.
 * Null outside a transaction and for the system, which answers nobody.
 */
export function rememberedRows(
  db: Reader,
  asked: { readonly companies: readonly string[]; readonly reader?: Call; readonly isAnswer?: boolean },
): RowMemory | null {
  const { reader } = asked;
  if (!isRemembering(db) || reader === undefined || isSystemCall(reader)) return null;
  const { changes } = db;
  const loaded = loadedBy(db, reader);
  const since = changes.moment();
  const keyOf = ({ target, isAnyCompany }: ReferenceNeed): string =>
    `${target} ${isAnyCompany} ${asked.companies.join()}`;
  const holds = ({ text, columns, ids, since: then }: Remembered, need: ReferenceNeed): boolean =>
    hasAll(columns, need.columns) && hasAll(ids, need.ids) && !changes.hasTouched(text, then);
  return {
    rowsOf: (need) => {
      if (asked.isAnswer !== true) return null;
      return loaded.get(keyOf(need))?.findLast((known) => holds(known, need))?.rows ?? null;
    },
    keep: (loads) => {
      for (const { need, text, rows } of loads) {
        const before = loaded.get(keyOf(need)) ?? [];
        const { columns, ids } = need;
        loaded.set(keyOf(need), [...before.slice(1 - MOST_KEPT), { text, columns, ids, rows, since }]);
      }
    },
  };
}

/** A reader outside a transaction that remembers for one that is to begin. */
export type PreparingReader = Reader & Pick<Tx, 'memory' | 'changes'>;

/** For what is prepared before a write begins, so that its locks are held no longer than they must be. */
export function preparingReader(db: Reader): PreparingReader {
  return { query: db.query, memory: new Map(), changes: openChangeLog() };
}

/** What was read while a write was prepared is there for its answer, as long as the write itself does not touch it. */
export function handOn(prepared: PreparingReader, tx: Tx): void {
  const byReader = (prepared.memory.get(MEMORY) ?? new Map()) as Map<unknown, Loaded>;
  const since = tx.changes.moment();
  const handed = [...byReader].map(([who, loaded]): [unknown, Loaded] => [
    who,
    new Map([...loaded].map(([key, known]) => [key, known.map((one) => ({ ...one, since }))])),
  ]);
  tx.memory.set(MEMORY, new Map(handed));
}

type Loaded = Map<string, readonly Remembered[]>;

/** Of one target: a long transaction does not gather all that it ever read. */
const MOST_KEPT = 4;

/** Whether a set holds all of another. */
export function hasAll(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  for (const one of some) if (!all.has(one)) return false;
  return true;
}

/** What this reader has loaded: others may see less or more. */
function loadedBy(tx: Pick<Tx, 'memory'>, { caller }: Call): Loaded {
  const byReader = (tx.memory.get(MEMORY) ?? new Map()) as Map<unknown, Loaded>;
  tx.memory.set(MEMORY, byReader);
  const loaded = byReader.get(caller.subject) ?? new Map<string, readonly Remembered[]>();
  byReader.set(caller.subject, loaded);
  return loaded;
}

function isRemembering(db: Reader): db is PreparingReader {
  return 'memory' in db && 'changes' in db;
}
