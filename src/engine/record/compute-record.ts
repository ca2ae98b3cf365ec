import { evaluate, type Value } from '../expression/evaluate.ts';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { digitsOf } from '../fields/decimal-value.ts';
import { asPercent, formulaOf, resolveOperand } from '../filter/resolve-operand.ts';
import { readPath, type Scope } from '../filter/scope.ts';
import type { ValueDefinition } from '../schema/effects-definition.ts';
import { type FormulaStep, formulaSteps } from '../schema/formula-order.ts';
import { looksAround, parsedFormula } from '../schema/formula-reads.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { decimalsOf } from '../values/currency-decimals.ts';
import { compareDecimals, isPlainDecimal, roundDecimal } from '../values/decimal.ts';
import { isTakenNow } from './frozen-values.ts';
import { linesOf, lineScope, withRecord } from './record-lines.ts';

/**
 * Runs every formula of head and lines in their order and gives the record with the results, rounded half-up to the
 * field's scale (yen to whole amounts). A percent field takes the fraction a formula gives: 0.13 is stored as 13. What is
 * frozen (`until`) stays as it is.
 */
export function computeRecord(
  resource: Resource,
  record: ErpRecord,
  scope: Scope,
  /** These formulas alone, by their paths (`items.amount`). */
  only?: ReadonlySet<string>,
): ErpRecord {
  if (only === undefined) return computeSome(resource, record, { scope, isWanted: hasFormula });
  const isWanted = (field: Field, path: string): boolean => hasFormula(field) && only.has(path);
  return only.size === 0 ? record : computeSome(resource, record, { scope, isWanted });
}

/** The same for those formulas only that are not stored: of a record as it was read. */
export function computeUnstored(resource: Resource, record: ErpRecord, scope: Scope): ErpRecord {
  return computeSome(resource, record, { scope, isWanted: ({ stored }) => stored === false });
}

function computeSome(
  resource: Resource,
  record: ErpRecord,
  { scope, isWanted }: { readonly scope: Scope; readonly isWanted: (field: Field, path: string) => boolean },
): ErpRecord {
  let current = record;
  for (const step of passesOf(resource)) {
    const field = resource.fields[step.name];
    if (field === undefined) continue;
    if (step.columns === null) {
      if (!isWanted(field, step.name) || !isTakenNow(field, withRecord(scope, current))) continue;
      const value = computeField(field, withRecord(scope, current));
      if (value !== current[step.name]) current = { ...current, [step.name]: value };
      continue;
    }
    if (!Array.isArray(current[step.name])) continue;
    const columns = step.columns.flatMap((column) => field.fields?.[column] ?? []);
    const cells = columns.filter((cell) => isWanted(cell, `${step.name}.${cell.name}`));
    if (cells.length === 0) continue;
    const lines = computeLines(field, cells, withRecord(scope, current));
    current = { ...current, [step.name]: lines };
  }
  return current;
}

/** The steps of a resource, with columns that follow each other and look at their own line only taken in one pass. */
function passesOf(resource: Resource): readonly FormulaStep[] {
  const known = passes.get(resource);
  if (known !== undefined) return known;
  const made: FormulaStep[] = [];
  let isOpen = false;
  for (const step of formulaSteps(resource)) {
    const last = made.at(-1);
    const isOwn = looksAtItself(resource, step);
    if (isOpen && isOwn && last?.name === step.name)
      made.splice(-1, 1, { ...step, columns: [...(last.columns ?? []), ...(step.columns ?? [])] });
    else made.push(step);
    isOpen = isOwn;
  }
  passes.set(resource, made);
  return made;
}

const passes = new WeakMap<Resource, readonly FormulaStep[]>();

function looksAtItself(resource: Resource, { name, columns }: FormulaStep): boolean {
  if (columns?.length !== 1) return false;
  const formula = resource.fields[name]?.fields?.[columns[0] ?? '']?.formula;
  const parsed = formula === undefined ? null : parsedFormula(formula);
  return parsed !== null && !looksAround(parsed, name);
}

