import type { Catalog, EvaluationContext } from '../schema/resource.ts';
import type { ValueType } from './value-type.ts';

/** A decimal, date or text as text, a yes or no, nothing, or the values of a column. */
export type Value = string | boolean | null | readonly Value[];

export type ParamKind = 'any' | 'number' | 'text' | 'datetime' | 'date' | 'boolean' | 'reference';
/**
 * What a function takes at a place: one value (`number`; a column in its place gives the result for each line), one that
 * may be left out (`number?`), any number of them (`number...`), a column (`[number]`), either (`(any)`), or in a
 * function over lines what the formula gives for each line (`each number`).
 */
export type Param = ParamKind | `${ParamKind}?` | `${ParamKind}...` | `[${ParamKind}]` | `(${ParamKind})` | `(${ParamKind})...` | `each ${ParamKind}` | `each ${ParamKind}?`; // prettier-ignore

/** What a function gives: a type, or what follows from the types and the literal texts of its arguments. */
export type Result = ValueType | ((types: readonly ValueType[], call: TypedCall) => ValueType | ResultFault);

/** What is known of a call before it runs. */
export interface TypedCall {
  /** The text of an argument that is one, null of any other. */
  readonly texts: readonly (string | null)[];
  readonly names: FormulaNames;
}

/** Names that formulas may use beside fields; what is absent is not checked. */
export interface FormulaNames {
  readonly params?: ReadonlyMap<string, ValueType> | undefined;
  readonly tables?: Catalog['tables'] | undefined;
}

/** Why the arguments do not go together; `place` is the argument at fault. */
export interface ResultFault {
  readonly fault: string;
  readonly place: number;
}

/** What a running function may know beside its arguments. */
export interface Surroundings {
  readonly context: EvaluationContext;
  readonly tables: Catalog['tables'];
  readonly decimalsOf: (currency: string) => number;
}

interface Described {
  /** In sentences: 取整(…). */
  readonly title: string;
  readonly params: readonly Param[];
  readonly result: Result;
}

/** A function of values. Empty arguments come as null; it never throws for data. */
export interface ValueFunction extends Described {
  /** Its arguments come as people see them: amounts with separators, labels of dictionaries. */
  readonly showsArguments?: boolean;
  readonly evaluate: (args: readonly Value[], surroundings: Surroundings) => Value;
}

/** A function over the lines of a record: gets the values of all lines at once and gives one for each. */
export interface LinesFunction extends Described {
  readonly evaluateLines: (args: readonly Value[], count: number) => readonly Value[];
}

/** A function over a column: `sum(items.amount)`, with a condition `sum(items.amount, items.kind == 'x')`. */
export interface ColumnFunction extends Described {
  /** Gets what is not empty, in the order of the lines. */
  readonly aggregate: (values: readonly Exclude<Value, null>[]) => Value;
}

export type FormulaFunction = ValueFunction | LinesFunction | ColumnFunction;

/** The least and the greatest number of arguments. */
export function arityOf({ params }: FormulaFunction): readonly [number, number] {
  const least = params.filter((param) => !param.endsWith('?') && !param.endsWith('...')).length;
  const isOpen = params.some((param) => param.endsWith('...'));
  return [least, isOpen ? MOST_ARGUMENTS : params.length];
}

/** The parameter that an argument is for: the last one repeats when it takes any number. */
export function paramAt({ params }: FormulaFunction, place: number): ParsedParam {
  const param = params[Math.min(place, params.length - 1)] ?? 'any';
  const known = parsedParams.get(param);
  if (known !== undefined) return known;
  const takes = param.startsWith('each ')
    ? 'each'
    : param.startsWith('[')
      ? 'column'
      : param.startsWith('(')
        ? 'either'
        : 'value';
  const kind = KINDS.find((name) => param.includes(name)) ?? 'any';
  const parsed: ParsedParam = { kind, takes };
  parsedParams.set(param, parsed);
  return parsed;
}

export interface ParsedParam {
  readonly kind: ParamKind;
  readonly takes: 'value' | 'column' | 'either' | 'each';
}

const MOST_ARGUMENTS = 20;
const KINDS = [
  'any',
  'number',
  'text',
  'datetime',
  'date',
  'boolean',
  'reference',
] as const satisfies ParamKind[];
const parsedParams = new Map<Param, ParsedParam>();
