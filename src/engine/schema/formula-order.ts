import { callsLinesFunction } from '../expression/parse-expression.ts';
import type { FieldDefinition } from './definition.ts';
import type { FindDefinition } from './effects-definition.ts';
import { filterReads } from './filter-reads.ts';
import { formulaReads, parsedFormula } from './formula-reads.ts';
import type { Resource } from './resource.ts';

/** Formulas and finds in the order in which they must run, and the circles that have none. */
export interface FormulaOrder {
  readonly order: readonly string[];
  /** Each circle as the list of its members, `['a', 'b', 'a']`. */
  readonly cycles: readonly (readonly string[])[];
}

/** What is computed at once: a formula or find of the head (`columns` null), or columns of lines, line by line. */
export interface FormulaStep {
  readonly name: string;
  readonly columns: readonly string[] | null;
}

type Fields = Readonly<Record<string, FieldDefinition>>;

/**
 * Orders head and line formulas and finds of one resource so that each comes after what it reads. A line's formula is
 * named `items.amount` and runs for every line. What it reads of the line above may also be computed with it, line by
 * line: a balance brought forward is no circle.
 * @example orderFormulas(contract.fields).order // ['items.amount', 'total_amount']
 */
export function orderFormulas(fields: Fields): FormulaOrder {
  const needs = formulaNeeds(fields);
  const order: string[] = [];
  const cycles: (readonly string[])[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string, trail: readonly string[]): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(name)), name]);
      return;
    }
    state.set(name, 'open');
    for (const need of needs.get(name)?.own ?? []) visit(need, [...trail, name]);
    for (const need of needs.get(name)?.above ?? [])
      if (!needsOpen(need, new Set())) visit(need, [...trail, name]);
    state.set(name, 'done');
    order.push(name);
  };
  /** Whether a column needs one that is being ordered: then both are computed line by line. */
  const needsOpen = (name: string, seen: Set<string>): boolean => {
    if (state.get(name) === 'open') return true;
    if (seen.has(name) || state.get(name) === 'done') return false;
    seen.add(name);
    const { own = [], above = [] } = needs.get(name) ?? {};
    return [...own, ...above].some((need) => needsOpen(need, seen));
  };
  for (const name of needs.keys()) visit(name, []);
  return { order, cycles: [...cycles, ...brokenRuns(order, needs)] };
}

/** The order of a resource's formulas with those columns together that must be computed line by line. */
export function formulaSteps(resource: Pick<Resource, 'fields' | 'formulaOrder'>): readonly FormulaStep[] {
  const known = steps.get(resource);
  if (known !== undefined) return known;
  const order = resource.formulaOrder;
  const needs = formulaNeeds(resource.fields);
  const made: FormulaStep[] = [];
  for (let at = 0; at < order.length;) {
    const path = order[at] ?? '';
    const [name = '', column] = path.split('.');
    const end = runEnd(order, needs, at);
    const columns = order.slice(at, end + 1).map((own) => own.slice(name.length + 1));
    made.push({ name, columns: column === undefined ? null : columns });
    at = end + 1;
  }
  steps.set(resource, made);
  return made;
}

/**
 * The finds of a resource in rounds: those of one round need no other find of it or of a later one, so that all of them can
 * be looked for at once.
 * @example findRounds(shipment) // [['rate_id', 'items.hs_version_id']]
 */
export function findRounds(
  resource: Pick<Resource, 'fields' | 'formulaOrder'>,
): readonly (readonly string[])[] {
  const known = rounds.get(resource);
  if (known !== undefined) return known;
  const needs = formulaNeeds(resource.fields);
  const depths = new Map<string, number>();
  const made: string[][] = [];
  for (const name of resource.formulaOrder) {
    const { own = [], above = [], isFind = false } = needs.get(name) ?? {};
    const depth = Math.max(0, ...[...own, ...above].map((need) => depths.get(need) ?? 0));
    depths.set(name, isFind ? depth + 1 : depth);
    if (isFind) (made[depth] ??= []).push(name);
  }
  rounds.set(resource, made);
  return made;
}

/**
 * The formulas that these finds (or formulas) need, and those that they need in turn. What an earlier find needed is not
 * among them: it has been taken.
 * @example formulasBefore(shipment, ['rate_id']) // Set { 'total_amount', 'items.amount' }
 */
export function formulasBefore(
  resource: Pick<Resource, 'fields' | 'formulaOrder'>,
  names: readonly string[],
): ReadonlySet<string> {
  const known = neededBefore.get(names);
  if (known !== undefined) return known;
  const needs = formulaNeeds(resource.fields);
  const found = new Set<string>();
  const visit = (name: string): void => {
    const { own = [], above = [] } = needs.get(name) ?? {};
    for (const need of [...own, ...above]) {
      if (found.has(need) || needs.get(need)?.isFind === true) continue;
      found.add(need);
      visit(need);
    }
  };
  for (const name of names) visit(name);
  neededBefore.set(names, found);
  return found;
}

/** What the where-clause of a find reads of its own record: `source.x` is `x` of it, or of its line. */
export function findReads({ where }: FindDefinition): readonly string[] {
  return filterReads(where).values.map((path) => path.replace(/^source\./, ''));
}

/**
 * A path as seen from the head of the record: inside lines `quantity` is `items.quantity` and `parent.x` is `x`, the line
 * above and the record before hold the same fields. `record.x` is the record that the formula or rule runs on. What is of
 * no field of the record (`user.x`, `input.x`, `source.x` ...) stays as it is.
 */
