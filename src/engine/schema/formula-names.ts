import type { FormulaNames } from '../expression/formula-function.ts';
import { BOOLEAN, NUMBER, TEXT, type ValueType } from '../expression/value-type.ts';
import type { Setup } from './setup-files.ts';

/** The parameter that holds how many days ahead a notice comes. */
export function advanceParam(event: string): string {
  return `${event}_DAYS`;
}

/** The names that formulas may use beside fields, as the setup files say; unknown (unchecked) where a file is not there. */
export function formulaNames(setup: Setup): FormulaNames {
  return {
    ...('parameters' in setup.files ? { params: paramTypes(setup) } : {}),
    ...('tables' in setup.files ? { tables: setup.tables } : {}),
  };
}

const KIND_TYPES: Readonly<Record<string, ValueType>> = {
  number: NUMBER,
  percent: NUMBER,
  bool: BOOLEAN,
};

function paramTypes({ files, events }: Setup): ReadonlyMap<string, ValueType> {
  const list: unknown = files['parameters'];
  const types = new Map<string, ValueType>();
  for (const entry of Array.isArray(list) ? list : []) {
    if (!isEntry(entry)) continue;
    types.set(String(entry['param']), KIND_TYPES[String(entry['kind'])] ?? TEXT);
  }
  for (const [event, { advance_days: days }] of Object.entries(events))
    if (days !== undefined) types.set(advanceParam(event), NUMBER);
  return types;
}

function isEntry(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
