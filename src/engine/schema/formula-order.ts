import type { FieldDefinition } from './definition.ts';
import { formulaReads } from './formula-reads.ts';

/** Formulas in the order in which they must run, and the circles that have none. */
export interface FormulaOrder {
  readonly order: readonly string[];
  /** Each circle as the list of its members, `['a', 'b', 'a']`. */
  readonly cycles: readonly (readonly string[])[];
}

type Fields = Readonly<Record<string, FieldDefinition>>;

/**
 * Orders head and line formulas of one resource so that each comes after what it reads. A line's formula is
 * named `items.amount` and runs for every line.
 * @example orderFormulas(contract.fields).order // ['items.amount', 'total_amount']
 */
export function orderFormulas(fields: Fields): FormulaOrder {
  const needs = formulaNeeds(fields);
  const order: string[] = [];
  const cycles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string, trail: readonly string[]): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(name)), name]);
      return;
    }
    state.set(name, 'open');
    for (const need of needs.get(name) ?? []) visit(need, [...trail, name]);
    state.set(name, 'done');
    order.push(name);
  };
  for (const name of needs.keys()) visit(name, []);
  return { order, cycles };
}

/**
 * A path as seen from the head of the record: inside lines `quantity` is `items.quantity` and `parent.x` is `x`.
 * `record.x` is the record that the formula or rule runs on.
 */
export function headPath(path: string, lines: string | undefined): string {
  const own = path.startsWith('record.') ? path.slice('record.'.length) : path;
  if (own.startsWith('parent.')) return own.slice('parent.'.length);
  return lines === undefined ? own : `${lines}.${own}`;
}

function formulaNeeds(fields: Fields): ReadonlyMap<string, readonly string[]> {
  const reads = new Map<string, readonly string[]>();
  for (const [name, field] of Object.entries(fields)) {
    if (field.formula !== undefined)
      reads.set(
        name,
        formulaReads(field.formula).map((path) => headPath(path, undefined)),
      );
    for (const [column, cell] of Object.entries(field.fields ?? {}))
      if (cell.formula !== undefined)
        reads.set(
          `${name}.${column}`,
          formulaReads(cell.formula).map((path) => headPath(path, name)),
        );
  }
  return new Map([...reads].map(([name, paths]) => [name, paths.filter((path) => reads.has(path))]));
}
