import type { FilterOperator } from '../schema/definition.ts';
import type { Field } from '../schema/resource.ts';

/** A JSON Schema 2020-12 node for one value. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The value as it is stored and sent, or what is wrong with it. */
export type ParsedValue =
  { readonly value: unknown } | { readonly problem: { readonly code: string; readonly message: string } };

/** What the engine knows of one field type. Null (empty) is dealt with before `parse` and `format` are called. */
export interface FieldBehaviour {
  /** SQL column type of a single value; lists add `[]`. Empty for lines, which are a table. */
  readonly column: (field: Field) => string;
  /** Schema of one value for ajv and generated types, without null. */
  readonly jsonSchema: (field: Field) => JsonSchema;
  /** Strict: nothing is converted from another JSON type. */
  readonly parse: (value: unknown, field: Field) => ParsedValue;
  /** Text for lists, messages and exports. References give the id: their label comes from the server. */
  readonly format: (value: unknown, field: Field) => string;
  readonly isEmpty: (value: unknown) => boolean;
  readonly operators: readonly FilterOperator[];
}

export const EQUALITY_OPERATORS = [
  'eq',
  'ne',
  'in',
  'nin',
  'null',
] as const satisfies readonly FilterOperator[];
export const ORDER_OPERATORS = [
  ...EQUALITY_OPERATORS,
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
] as const satisfies readonly FilterOperator[];
export const TEXT_OPERATORS = [
  ...ORDER_OPERATORS,
  'contains',
  'startswith',
] as const satisfies readonly FilterOperator[];

/** Null, undefined, empty text and the empty list are empty; 0 and false are values. */
export function isEmptyValue(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** A refusal of one value. */
export function refuse(code: string, message: string): ParsedValue {
  return { problem: { code, message } };
}

/** Formats what needs no treatment. */
export function formatPlain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