/**
 * The lines of a head with some of their columns computed, from the first to the last, so that each sees the line above it
 * as computed. A line that stays as it is is the same object.
 */
export function computeLines(lines: Field, cells: readonly Field[], scope: Scope): readonly ErpRecord[] {
  const memo = cells.length === 1 ? new Map<object, readonly Value[]>() : undefined;
  let above: ErpRecord | null = null;
  return linesOf(scope.record, lines.name).map((row, place) => {
    let here = lineScope(scope, lines.name, row, { above, place, memo });
    let own: Record<string, unknown> | null = null;
    for (const cell of cells) {
      if (!isTakenNow(cell, here)) continue;
      const value = computeField(cell, here);
      if (value === here.record[cell.name]) continue;
      if (own === null) {
        own = { ...row };
        here = { ...here, record: own };
      }
      own[cell.name] = value;
    }
    above = here.record;
    return here.record;
  });
}

/** Finds stand among the formulas in their order: the server takes them. */
function hasFormula(field: Field): boolean {
  return field.formula !== undefined;
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
  return field.formula === undefined ? null : fieldValue(field, parseExpression(field.formula), scope);
}

/**
 * What a formula gives for a field: rounded half-up once, an amount to the decimals of its currency; a percent field takes
 * a fraction. Null when the formula gives nothing.
 */
export function fieldValue(field: Field, formula: Expression, scope: Scope): unknown {
  const value = evaluate(field.type === 'money' ? unrounded(formula, field, scope) : formula, scope);
  return fitValue(field, value, scope);
}

/** A value of `set`, `map`, `add` as the field keeps it: text is a formula, anything else stands for itself. */
export function givenValue(field: Field | undefined, value: ValueDefinition, scope: Scope): unknown {
  if (typeof value !== 'string') return value;
  const formula = parseExpression(value);
  return field === undefined ? evaluate(formula, scope) : fieldValue(field, formula, scope);
}

/** What a default is for a field: a formula is fitted to it, anything else is taken as it is. */
export function resolveFor(field: Field, value: unknown, scope: Scope): unknown {
  const formula = formulaOf(value);
  return formula === null ? resolveOperand(value, scope) : fieldValue(field, parseExpression(formula), scope);
}

/** Fits a formula's result to the field: scale, percent, whole numbers. */
function fitValue(field: Field, value: unknown, scope: Scope): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && field.multiple !== true)
    return value.map((one: unknown) => fitValue(field, one, scope));
  if (field.type === 'boolean') return value === true;
  if (typeof value !== 'string') return value;
  if (!isNumeric(field) || !isPlainDecimal(value)) return value;
  if (field.type === 'integer') return Number(roundDecimal(value, 0));
  const { scale } = digitsOf(field);
  if (field.type === 'percent') return roundDecimal(String(asPercent(value)), scale);
  const decimals = field.type === 'money' ? moneyDecimals(field, scope) : scale;
  return roundDecimal(decimals < scale ? roundDecimal(value, decimals) : value, scale);
}

/** An amount that its formula rounds to cents is not rounded twice: 0.495 yen is 0, not 1. */
function unrounded(formula: Expression, field: Field, scope: Scope): Expression {
  if (formula.kind !== 'call' || formula.name !== 'round') return formula;
  const [inner, places] = formula.args;
  if (inner === undefined || places?.kind !== 'literal' || typeof places.value !== 'string') return formula;
  const isFiner = compareDecimals(places.value, String(moneyDecimals(field, scope))) >= 0;
  return isFiner ? inner : formula;
}

function moneyDecimals(field: Field, scope: Scope): number {
  const { scale } = digitsOf(field);
  const currency = currencyOf(field, scope);
  return currency === null ? scale : Math.min(scale, decimalsOf(currency, scope.context.decimals));
}

function isNumeric(field: Field): boolean {
  return (
    field.type === 'integer' || field.type === 'decimal' || field.type === 'money' || field.type === 'percent'
  );
}
