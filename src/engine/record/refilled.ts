import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { linesOf } from './record-lines.ts';

type Fields = Readonly<Record<string, Field>>;

/**
 * The fields of one holder (the head, or a line) that its changed references fill. Who changes a reference says what
 * these are from now on, also where they stay as they were: what is not said is filled anew.
 */
export function filledBy(fields: Fields, isChanged: (field: Field) => boolean): ReadonlySet<string> {
  const filled = new Set<string>();
  for (const field of Object.values(fields)) {
    if (field.fill === undefined || !isChanged(field)) continue;
    for (const name of Object.keys(field.fill)) if (fields[name] !== undefined) filled.add(name);
  }
  return filled;
}

interface Patched {
  readonly current: ErpRecord;
  readonly patch: ErpRecord;
  /** The record as it will be, from both. */
  readonly merged: ErpRecord;
}

/**
 * The merged record, where what a changed reference fills and the patch does not say is undefined, to be filled like a
 * field of a new record. `isOpen`: paths that the person may write; others stay.
 */
export function withoutStaleFills(
  resource: Resource,
  { current, patch, merged }: Patched,
  isOpen: (path: string) => boolean,
): ErpRecord {
  const head = stale(resource.fields, { before: current, sent: patch }, isOpen);
  const renewed: Record<string, unknown> = { ...merged, ...head };
  for (const [name, { type, fields = {} }] of Object.entries(resource.fields)) {
    if (type !== 'lines' || patch[name] === undefined) continue;
    const before = byId(linesOf(current, name));
    const sent = byId(linesOf(patch, name));
    renewed[name] = linesOf(merged, name).map((line) => {
      const [old, change] = [before.get(line['id']), sent.get(line['id'])];
      if (old === undefined || change === undefined) return line;
      return {
        ...line,
        ...stale(fields, { before: old, sent: change }, (column) => isOpen(`${name}.${column}`)),
      };
    });
  }
  return renewed;
}

function stale(
  fields: Fields,
  { before, sent }: { readonly before: ErpRecord; readonly sent: ErpRecord },
  isOpen: (name: string) => boolean,
): Readonly<Record<string, undefined>> {
  const filled = filledBy(
    fields,
    ({ name }) => typeof sent[name] === 'string' && sent[name] !== before[name],
  );
  const unsaid = [...filled].filter(
    (name) => !Object.hasOwn(sent, name) && fields[name]?.fixed !== true && isOpen(name),
  );
  return Object.fromEntries(unsaid.map((name) => [name, undefined]));
}

function byId(lines: readonly ErpRecord[]): ReadonlyMap<unknown, ErpRecord> {
  return new Map(lines.filter(({ id }) => id !== undefined).map((line) => [line['id'], line]));
}
