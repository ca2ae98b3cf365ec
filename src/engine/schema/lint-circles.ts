import { filterReads } from './filter-reads.ts';
import { headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import type { Catalog, Field, Resource } from './resource.ts';
import type { JsonPath } from './source-file.ts';

/** A field of the head, or a column `items.amount`. */
interface Place {
  readonly resource: Resource;
  readonly path: string;
}

/** A step of the search: `over` is the reference by which a sum reached these records, back to those that keep it. */
interface Step extends Place {
  readonly over: { readonly by: string; readonly owner: Resource } | null;
  readonly trail: readonly string[];
}

/**
 * Checks that no sum over other records is over itself: by formulas, by sums upon it, or by a path back to the record that
 * keeps it. The records of a tree add up those below them. What is frozen (`until`) is taken once.
 */
export function lintCircles(context: ResourceLint): void {
  const { resource, catalog } = context;
  for (const path of rollupsOf(resource)) {
    const trail = circleOf({ resource, path }, catalog);
    if (trail === null) continue;
    const [name = '', column] = path.split('.');
    const at: JsonPath = column === undefined ? ['fields', name] : ['fields', name, 'fields', column];
    context.report([...at, 'rollup'], `汇总循环引用：${trail.join(' → ')}`, 'key');
  }
}

function rollupsOf({ fields }: Resource): readonly string[] {
  return Object.values(fields).flatMap((field) => [
    ...(field.rollup === undefined ? [] : [field.name]),
    ...Object.values(field.fields ?? {}).flatMap((cell) =>
      cell.rollup === undefined ? [] : [`${field.name}.${cell.name}`],
    ),
  ]);
}

/** The way from a sum back to itself; null when there is none. */
function circleOf(start: Place, catalog: Catalog): readonly string[] | null {
  const seen = new Set<string>();
  const open: Step[] = [{ ...start, over: null, trail: [nameOf(start)] }];
  for (let step = open.pop(); step !== undefined; step = open.pop())
    for (const next of needsOf(step, catalog)) {
      const trail = [...step.trail, nameOf(next)];
      if (nameOf(next) === nameOf(start)) return trail;
      const key = `${nameOf(next)} ${next.over?.by ?? ''}`;
      if (seen.has(key) || fieldOf(next) === null) continue;
      seen.add(key);
      open.push({ ...next, trail });
    }
  return null;
}

function nameOf({ resource, path }: Place): string {
  return `${resource.resource}.${path}`;
}

function fieldOf({ resource, path }: Place): Field | null {
  const [name = '', column] = path.split('.');
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  return (column === undefined ? field : field?.fields?.[column]) ?? null;
}

/** What a value is worked out from. */
function needsOf(step: Step, catalog: Catalog): readonly Omit<Step, 'trail'>[] {
  const field = fieldOf(step);
  if (field === null || field.frozen !== undefined) return [];
  const lines = step.path.includes('.') ? step.path.split('.')[0] : undefined;
  const { resource, over } = step;
  if (field.rollup !== undefined) return summed(step, field.rollup, catalog);
  return formulaReads(field.formula ?? '').flatMap((read) => {
    const path = headPath(read, lines);
    if (over !== null && path.startsWith(`${over.by}.`))
      return [{ resource: over.owner, path: path.slice(over.by.length + 1), over: null }];
    return [{ resource, path, over }];
  });
}

/** What a sum is over: the measure, and what its condition reads of the records that it counts. */
function summed(
  { resource }: Step,
  { of, by, where, ...measure }: NonNullable<Field['rollup']>,
  catalog: Catalog,
): readonly Omit<Step, 'trail'>[] {
  const [key = '', lines] = of.split('.');
  const source = Object.hasOwn(catalog.resources, key) ? catalog.resources[key] : undefined;
  if (source === undefined || (source === resource && resource.tree?.parent === by)) return [];
  const over = typeof by === 'string' ? { by: headPath(by, lines), owner: resource } : null;
  const names = [measure.sum, measure.max, measure.min, measure.avg, ...filterReads(where).fields];
  return names.flatMap((name) => {
    if (name === undefined) return [];
    const path = headPath(name, lines);
    if (over !== null && path.startsWith(`${over.by}.`))
      return [{ resource, path: path.slice(over.by.length + 1), over: null }];
    return [{ resource: source, path, over }];
  });
}
