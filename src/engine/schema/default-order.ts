import type { FieldDefinition } from './definition.ts';
import { valueReads } from './filter-reads.ts';
import { computedOwners, findReads, headPath, isOfRecord } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import type { Resource } from './resource.ts';

/**
 * Defaults that need the result of a formula or find, in rounds: formulas run before each of them, and those of one round
 * stand in the order in which they read one another. Fields of lines are named `items.rate`. All other defaults are known
 * before anything is computed.
 * @example lateDefaults(financing) // [['ratio', 'daily_rate', 'amount']]
 */
export function lateDefaults(resource: Pick<Resource, 'fields'>): readonly (readonly string[])[] {
  const known = rounds.get(resource.fields);
  if (known !== undefined) return known;
  const made = roundsOf(resource.fields);
  rounds.set(resource.fields, made);
  return made;
}

/** True of a default that follows from other values of its record. */
export function isFollowing({ default: start }: Pick<FieldDefinition, 'default'>): boolean {
  return valueReads(start).some(isOfRecord);
}

type Fields = Readonly<Record<string, FieldDefinition>>;

const rounds = new WeakMap<object, readonly (readonly string[])[]>();

function roundsOf(fields: Fields): readonly (readonly string[])[] {
  const reads = defaultReads(fields);
  const computed = computedReads(fields);
  const ownerOf = computedOwners(fields);
  const depths = new Map<string, number>();
  const made: string[][] = [];
  /** The round in which a default is known; 0 before all formulas. */
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // A circle of defaults stands where it was entered.
    depths.set(name, 0);
    const depth = Math.max(0, ...(reads.get(name) ?? []).map((read) => roundOf(read, new Set())));
    depths.set(name, depth);
    if (depth > 0) (made[depth - 1] ??= []).push(name);
    return depth;
  };
  /** The round after which a path can be read. */
  const roundOf = (path: string, seen: Set<string>): number => {
    const start = defaultAt(path, reads);
    const before = start === null ? 0 : depthOf(start);
    const owner = ownerOf(path);
    if (owner === null || seen.has(owner)) return before;
    seen.add(owner);
    const needed = (computed.get(owner) ?? []).map((read) => {
      const own = defaultAt(read, reads);
      // What a formula makes of a default is there a round later.
      return own !== null && ownerOf(read) === null ? depthOf(own) + 1 : roundOf(read, seen);
    });
    return Math.max(1, before, ...needed);
  };
  for (const name of reads.keys()) depthOf(name);
  return Array.from(made, (round) => round ?? []).filter((round) => round.length > 0);
}

function defaultAt(path: string, reads: ReadonlyMap<string, readonly string[]>): string | null {
  const [head = '', column] = path.split('.');
  const cell = `${head}.${column ?? ''}`;
  if (reads.has(cell)) return cell;
  return reads.has(head) ? head : null;
}

/** What the defaults that follow from the record read, as seen from the head. */
function defaultReads(fields: Fields): ReadonlyMap<string, readonly string[]> {
  return collect(fields, (field) => (isFollowing(field) ? valueReads(field.default) : null));
}

function computedReads(fields: Fields): ReadonlyMap<string, readonly string[]> {
  return collect(fields, (field) => {
    if (field.find !== undefined) return findReads(field.find);
    return field.formula === undefined ? null : formulaReads(field.formula);
  });
}

function collect(
  fields: Fields,
  readsOf: (field: FieldDefinition) => readonly string[] | null,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const add = (path: string, field: FieldDefinition, lines?: string): void => {
    const reads = readsOf(field);
    if (reads !== null)
      found.set(
        path,
        reads.map((read) => headPath(read, lines)),
      );
  };
  for (const [name, field] of Object.entries(fields)) {
    add(name, field);
    for (const [column, cell] of Object.entries(field.fields ?? {})) add(`${name}.${column}`, cell, name);
  }
  return found;
}
