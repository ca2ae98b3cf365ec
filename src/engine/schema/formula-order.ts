import { callsLinesFunction } from '../expression/parse-expression.ts';
import type { FieldDefinition } from './definition.ts';
import { formulaReads, parsedFormula } from './formula-reads.ts';
import type { Resource } from './resource.ts';

/** Formulas in the order in which they must run, and the circles that have none. */
export interface FormulaOrder {
  readonly order: readonly string[];
  /** Each circle as the list of its members, `['a', 'b', 'a']`. */
  readonly cycles: readonly (readonly string[])[];
}

/** What is computed at once: a formula of the head (`columns` null), or columns of lines, line by line. */
export interface FormulaStep {
  readonly name: string;
  readonly columns: readonly string[] | null;
}

type Fields = Readonly<Record<string, FieldDefinition>>;

/**
 * Orders head and line formulas of one resource so that each comes after what it reads. A line's formula is
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
 * A path as seen from the head of the record: inside lines `quantity` is `items.quantity` and `parent.x` is `x`, the line
 * above and the record before hold the same fields. `record.x` is the record that the formula or rule runs on. What is of
 * no field of the record (`user.x`, `input.x`, `source.x` ...) stays as it is.
 */
export function headPath(path: string, lines: string | undefined): string {
  const own = path.replace(/^(record|above|before)\./, '');
  if (own.startsWith('parent.')) return own.slice('parent.'.length);
  return lines === undefined || ELSEWHERE.test(own) ? own : `${lines}.${own}`;
}

const ELSEWHERE = /^(today|now|(user|input|source|company|param)\..+)$/;
const steps = new WeakMap<object, readonly FormulaStep[]>();

interface Needs {
  /** Formulas that come before. */
  readonly own: readonly string[];
  /** Columns that are read of the line above. */
  readonly above: readonly string[];
  /** It needs values of all lines at once: shares of them, or these columns of its own lines. */
  readonly isWide: boolean;
  readonly wide: readonly string[];
}

function formulaNeeds(fields: Fields): ReadonlyMap<string, Needs> {
  const known = new Map<string, { readonly formula: string; readonly lines: string | undefined }>();
  for (const [name, field] of Object.entries(fields)) {
    if (field.formula !== undefined) known.set(name, { formula: field.formula, lines: undefined });
    for (const [column, cell] of Object.entries(field.fields ?? {}))
      if (cell.formula !== undefined) known.set(`${name}.${column}`, { formula: cell.formula, lines: name });
  }
  return new Map([...known].map(([name, { formula, lines }]) => [name, needsOf(formula, lines, known)]));
}

function needsOf(formula: string, lines: string | undefined, known: ReadonlyMap<string, unknown>): Needs {
  const reads = formulaReads(formula).filter((read) => !read.startsWith('before.'));
  const isAbove = (read: string): boolean => lines !== undefined && /^above\.(?!parent\.)/.test(read);
  const isOfAll = (read: string): boolean => lines !== undefined && read.startsWith(`parent.${lines}.`);
  const named = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.flatMap((read) => ownerOf(headPath(read, lines), known) ?? [])),
  ];
  const expression = parsedFormula(formula);
  return {
    own: named(reads.filter((read) => !isAbove(read))),
    above: named(reads.filter(isAbove)),
    wide: named(reads.filter(isOfAll)),
    isWide: expression !== null && callsLinesFunction(expression),
  };
}

/** The formula that a path reads, or reads on from: `rate_id.fee` reads `rate_id`. */
function ownerOf(path: string, known: ReadonlyMap<string, unknown>): string | null {
  const parts = path.split('.');
  for (let length = Math.min(2, parts.length); length > 0; length -= 1) {
    const name = parts.slice(0, length).join('.');
    if (known.has(name)) return name;
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
