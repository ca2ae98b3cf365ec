import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { conflictsOf, mergeVersions } from './merge-versions.ts';

/** What a save took along: the record as it was sent, and the keys of its lines in their order. */
export interface SentForm {
  readonly record: ErpRecord;
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/**
 * What the form holds after its save was answered: the answer, with everything laid over it that was typed since it was
 * sent. Lines that the save made must carry their ids in `sent` and `mine` already (`newLineIds`).
 */
function rebaseForm(
  resource: Resource,
  { sent, mine, answer }: { readonly sent: ErpRecord; readonly mine: ErpRecord; readonly answer: ErpRecord },
): ErpRecord {
  const typed = conflictsOf(resource, { base: sent, mine, theirs: answer }).filter(
    ({ mine: now, base }) => JSON.stringify(now) !== JSON.stringify(base),
  );
  return mergeVersions(resource, { mine, theirs: answer }, new Map(typed.map(({ path }) => [path, 'mine'])));
}

/** The ids that an answer gave to lines that were sent without one, by the lines' keys; the server keeps their order. */
function newLineIds(
  lines: string,
  { sent, base, answer }: { readonly sent: SentForm; readonly base: ErpRecord; readonly answer: ErpRecord },
): ReadonlyMap<string, string> {
  const known = new Set(linesOf(base, lines).map((line) => line['id']));
  const given = linesOf(answer, lines).flatMap(({ id }) =>
    typeof id === 'string' && !known.has(id) ? [id] : [],
  );
  const keys = linesOf(sent.record, lines).flatMap((line, index) => {
    const key = sent.keys[lines]?.[index];
    return line['id'] === undefined && key !== undefined ? [key] : [];
  });
  // An effect of the save may have added or dropped lines: then nobody can say which is which.
  if (given.length !== keys.length) return new Map();
  return new Map(keys.map((key, index) => [key, given[index] ?? '']));
}

/** What is laid together after a save. */
export interface Answered {
  readonly resource: Resource;
  readonly lines: ReadonlyMap<string, LineStore>;
  readonly sent: SentForm;
  readonly base: ErpRecord;
  /** The form as it stands now. */
  readonly mine: ErpRecord;
  readonly answer: ErpRecord;
}

/** The form after its save was answered; lines that the save made have their ids from now on. */
export function rebaseLines({ resource, lines, sent, base, mine, answer }: Answered): ErpRecord {
  const sentRecord: Record<string, unknown> = { ...sent.record };
  const now: Record<string, unknown> = { ...mine };
  for (const [name, store] of lines) {
    const ids = newLineIds(name, { sent, base, answer });
    for (const [key, id] of ids) store.identify(key, id);
    const keys = sent.keys[name] ?? [];
    sentRecord[name] = linesOf(sent.record, name).map((line, index) =>
      withId(line, ids.get(keys[index] ?? '')),
    );
    // Lines that were sent are in the answer; only those made since are still without an id.
    now[name] = store
      .order()
      .filter((key) => store.line(key)['id'] !== undefined || !keys.includes(key))
      .map((key) => store.line(key));
  }
  return rebaseForm(resource, { sent: sentRecord, mine: now, answer });
}

function withId(line: ErpRecord, id: string | undefined): ErpRecord {
  return id === undefined ? line : { ...line, id };
}
