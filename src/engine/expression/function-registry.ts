import { COLUMN_FUNCTIONS } from './functions/column-functions.ts';
import { DATE_FUNCTIONS } from './functions/date-functions.ts';
import { NUMBER_FUNCTIONS } from './functions/number-functions.ts';
import { SURROUNDINGS_FUNCTIONS } from './functions/surroundings-functions.ts';
import { VALUE_FUNCTIONS } from './functions/value-functions.ts';
import type { FormulaFunction } from './formula-function.ts';

const functions = new Map<string, FormulaFunction>(
  Object.entries({
    ...VALUE_FUNCTIONS,
    ...NUMBER_FUNCTIONS,
    ...DATE_FUNCTIONS,
    ...COLUMN_FUNCTIONS,
    ...SURROUNDINGS_FUNCTIONS,
  }),
);

/**
 * Makes functions known to formulas by their names, with the types of what they take and give; the same name again
 * replaces it. Trade ones are registered at start by server and browser.
 */
export function registerFunctions(added: Readonly<Record<string, FormulaFunction>>): void {
  for (const [name, definition] of Object.entries(added)) functions.set(name, definition);
}

/** The function of a name; undefined when none is known. */
export function functionNamed(name: string): FormulaFunction | undefined {
  return functions.get(name);
}

/** The names known so far. */
export function functionNames(): readonly string[] {
  return [...functions.keys()];
}
