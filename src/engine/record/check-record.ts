import { evaluate } from '../expression/evaluate.ts';
import { isFieldEmpty, parseField } from '../fields/field-types.ts';
import { hasFraction } from '../fields/money.ts';
import type { Scope } from '../filter/scope.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import { parsedFormula } from '../schema/formula-reads.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '../schema/resource.ts';
import { assertionHolds, firstAsserted, TOLD } from './check-assertion.ts';
import { concernedRules } from './concerned-rules.ts';
import { duplicateLines } from './duplicate-lines.ts';
import { followedColumn } from './followed-lines.ts';
import { messageText } from './message-text.ts';
import { currencyOf } from './compute-record.ts';
import { cellState, type FieldState, type FieldStates, fieldStates, isRuleActive } from './field-states.ts';
import { linesOf, lineScope } from './record-lines.ts';

/** `complete`: the record is about to leave its initial state, so that a document's required fields and submit rules count. */
export interface CheckOptions {
  readonly complete: boolean;
  /** The record is being made: what nobody may write later counts as well. */
  readonly isNew?: boolean;
  /** The action that runs (`approved`: the last level): rules that name it count. */
  readonly moment?: string;
  /** The record as it stood complete before: rules of a submission count only where what they read has changed. */
  readonly since?: ErpRecord;
}

/**
 * Everything that is wrong with a computed record, in the order of its fields, then of its rules. Required fields of
 * a document count when it must be complete, of other kinds always; what is sealed once a record is made (a receipt is
 * in the books at once) counts as it is made; hidden fields are never required. Paths of lines
 * go by their index in the record.
 */
export function checkRecord(
  resource: Resource,
  record: ErpRecord,
  scope: Scope,
  options: CheckOptions,
): FieldProblem[] {
  const here: Scope = { ...scope, resource, record };
  const states = fieldStates(resource, record, here);
  const isRequiring = options.complete || resource.kind !== 'document';
  const problems: FieldProblem[] = [];
  for (const field of Object.values(resource.fields)) {
    const state = states[field.name] ?? {};
    if (field.type === 'lines') problems.push(...checkLines(field, here, { states, isRequiring }));
    else {
      const isLast = options.isNew === true && (resource.lifecycle?.sealed.includes(field.name) ?? false);
      const asked = { path: field.name, state, isRequiring: isRequiring || isLast };
      problems.push(...checkField(field, here, asked));
    }
  }
  const { since } = options;
  const isConcerned = since === undefined ? null : concernedRules(resource, since, record);
  for (const rule of resource.rules)
    if (rule.on === undefined || isConcerned === null || isConcerned(rule))
      problems.push(...checkRule(rule, here, options));
  return problems;
}

/** What the rules find that name an action with `on`. */
export function checkMoment(
  resource: Resource,
  record: ErpRecord,
  scope: Scope,
  moment: string,
): FieldProblem[] {
  const here: Scope = { ...scope, resource, record };
  return resource.rules
    .filter(({ on }) => on !== undefined)
    .flatMap((rule) => checkRule(rule, here, { complete: false, moment }));
}

/** True when some problem refuses the save; warnings do not. */
export function hasErrors(problems: readonly FieldProblem[]): boolean {
  return problems.some((problem) => problem.level !== 'warning');
}

/** Fields of a document that must be there even in a draft. */
const ALWAYS_REQUIRED: ReadonlySet<string> = new Set(['sales_id', 'business_type']);

interface FieldChecking {
  readonly path: string;
  readonly state: FieldState;
  readonly isRequiring: boolean;
}

function checkField(
  field: Field,
  scope: Scope,
  { path, state, isRequiring }: FieldChecking,
): readonly FieldProblem[] {
  const value = scope.record[field.name];
  if (isFieldEmpty(value, field)) {
    const isAlways = field.standard && ALWAYS_REQUIRED.has(field.name) && !field.computed;
    const required = isAlways ? '必填' : isRequiring ? state.required : undefined;
    // An untouched switch means no; what effects and counters write is not the user's to fill in.
    if (required === undefined || field.type === 'boolean' || state.hidden !== undefined) return [];
    if (field.computed && field.formula === undefined) return [];
    return [{ path, code: 'required', message: requiredMessage(field, required) }];
  }
  if (field.formula !== undefined) {
    const parsed = parseField(value, field);
    if ('problem' in parsed)
      return [
        { path, code: parsed.problem.code, message: `${field.title}的计算结果：${parsed.problem.message}` },
      ];
  }
  const fraction = fractionOfYen(field, value, scope);
  return fraction === null ? checkDictionary(field, scope, path) : [{ path, ...fraction }];
}

/** What is wrong with an amount of yen that is not whole: the smallest unit of yen is 1. Null for all else. */
export function fractionOfYen(
  field: Field,
  value: unknown,
  scope: Scope,
): Pick<FieldProblem, 'code' | 'message'> | null {
  if (field.type !== 'money' || typeof value !== 'string' || !hasFraction(value)) return null;
  return currencyOf(field, scope) === 'JPY'
    ? { code: 'currency_scale', message: '日元金额必须为整数' }
    : null;
}

