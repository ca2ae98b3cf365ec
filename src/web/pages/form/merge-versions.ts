import { diffRecords, lineTitle, type RecordChange } from '#engine/record/diff-records.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { objectOf } from '#engine/values/object-of.ts';

/** One place where my version and the saved one differ from what I started with. */
export interface VersionConflict {
  /** `sign_date`, `items.<line id>.quantity`, or `items.<line id>` for a whole line. */
  readonly path: string;
  readonly title: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Both changed it; otherwise only one did and the choice is clear. */
  readonly isBoth: boolean;
  /** The saved version may not be written here any more: it was submitted meanwhile, say. */
  readonly isClosed: boolean;
}

export type Side = 'mine' | 'theirs';

/**
 * Every difference between two versions that came from the same base, in the order of the fields. A line that one side
 * changed and the other removed is one question about the whole line.
 */
export function conflictsOf(
  resource: Resource,
  { base, mine, theirs }: { readonly base: ErpRecord; readonly mine: ErpRecord; readonly theirs: ErpRecord },
): readonly VersionConflict[] {
  const myChanges = written(diffRecords(resource, base, mine), resource);
  const theirChanges = written(diffRecords(resource, base, theirs), resource);
  const ofMine = byPath(wholeLines(myChanges, theirChanges, mine));
  const ofTheirs = byPath(wholeLines(theirChanges, myChanges, theirs));
  const paths = [...new Set([...ofTheirs.keys(), ...ofMine.keys()])];
  return paths.flatMap((path): VersionConflict[] => {
    const my = ofMine.get(path);
    const their = ofTheirs.get(path);
    const change = their ?? my;
    if (change === undefined) return [];
    const mineNow = my === undefined ? change.old : my.new;
    const theirsNow = their === undefined ? change.old : their.new;
    if (my !== undefined && their !== undefined && JSON.stringify(mineNow) === JSON.stringify(theirsNow))
      return [];
    return [
      {
        path,
        title: titleOf(resource, mine, path) ?? change.title,
        base: change.old,
        mine: mineNow,
        theirs: theirsNow,
        isBoth: my !== undefined && their !== undefined,
        isClosed: !isOpenIn(theirs, path),
      },
    ];
  });
}

/** A place of a line by the number that it has in my version, which I have before me; null where it is not there. */
function titleOf({ fields }: Resource, mine: ErpRecord, path: string): string | null {
  const [name = '', id, column] = path.split('.');
  const lines = fields[name];
  const at = id === undefined ? -1 : linesOf(mine, name).findIndex((line) => line['id'] === id);
  if (lines === undefined || at < 0) return null;
  return lineTitle(lines, at, column === undefined ? undefined : lines.fields?.[column]);
}

/** So many differences are read at once; of more, those that need no choice stand behind a switch. */
const READ_AT_ONCE = 8;

/**
 * What is shown first of many differences: what both sides changed, and what of mine can no longer be written. Of few all
 * are, those first.
 */
export function shownConflicts(
  conflicts: readonly VersionConflict[],
  isAll: boolean,
): readonly VersionConflict[] {
  const first = conflicts.filter(needsLook);
  const rest = isAll || conflicts.length <= READ_AT_ONCE ? conflicts.filter((one) => !needsLook(one)) : [];
  return [...first, ...rest];
}

function needsLook({ isBoth, isClosed, mine, base }: VersionConflict): boolean {
  return isBoth || (isClosed && JSON.stringify(mine) !== JSON.stringify(base));
}

/** The side that is taken unless somebody says otherwise: whoever changed it; mine where both did and it may still be written. */
export function defaultSide(conflict: VersionConflict): Side {
  if (conflict.isClosed) return 'theirs';
  return JSON.stringify(conflict.mine) === JSON.stringify(conflict.base) && !conflict.isBoth
    ? 'theirs'
    : 'mine';
}

/** The saved version with my choices laid over it. */
export function mergeVersions(
  resource: Resource,
  versions: { readonly mine: ErpRecord; readonly theirs: ErpRecord },
  chosen: ReadonlyMap<string, Side>,
): ErpRecord {
  const { mine, theirs } = versions;
  const merged: Record<string, unknown> = { ...theirs };
  const paths = { ...objectOf(theirs['_paths']) };
  const labels = { ...objectOf(theirs['_labels']) };
  for (const [path, side] of chosen) {
    if (side === 'theirs') continue;
    const [name = '', id, column] = path.split('.');
    if (id === undefined) {
      merged[name] = mine[name];
      labels[name] = objectOf(mine['_labels'])[name];
      Object.assign(paths, below(objectOf(mine['_paths']), name));
    } else merged[name] = mergeLine(linesOf(merged, name), linesOf(mine, name), id, column);
  }
  for (const field of Object.values(resource.fields))
    if (field.type === 'lines')
      merged[field.name] = numberedLines(field, {
        theirs: linesOf(theirs, field.name),
        merged: isOpenIn(theirs, field.name)
          ? withNewLines(linesOf(merged, field.name), linesOf(mine, field.name))
          : linesOf(merged, field.name),
      });
  return { ...merged, _labels: labels, _paths: paths };
}

