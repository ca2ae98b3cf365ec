/** One difference between two versions of a definition file. */
export interface DefinitionChange {
  /** `fields.amount.max`; members of lists by their place. */
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

const MAX_CHANGES = 200;

/**
 * What differs between two parsed files, in their order; a member that came or went stands whole. At most 200.
 * @example diffDefinitions({ title: '甲' }, { title: '乙' }) // [{ path: 'title', old: '甲', new: '乙' }]
 */
export function diffDefinitions(before: unknown, after: unknown): readonly DefinitionChange[] {
  const changes: DefinitionChange[] = [];
  collect(before, after, { path: [], changes });
  return changes.slice(0, MAX_CHANGES);
}

interface Place {
  readonly path: readonly string[];
  readonly changes: DefinitionChange[];
}

function collect(before: unknown, after: unknown, { path, changes }: Place): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const [left, right] = [members(before), members(after)];
  if (left === null || right === null || Array.isArray(before) !== Array.isArray(after)) {
    changes.push({
      path: path.join('.'),
      ...(before === undefined ? {} : { old: before }),
      ...(after === undefined ? {} : { new: after }),
    });
    return;
  }
  for (const key of new Set([...left.keys(), ...right.keys()]))
    collect(left.get(key), right.get(key), { path: [...path, key], changes });
}

function members(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}
