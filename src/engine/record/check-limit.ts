import { resolveOperand } from '../filter/resolve-operand.ts';
import { matchesFilter } from '../filter/matches-filter.ts';
import { readPath, type Scope } from '../filter/scope.ts';
import type { Comparison, Filter } from '../schema/definition.ts';
import type { LimitDefinition } from '../schema/effects-definition.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { addDecimals, compareDecimals, isPlainDecimal, subtractDecimals } from '../values/decimal.ts';
import { currencyOf } from './compute-record.ts';
import { assertionHolds } from './check-assertion.ts';

/** A comparison that a record breaks: by how much, where that can be said. */
interface BrokenComparison {
  /** The field that was compared. */
  readonly field: string;
  /** `lte`, `eq` and so on. */
  readonly operator: string;
  readonly figure: string | null;
  readonly bound: string | null;
  /** How far beyond the bound, decimal text; null where nothing can be measured. */
  readonly excess: string | null;
}

/** A limit that a record breaks: the first of its comparisons that is broken, and the others that are. */
export interface LimitBreach extends BrokenComparison {
  readonly further: readonly BrokenComparison[];
}

const UNMEASURED: BrokenComparison = { field: '', operator: '', figure: null, bound: null, excess: null };

/** How a record breaks a limit; null when it holds, does not apply, or a side is empty. */
export function limitBreach(limit: LimitDefinition, scope: Scope): LimitBreach | null {
  if (limit.when !== undefined && !matchesFilter(limit.when, scope)) return null;
  if (assertionHolds(limit.assert, scope)) return null;
  const [first = UNMEASURED, ...further] = brokenIn(limit.assert, scope);
  return { ...first, further };
}

/** What a limit compares, whether it holds or not. */
export interface LimitFigure {
  readonly field: string;
  /** `lte`, `gte` and so on. */
  readonly operator: string;
  readonly figure: string;
  readonly bound: string;
}

/** The first comparison of a limit that has a figure and a bound; null when it does not apply or there is none. */
export function limitFigure(limit: LimitDefinition, scope: Scope): LimitFigure | null {
  if (limit.when !== undefined && !matchesFilter(limit.when, scope)) return null;
  for (const [field, part] of Object.entries(limit.assert)) {
    if (part === undefined || isFilterList(part)) continue;
    const figure = asText(readPath(scope, field));
    for (const [operator, operand] of Object.entries(part)) {
      const bound = asText(resolveOperand(operand, scope));
      if (isPlainDecimal(figure) && isPlainDecimal(bound)) return { field, operator, figure, bound };
    }
  }
  return null;
}

/** In which currency a limit's field is: empty where nobody says, null where it is no amount. */
export function limitCurrency({ each }: LimitDefinition, name: string, scope: Scope): string | null {
  const { fields } = scope.resource;
  const field = (each === undefined ? fields : fields[each]?.fields)?.[name];
  return field?.type === 'money' ? (currencyOf(field, scope) ?? '') : null;
}

/**
 * True when a breach is to be refused: one of its comparisons held before the write, or is further from its bound than
 * then. `forced` is what entries that do not count have moved the figure by (towards the breach counts for the record).
 */
export function isWorse(now: LimitBreach, was: LimitBreach | null, forced = '0'): boolean {
  const before = was === null ? [] : [was, ...was.further];
  return [now, ...now.further].some((part) => {
    const same = before.find(({ field, operator }) => field === part.field && operator === part.operator);
    if (part.excess === null) return same === undefined;
    const counted = subtractDecimals(part.excess, forced) ?? part.excess;
    if (compareDecimals(counted, '0') <= 0) return false;
    return same === undefined || same.excess === null || compareDecimals(counted, same.excess) > 0;
  });
}

/** Whether the figure itself moved towards its bound, whatever the bound did. True where it was not measured before. */
export function isPushed(limit: LimitDefinition, now: Scope, before: Scope | null): boolean {
  const figure = limitFigure(limit, now);
  const was = before === null ? null : limitFigure(limit, before);
  if (figure === null || was === null) return true;
  const moved = compareDecimals(figure.figure, was.figure);
  return figure.operator.startsWith('g') ? moved < 0 : moved > 0;
}

/** Whether everything that a limit reads is as it was: what held holds, what was broken is no further from its bound. */
export function readsSame(limit: LimitDefinition, now: Scope, before: Scope): boolean {
  const paths = readPaths(limit);
  return paths !== null && paths.every((path) => isSimple(now, before, path));
}

function isSimple(now: Scope, before: Scope, path: string): boolean {
  const value = readPath(now, path) ?? null;
  return (value === null || typeof value !== 'object') && value === (readPath(before, path) ?? null);
}

/** The paths that a limit reads of its record and its head; null where it reads anything besides. */
function readPaths(limit: LimitDefinition): readonly string[] | null {
  const known = read.get(limit);
  if (known !== undefined) return known;
  const reads = [filterReads(limit.when), filterReads(limit.assert)];
  const values = reads.flatMap((part) => part.values.map((path) => path.replace(/^record\./, '')));
  const paths = [...reads.flatMap(({ fields }) => fields), ...values].filter((path) => path !== 'today');
  const isPlain = paths.every((path) => !/^(user|company|input|source|above|before)\b/.test(path));
  const found = isPlain ? [...new Set(paths)] : null;
  read.set(limit, found);
  return found;
}

const read = new WeakMap<LimitDefinition, readonly string[] | null>();

/** The comparisons of an assertion that are broken; of alternatives, none of which holds, those of the first. */
function brokenIn(filter: Filter, scope: Scope): readonly BrokenComparison[] {
  return Object.entries(filter).flatMap(([key, part]) => {
    if (part === undefined || assertionHolds({ [key]: part }, scope)) return [];
    if (!isFilterList(part)) return brokenComparisons(key, part, scope);
    const broken = part.filter((inner) => !assertionHolds(inner, scope));
    return (key === 'or' ? broken.slice(0, 1) : broken).flatMap((inner) => brokenIn(inner, scope));
  });
}

function brokenComparisons(field: string, comparison: Comparison, scope: Scope): readonly BrokenComparison[] {
  const figure = asText(readPath(scope, field));
  return Object.entries(comparison).flatMap(([operator, operand]) => {
    if (assertionHolds({ [field]: { [operator]: operand } }, scope)) return [];
    const bound = asText(resolveOperand(operand, scope));
    return [{ field, operator, figure, bound, excess: excessOf(operator, figure, bound) }];
  });
}

function excessOf(operator: string, figure: string | null, bound: string | null): string | null {
  if (!isPlainDecimal(figure) || !isPlainDecimal(bound)) return null;
  const over = subtractDecimals(figure, bound);
  if (over === null) return null;
  if (operator === 'lte' || operator === 'lt') return over;
  if (operator === 'gte' || operator === 'gt') return subtractDecimals('0', over);
  if (operator !== 'eq') return null;
  return compareDecimals(over, '0') < 0 ? subtractDecimals('0', over) : addDecimals(over, '0');
}

function asText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}
