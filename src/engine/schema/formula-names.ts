import type { FormulaNames } from '../expression/formula-function.ts';
import { BOOLEAN, NUMBER, TEXT, type ValueType } from '../expression/value-type.ts';
import type { EventDefinition, Setup } from './setup-files.ts';

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

/** What the parameters are called, by their names, for sentences about formulas. */
export function parameterTitles(setup: Setup): Readonly<Record<string, string>> {
  const shipped = parametersOf(setup).map((entry) => [String(entry['param']), String(entry['label'])]);
  const advance = advanceEvents(setup).map(([event, { title }]) => [
    advanceParam(event),
    `${title}提前多少天`,
  ]);
  return Object.fromEntries([...shipped, ...advance]);
}

function paramTypes(setup: Setup): ReadonlyMap<string, ValueType> {
  const shipped = parametersOf(setup).map((entry): [string, ValueType] => [
    String(entry['param']),
    KIND_TYPES[String(entry['kind'])] ?? TEXT,
  ]);
  const advance = advanceEvents(setup).map(([event]): [string, ValueType] => [advanceParam(event), NUMBER]);
  return new Map([...shipped, ...advance]);
}

function parametersOf({ files }: Setup): readonly Readonly<Record<string, unknown>>[] {
  const list: unknown = files['parameters'];
  return (Array.isArray(list) ? list : []).filter(isEntry);
}

/** Notices that come some days ahead: each has a parameter of its own. */
function advanceEvents({ events }: Setup): readonly (readonly [string, EventDefinition])[] {
  return Object.entries(events).filter(([, { advance_days: days }]) => days !== undefined);
}

function isEntry(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
