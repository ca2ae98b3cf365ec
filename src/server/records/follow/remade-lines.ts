import type { Field } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';

/** What a make maps into the lines of a document that it gave before. */
interface Remapped {
  /** The lines as they are mapped now. */
  readonly mapped: readonly OpenRecord[];
  /** What each of them comes from; null for a line of no line. */
  readonly sources: readonly (string | null)[];
  /** Which line of the document came from which of the source. */
  readonly links: ReadonlyMap<string, string>;
  readonly current: OpenRecord | null;
}

/**
 * The lines of a document that is mapped again: what came of the source before is taken up or goes, and what came from
 * elsewhere, typed by hand or made of another source, stays behind it. A line that the mapping now brings itself is not kept
 * twice; where lines come of no line, what was typed cannot be told from them, and all are replaced.
 */
export function remadeLines(field: Field, remapped: Remapped): readonly OpenRecord[] {
  const { mapped, sources, links, current } = remapped;
  const before = linesOf(current?.[field.name]);
  const known = new Map(before.map((line) => [String(line['id']), line]));
  const made = mapped.map((line, index): OpenRecord => {
    const id = links.get(sources[index] ?? '');
    const stored = id === undefined ? undefined : known.get(id);
    // A line that was gone before comes back as a new one.
    return stored === undefined ? line : { ...stored, ...line, id };
  });
  if (sources.includes(null)) return made;
  const own = new Set(links.values());
  const kept = before.filter(
    (line) => !own.has(String(line['id'])) && !made.some((other) => isSameKey(field, line, other)),
  );
  return [...made, ...kept];
}

/** Whether two lines may not stand beside each other. */
function isSameKey({ unique }: Field, a: OpenRecord, b: OpenRecord): boolean {
  return (unique ?? []).some(({ fields }) =>
    fields.every((name) => (a[name] ?? null) !== null && a[name] === b[name]),
  );
}