function requiredMessage(field: Field, reason: string): string {
  return reason === '必填' ? `请填写${field.title}` : `请填写${field.title}（${reason}）`;
}

function checkDictionary(field: Field, scope: Scope, path: string): readonly FieldProblem[] {
  if (field.type !== 'dictionary' || field.dictionary === undefined || field.computed) return [];
  const dictionary = scope.catalog.dictionaries[field.dictionary];
  // Dictionaries filled from a resource are checked by the server, which has the rows.
  if (dictionary === undefined || dictionary.from !== undefined || dictionary.items.length === 0) return [];
  const value = scope.record[field.name];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isKnown = values.every((item) => dictionary.items.some((known) => known.value === item));
  return isKnown ? [] : [{ path, code: 'option', message: `${field.title}不在可选范围内` }];
}

function checkLines(
  lines: Field,
  scope: Scope,
  { states, isRequiring }: { readonly states: FieldStates; readonly isRequiring: boolean },
): readonly FieldProblem[] {
  const state = states[lines.name] ?? {};
  if (state.hidden !== undefined) return [];
  const rows = linesOf(scope.record, lines.name);
  const problems = [...checkCount(lines, rows.length, isRequiring && !lines.computed ? state : null)];
  const cells = Object.values(lines.fields ?? {}).map((cell) => ({
    cell,
    asked: { path: cell.name, state: states[`${lines.name}.${cell.name}`] ?? OPEN, isRequiring },
  }));
  const ruled = ruledLines(states, lines.name);
  for (const [index, line] of rows.entries()) {
    const here = lineScope(scope, lines.name, line);
    for (const { cell, asked } of cells) {
      const own = ruled.has(index)
        ? { ...asked, state: cellState(states, lines.name, { index, column: cell.name }) }
        : asked;
      for (const problem of checkField(cell, here, own))
        problems.push({
          ...problem,
          ...named(lines, line, problem),
          path: `${lines.name}.${index}.${problem.path}`,
        });
    }
  }
  return [...problems, ...duplicateLines(lines, scope)];
}

const OPEN: FieldState = {};

/** What is missing beside a value that the line follows is called by that value. */
function named(
  lines: Field,
  line: ErpRecord,
  { code, message }: FieldProblem,
): Pick<FieldProblem, 'message'> | null {
  const value = line[followedColumn(lines) ?? ''];
  return code === 'required' && typeof value === 'string' ? { message: `${message}（${value}）` } : null;
}

/** The places of lines of which a rule says more than of their columns. */
function ruledLines(states: FieldStates, lines: string): ReadonlySet<number> {
  const ruled = new Set<number>();
  const prefix = `${lines}.`;
  for (const path of Object.keys(states)) {
    if (!path.startsWith(prefix)) continue;
    const [place, column] = path.slice(prefix.length).split('.');
    if (column !== undefined) ruled.add(Number(place));
  }
  return ruled;
}

/** `state` null: emptiness is not checked now. */
function checkCount(lines: Field, count: number, state: FieldState | null): readonly FieldProblem[] {
  const max = typeof lines.max === 'number' ? lines.max : Number.POSITIVE_INFINITY;
  if (count > max) return [{ path: lines.name, code: 'too_many', message: `${lines.title}最多${max}行` }];
  if (state === null) return [];
  const min = typeof lines.min === 'number' ? lines.min : state.required === undefined ? 0 : 1;
  return count < min ? [{ path: lines.name, code: 'too_few', message: `${lines.title}至少${min}行` }] : [];
}

function checkRule(rule: RuleDefinition, scope: Scope, options: CheckOptions): readonly FieldProblem[] {
  if ((rule.assert === undefined && rule.holds === undefined) || !isAsked(rule, options)) return [];
  if (rule.each === undefined) return checkAssertion(rule, scope, '');
  const lines = rule.each;
  return linesOf(scope.record, lines).flatMap((line, index) =>
    checkAssertion(rule, lineScope(scope, lines, line), `${lines}.${index}.`),
  );
}

/** Rules with `on` count with their actions only; `submit` stands for whatever makes the record complete. */
function isAsked({ on }: RuleDefinition, { complete, moment }: CheckOptions): boolean {
  if (on === undefined) return true;
  const moments: readonly string[] = typeof on === 'string' ? [on] : on;
  return (complete && moments.includes('submit')) || (moment !== undefined && moments.includes(moment));
}

function checkAssertion(rule: RuleDefinition, scope: Scope, prefix: string): readonly FieldProblem[] {
  if (!isRuleActive(rule, scope) || ruleHolds(rule, scope)) return [];
  const at = rule.at ?? firstAsserted(rule.assert ?? {}, scope);
  const path = at === null ? prefix.replace(/\.$/, '') : at.startsWith(TOLD) ? at : `${prefix}${at}`;
  const level = rule.level === 'warning' ? { level: rule.level } : {};
  return [{ path, code: 'rule', message: messageText(rule.message ?? '不符合规则', scope), ...level }];
}

function ruleHolds({ assert, holds }: RuleDefinition, scope: Scope): boolean {
  if (assert !== undefined && !assertionHolds(assert, scope)) return false;
  const condition = holds === undefined ? null : parsedFormula(holds);
  return condition === null || evaluate(condition, scope) !== false;
}