export function headPath(path: string, lines: string | undefined): string {
  const own = path.replace(/^(record|above|before)\./, '');
  if (own.startsWith('parent.')) return own.slice('parent.'.length);
  return lines === undefined || ELSEWHERE.test(own) ? own : `${lines}.${own}`;
}

/** Whether a path lies in the record that is worked out, not in who asks, when, and with what settings. */
export function isOfRecord(path: string): boolean {
  return !ELSEWHERE.test(path);
}

const ELSEWHERE = /^(today|now|(user|input|source|company|param)\..+)$/;
const steps = new WeakMap<object, readonly FormulaStep[]>();
const rounds = new WeakMap<object, readonly (readonly string[])[]>();
/** By the names of a round, which are made once for a resource. */
const neededBefore = new WeakMap<object, ReadonlySet<string>>();

interface Needs {
  /** Formulas that come before. */
  readonly own: readonly string[];
  /** Columns that are read of the line above. */
  readonly above: readonly string[];
  /** It needs values of all lines at once: shares of them, or these columns of its own lines. */
  readonly isWide: boolean;
  readonly wide: readonly string[];
  readonly isFind: boolean;
}

/** What is computed, by its path from the head, and what a find fills, which comes with it. */
interface Known {
  readonly computed: ReadonlyMap<string, ComputedField>;
  readonly filled: ReadonlyMap<string, string>;
}

interface ComputedField {
  readonly field: FieldDefinition;
  readonly lines: string | undefined;
}

function formulaNeeds(fields: Fields): ReadonlyMap<string, Needs> {
  const known = knownFields(fields);
  return new Map([...known.computed].map(([name, { field, lines }]) => [name, needsOf(field, lines, known)]));
}

function knownFields(fields: Fields): Known {
  const computed = new Map<string, ComputedField>();
  const filled = new Map<string, string>();
  const add = (path: string, field: FieldDefinition, lines?: string): void => {
    if (field.formula !== undefined || field.find !== undefined) computed.set(path, { field, lines });
    if (field.find === undefined) return;
    for (const own of Object.keys(field.fill ?? {}))
      filled.set(lines === undefined ? own : `${lines}.${own}`, path);
  };
  for (const [name, field] of Object.entries(fields)) {
    add(name, field);
    for (const [column, cell] of Object.entries(field.fields ?? {})) add(`${name}.${column}`, cell, name);
  }
  return { computed, filled };
}

function needsOf(field: FieldDefinition, lines: string | undefined, known: Known): Needs {
  const isFind = field.find !== undefined;
  const all = field.find === undefined ? formulaReads(field.formula ?? '') : findReads(field.find);
  const reads = all.filter((read) => !read.startsWith('before.'));
  // A find is not taken line by line: of the line above it sees what stands there.
  const isAbove = (read: string): boolean =>
    !isFind && lines !== undefined && /^above\.(?!parent\.)/.test(read);
  const isOfAll = (read: string): boolean => lines !== undefined && read.startsWith(`parent.${lines}.`);
  const named = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.flatMap((read) => ownerOf(headPath(read, lines), known) ?? [])),
  ];
  const expression = isFind ? null : parsedFormula(field.formula ?? '');
  return {
    own: named(reads.filter((read) => !isAbove(read))),
    above: named(reads.filter(isAbove)),
    wide: named(reads.filter(isOfAll)),
    isWide: isFind || (expression !== null && callsLinesFunction(expression)),
    isFind,
  };
}

/** What a path reads on from: a formula, or the find that brings it; for those who order defaults after formulas. */
export function computedOwners(fields: Fields): (path: string) => string | null {
  const known = knownFields(fields);
  return (path) => ownerOf(path, known);
}

/** The formula or find that a path reads, or reads on from: `rate_id.fee` reads `rate_id`. */
function ownerOf(path: string, { computed, filled }: Known): string | null {
  const parts = path.split('.');
  for (let length = Math.min(2, parts.length); length > 0; length -= 1) {
    const name = parts.slice(0, length).join('.');
    if (computed.has(name)) return name;
    const find = filled.get(name);
    if (find !== undefined) return find;
  }
  return null;
}

/** Where the run of columns ends that have to be computed with the formula at a place: the last that one of them reads of the line above. */
function runEnd(order: readonly string[], needs: ReadonlyMap<string, Needs>, at: number): number {
  let end = at;
  for (let place = at; place <= end; place += 1)
    for (const need of needs.get(order[place] ?? '')?.above ?? []) end = Math.max(end, order.indexOf(need));
  return end;
}

/** Runs that cannot be computed line by line, because something else must come between, or one of them needs all lines first. */
function brokenRuns(
  order: readonly string[],
  needs: ReadonlyMap<string, Needs>,
): readonly (readonly string[])[] {
  const broken: (readonly string[])[] = [];
  for (let at = 0; at < order.length;) {
    const end = runEnd(order, needs, at);
    const run = order.slice(at, end + 1);
    const [lines = ''] = (run[0] ?? '').split('.');
    const isApart = (name: string): boolean => {
      const need = needs.get(name);
      const isWide = need?.isWide === true || need?.wide.some((wide) => run.includes(wide)) === true;
      return isWide || !name.startsWith(`${lines}.`);
    };
    if (run.length > 1 && run.some(isApart)) broken.push([...run, run[0] ?? '']);
    at = end + 1;
  }
  return broken;
}
