import type { RollupDefinition } from '../schema/definition.ts';
import type { AccessDefinition } from '../schema/lifecycle-definition.ts';
import { followedPaths } from '../record/followed-lines.ts';
import { resolveFieldPath, targetPlace } from '../schema/field-path.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import { headPath } from '../schema/formula-order.ts';
import type { Catalog, Field, Resource } from '../schema/resource.ts';

type Resources = Pick<Catalog, 'resources'>;
/** Fields that a grant's own words hide in another resource, for the same person. */
export type HiddenOf = (resource: Resource) => ReadonlySet<string>;

/** Every field of a resource by its path from the head: `risk_level`, `items`, `items.amount`. */
export function fieldPaths(resource: Resource): ReadonlyMap<string, Field> {
  const known = knownPaths.get(resource);
  if (known !== undefined) return known;
  const paths = new Map<string, Field>();
  for (const [name, field] of Object.entries(resource.fields)) {
    paths.set(name, field);
    for (const [column, cell] of Object.entries(field.fields ?? {})) paths.set(`${name}.${column}`, cell);
  }
  knownPaths.set(resource, paths);
  return paths;
}

const knownPaths = new WeakMap<Resource, ReadonlyMap<string, Field>>();

/** What one grant hides by its own words: its `hide`, and all that its `show` does not list. */
export function declaredHidden(
  resource: Resource,
  grant: Pick<AccessDefinition, 'hide' | 'show'>,
): Set<string> {
  const hidden = new Set(grant.hide ?? []);
  if (grant.show !== undefined) {
    const shown = new Set([...grant.show, 'id', 'version', 'status', resource.label]);
    for (const path of fieldPaths(resource).keys()) if (!isShown(path, shown)) hidden.add(path);
  }
  for (const path of fieldPaths(resource).keys()) if (hidden.has(path.split('.')[0] ?? '')) hidden.add(path);
  return hidden;
}

/**
 * Adds everything computed from hidden fields: formulas, sums over other records, and what a reference fills from
 * a field hidden there. What can be recomputed from the visible rest would otherwise give the hidden away.
 */
export function taintHidden(
  resource: Resource,
  declared: ReadonlySet<string>,
  surroundings: {
    readonly catalog: Resources;
    readonly hiddenOf: HiddenOf;
    /** Results that are told all the same. */
    readonly told?: ReadonlySet<string>;
  },
): Set<string> {
  const { told } = surroundings;
  const hidden = new Set(declared);
  const paths = fieldPaths(resource);
  for (let grown = true; grown;) {
    grown = false;
    for (const [path, field] of paths) {
      if (
        hidden.has(path) ||
        told?.has(path) === true ||
        !computedFrom(path, field).some((read) => isHidden(read))
      )
        continue;
      hidden.add(path);
      if (field.type === 'lines')
        for (const inner of paths.keys()) if (inner.startsWith(`${path}.`)) hidden.add(inner);
      grown = true;
    }
    for (const filled of filledFromHidden(resource, surroundings)) {
      if (hidden.has(filled) || told?.has(filled) === true) continue;
      hidden.add(filled);
      grown = true;
    }
  }
  return hidden;

  function isHidden(read: string | { readonly rollup: RollupDefinition }): boolean {
    return typeof read === 'string'
      ? isPathHidden(resource, read, hidden, surroundings)
      : isRollupHidden(read.rollup, surroundings);
  }
}

/**
 * True when a path from the head passes through a hidden field here or in a resource it leads to; with `isRead` also when
 * it leads to a resource that the role does not read.
 */
export function isPathHidden(
  resource: Resource,
  path: string,
  hidden: ReadonlySet<string>,
  surroundings: {
    readonly catalog: Resources;
    readonly hiddenOf: HiddenOf;
    readonly isRead?: (resource: Resource) => boolean;
  },
): boolean {
  const parts = path.split('.');
  const first = parts[0] ?? '';
  if (hidden.has(first)) return true;
  const field = resource.fields[first];
  const isLines = field?.type === 'lines';
  const own = isLines ? parts.slice(0, 2).join('.') : first;
  if (hidden.has(own)) return true;
  const rest = parts.slice(isLines ? 2 : 1);
  if (rest.length === 0) return false;
  const reference = isLines ? field.fields?.[parts[1] ?? ''] : field;
  if (reference?.type !== 'reference' || typeof reference.to !== 'string') return false;
  const target = targetPlace(reference.to, surroundings.catalog);
  if (target === null) return false;
  if (surroundings.isRead?.(target.resource) === false) return true;
  const beyond = headPath(rest.join('.'), target.lines);
  return isPathHidden(target.resource, beyond, surroundings.hiddenOf(target.resource), surroundings);
}

function computedFrom(
  path: string,
  field: Field,
): readonly (string | { readonly rollup: RollupDefinition })[] {
  const lines = path.includes('.') ? path.split('.')[0] : undefined;
  const reads = [
    ...(field.formula === undefined ? [] : formulaReads(field.formula).map((read) => headPath(read, lines))),
    ...(field.follows === undefined ? [] : followedPaths(field)),
  ];
  return field.rollup === undefined ? reads : [...reads, { rollup: field.rollup }];
}

function isRollupHidden(
  rollup: RollupDefinition,
  surroundings: { readonly catalog: Resources; readonly hiddenOf: HiddenOf },
): boolean {
  const target = targetPlace(rollup.of, surroundings.catalog);
  if (target === null) return false;
  const keys = typeof rollup.by === 'string' ? [rollup.by] : Object.keys(rollup.by);
  const reads = [
    ...keys,
    rollup.avg,
    rollup.sum,
    rollup.max,
    rollup.min,
    ...filterReads(rollup.where).fields,
  ];
  return reads.some(
    (read) =>
      read !== undefined &&
      isPathHidden(
        target.resource,
        headPath(read, target.lines),
        surroundings.hiddenOf(target.resource),
        surroundings,
      ),
  );
}

function filledFromHidden(
  resource: Resource,
  surroundings: { readonly catalog: Resources; readonly hiddenOf: HiddenOf },
): readonly string[] {
  const filled: string[] = [];
  for (const [path, field] of fieldPaths(resource)) {
    if (typeof field.to !== 'string' || field.fill === undefined) continue;
    const target = targetPlace(field.to, surroundings.catalog);
    if (target === null) continue;
    const lines = path.includes('.') ? path.split('.')[0] : undefined;
    for (const [mine, theirs] of Object.entries(field.fill)) {
      const beyond = headPath(theirs, target.lines);
      if (!isPathHidden(target.resource, beyond, surroundings.hiddenOf(target.resource), surroundings))
        continue;
      const own = headPath(mine, lines);
      if (resolveFieldPath({ resource, catalog: surroundings.catalog }, own).kind === 'field')
        filled.push(own);
    }
  }
  return filled;
}

function isShown(path: string, shown: ReadonlySet<string>): boolean {
  if (shown.has(path) || shown.has(path.split('.')[0] ?? '')) return true;
  return [...shown].some((name) => name.startsWith(`${path}.`));
}
