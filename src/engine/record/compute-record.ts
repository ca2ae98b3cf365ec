import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { digitsOf } from '../fields/decimal-value.ts';
import { readPath, type Scope } from '../filter/scope.ts';
import type { ValueDefinition } from '../schema/effects-definition.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { isPlainDecimal, multiplyDecimals, roundDecimal } from '../values/decimal.ts';
import { linesOf, lineScope, withRecord } from './record-lines.ts';

/**
 * Runs every formula of head and lines in their order and gives the record with the results, rounded half-up to the
 * field's scale (yen to whole amounts). A percent field takes the fraction a formula gives: 0.13 is stored as 13.
 */
export function computeRecord(resource: Resource, record: ErpRecord, scope: Scope): ErpRecord {
  let current = record;
  for (const path of resource.formulaOrder) {
    const [name = '', column] = path.split('.');
    const field = resource.fields[name];
    if (field === undefined) continue;
    if (column === undefined) {
      current = { ...current, [name]: computeField(field, withRecord(scope, current)) };
      continue;
    }
    const cell = field.fields?.[column];
    if (cell === undefined || !Array.isArray(current[name])) continue;
    const head = current;
    const lines = linesOf(head, name).map((line) => ({
      ...line,
      [column]: computeField(cell, lineScope(withRecord(scope, head), name, line)),
    }));
    current = { ...head, [name]: lines };
  }
  return current;
}

/** The currency of a money field: a fixed code, or what the named field holds; null when that is empty. */
export function currencyOf(field: Field, scope: Scope): string | null {
  if (field.currency === undefined) return null;
  if (/^[A-Z]{3}$/.test(field.currency)) return field.currency;
  const value = readPath(scope, field.currency);
  return typeof value === 'string' ? value : null;
}

/** The result of one field's formula, fitted to the field; null without a formula. Inside lines the scope is the line's. */
export function computeField(field: Field, scope: Scope): unknown {
  if (field.formula === undefined) return null;
  const value: unknown = evaluate(parseExpression(field.formula), scope);
  return fitValue(field, value, scope);
}

/** A value of `set`, `map`, `add` as the field keeps it: text is a formula, anything else stands for itself. */
export function givenValue(field: Field | undefined, value: ValueDefinition, scope: Scope): unknown {
  if (typeof value !== 'string') return value;
  const result: unknown = evaluate(parseExpression(value), scope);
  return field === undefined ? result : fitValue(field, result, scope);
}

/** Fits a formula's result to the field: scale, percent, whole numbers. */
function fitValue(field: Field, value: unknown, scope: Scope): unknown {
  if (value === null || value === undefined) return null;
  if (field.type === 'boolean') return value === true;
  if (typeof value !== 'string') return value;
  if (!isNumeric(field) || !isPlainDecimal(value)) return value;
  if (field.type === 'integer') return Number(roundDecimal(value, 0));
  const { scale } = digitsOf(field);
  if (field.type === 'percent') return roundDecimal(multiplyDecimals(value, '100') ?? value, scale);
  const isYen = field.type === 'money' && currencyOf(field, scope) === 'JPY';
  return isYen ? roundDecimal(roundDecimal(value, 0), scale) : roundDecimal(value, scale);
}

function isNumeric(field: Field): boolean {
  return (
    field.type === 'integer' || field.type === 'decimal' || field.type === 'money' || field.type === 'percent'
  );
}