/** Whether a version lets its reader write a place; one that does not say lets all. */
export function isOpenIn({ _editable: open }: ErpRecord, path: string): boolean {
  const [name = '', , column] = path.split('.');
  return !Array.isArray(open) || open.includes(column === undefined ? name : `${name}.${column}`);
}

function mergeLine(
  lines: readonly ErpRecord[],
  mine: readonly ErpRecord[],
  id: string,
  column: string | undefined,
): readonly ErpRecord[] {
  const own = mine.find((line) => line['id'] === id);
  if (column === undefined) {
    if (own === undefined) return lines.filter((line) => line['id'] !== id);
    if (lines.some((line) => line['id'] === id)) return lines.map((line) => (line['id'] === id ? own : line));
    return withLineBack(lines, mine, own);
  }
  if (own === undefined) return lines;
  return lines.map((line) =>
    line['id'] === id
      ? {
          ...line,
          [column]: own[column],
          _labels: { ...objectOf(line['_labels']), [column]: objectOf(own['_labels'])[column] },
          _paths: { ...objectOf(line['_paths']), ...below(objectOf(own['_paths']), column) },
        }
      : line,
  );
}

/** A line that is gone in the saved version comes back as a new one, where it stood: its id is no more. */
function withLineBack(
  lines: readonly ErpRecord[],
  mine: readonly ErpRecord[],
  own: ErpRecord,
): readonly ErpRecord[] {
  const { id: _id, ...again } = own;
  const below = mine.slice(mine.indexOf(own) + 1).map((line) => line['id']);
  const next = lines.findIndex((line) => line['id'] !== undefined && below.includes(line['id']));
  return next < 0 ? [...lines, again] : lines.toSpliced(next, 0, again);
}

/** Lines that I added have no id yet: they always stay, in front of the line that followed. */
function withNewLines(lines: readonly ErpRecord[], mine: readonly ErpRecord[]): readonly ErpRecord[] {
  const ids = new Set(lines.map((line) => line['id']));
  const placed = new Map<unknown, ErpRecord[]>();
  let waiting: ErpRecord[] = [];
  for (const line of mine) {
    if (line['id'] === undefined) waiting.push(line);
    else if (ids.has(line['id'])) {
      placed.set(line['id'], waiting);
      waiting = [];
    }
  }
  return [
    ...lines.flatMap((line) => [...((line['id'] !== undefined && placed.get(line['id'])) || []), line]),
    ...waiting,
  ];
}

/** Both sides may have given one number to a line of their own: where lines came or went all are numbered anew. */
function numberedLines(
  field: Field,
  { theirs, merged }: { readonly theirs: readonly ErpRecord[]; readonly merged: readonly ErpRecord[] },
): readonly ErpRecord[] {
  const column = runningNumber(field);
  if (
    column === null ||
    (merged.length === theirs.length && merged.every(({ id }, at) => id === theirs[at]?.['id']))
  )
    return merged;
  return merged.map((line, at) => (line[column] === at + 1 ? line : { ...line, [column]: at + 1 }));
}

/** The changes of one side; those in cells of a line that the other side removed are one change of that line. */
function wholeLines(
  changes: readonly RecordChange[],
  others: readonly RecordChange[],
  version: ErpRecord,
): readonly RecordChange[] {
  const removed = new Map(
    others.filter(({ new: now }) => now === null).map((change) => [change.field, change]),
  );
  const told = new Set<string>();
  return changes.flatMap((change) => {
    const [name = '', id = '', column] = change.field.split('.');
    const gone = removed.get(`${name}.${id}`);
    if (column === undefined || gone === undefined) return [change];
    if (told.has(gone.field)) return [];
    told.add(gone.field);
    return [{ ...gone, new: linesOf(version, name).find((line) => line['id'] === id) ?? null }];
  });
}

/** Changes of what people write; computed fields and the lines' numbers follow by themselves, and lines without id are not in question. */
function written(changes: readonly RecordChange[], resource: Resource): readonly RecordChange[] {
  return changes.filter(({ field }) => {
    const [name = '', id, column] = field.split('.');
    const head = resource.fields[name];
    if (head === undefined || head.computed) return false;
    if (id !== undefined && /^\d+$/.test(id)) return false;
    return (
      column === undefined || (head.fields?.[column]?.computed !== true && runningNumber(head) !== column)
    );
  });
}

function byPath(changes: readonly RecordChange[]): ReadonlyMap<string, RecordChange> {
  return new Map(changes.map((change) => [change.field, change]));
}

function below(paths: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(`${name}.`)));
}
