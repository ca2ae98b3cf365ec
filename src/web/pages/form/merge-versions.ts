import { diffRecords, type RecordChange } from '#engine/record/diff-records.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';

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
}

export type Side = 'mine' | 'theirs';

/** Every difference between two versions that came from the same base, in the order of the fields. */
export function conflictsOf(
  resource: Resource,
  { base, mine, theirs }: { readonly base: ErpRecord; readonly mine: ErpRecord; readonly theirs: ErpRecord },
): readonly VersionConflict[] {
  const ofMine = byPath(diffRecords(resource, base, mine), resource);
  const ofTheirs = byPath(diffRecords(resource, base, theirs), resource);
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
        title: change.title,
        base: change.old,
        mine: mineNow,
        theirs: theirsNow,
        isBoth: my !== undefined && their !== undefined,
      },
    ];
  });
}

/** The side that is taken unless somebody says otherwise: whoever changed it; mine where both did. */
export function defaultSide(conflict: VersionConflict): Side {
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
      merged[field.name] = withNewLines(linesOf(merged, field.name), linesOf(mine, field.name));
  return { ...merged, _labels: labels, _paths: paths };
}

function mergeLine(
  lines: readonly ErpRecord[],
  mine: readonly ErpRecord[],
  id: string,
  column: string | undefined,
): readonly ErpRecord[] {
  const own = mine.find((line) => line['id'] === id);
  if (column === undefined)
    return own === undefined
      ? lines.filter((line) => line['id'] !== id)
      : lines.some((line) => line['id'] === id)
        ? lines.map((line) => (line['id'] === id ? own : line))
        : lines;
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

/** Lines that I added have no id yet: they always stay. */
function withNewLines(lines: readonly ErpRecord[], mine: readonly ErpRecord[]): readonly ErpRecord[] {
  const added = mine.filter((line) => line['id'] === undefined);
  return [...lines.filter((line) => line['id'] !== undefined), ...added];
}

/** Changes of what people write; computed fields follow by themselves, and lines without id are not in question. */
function byPath(changes: readonly RecordChange[], resource: Resource): ReadonlyMap<string, RecordChange> {
  const asked = changes.filter(({ field }) => {
    const [name = '', id, column] = field.split('.');
    const head = resource.fields[name];
    if (head === undefined || head.computed) return false;
    if (id !== undefined && /^\d+$/.test(id)) return false;
    return column === undefined || head.fields?.[column]?.computed !== true;
  });
  return new Map(asked.map((change) => [change.field, change]));
}

function below(paths: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(`${name}.`)));
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
