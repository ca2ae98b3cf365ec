import type { Expression } from '#engine/expression/expression.ts';
import { callsIn, expressionReads } from '#engine/expression/parse-expression.ts';
import { computeField, computeLines } from '#engine/record/compute-record.ts';
import { linesOf, lineScope, withRecord } from '#engine/record/record-lines.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { formulaSteps, headPath } from '#engine/schema/formula-order.ts';
import { looksAround, parsedFormula } from '#engine/schema/formula-reads.ts';
import type { ErpRecord, EvaluationContext, Field, Resource } from '#engine/schema/resource.ts';

/** One formula of a resource, ready to be asked whether a change concerns it. */
export interface FormulaNode {
  /** `total_amount`, or `items.amount`. */
  readonly path: string;
  readonly lines: string | null;
  readonly field: Field;
  /** What it reads, as seen from the head. */
  readonly reads: readonly string[];
  /** A line's formula that looks at other lines too (shares, sums, the line above): one change concerns all lines. */
  readonly isWide: boolean;
  /** The columns that are computed with it line by line: itself, and those that read one another of the line above. */
  readonly run: readonly Field[];
}

/**
 * The formulas in the order in which they must run. Those that need what only the server has (rates, parameters and
 * tables that were not sent, the record before) are left out: the preview brings their results.
 */
export function formulaPlan(resource: Resource, context: EvaluationContext): readonly FormulaNode[] {
  return formulaSteps(resource).flatMap(({ name, columns }) => {
    const head = resource.fields[name];
    if (head === undefined) return [];
    if (columns === null) return nodesOf({ fields: [head], lines: null }, context);
    return nodesOf(
      { fields: columns.flatMap((column) => head.fields?.[column] ?? []), lines: name },
      context,
    );
  });
}

function nodesOf(
  { fields, lines }: { readonly fields: readonly Field[]; readonly lines: string | null },
  context: EvaluationContext,
): readonly FormulaNode[] {
  const parsed = fields.flatMap((field) => {
    const formula = field.formula === undefined ? null : parsedFormula(field.formula);
    return formula === null ? [] : [{ field, formula, paths: expressionReads(formula) }];
  });
  if (parsed.some(({ formula, paths }) => needsServer(formula, paths, context))) return [];
  return parsed.map(({ field, formula, paths }) => ({
    path: lines === null ? field.name : `${lines}.${field.name}`,
    lines,
    field,
    reads: paths.map((read) => headPath(read, lines ?? undefined)),
    isWide: lines !== null && (fields.length > 1 || looksAround(formula, lines)),
    run: fields,
  }));
}

/** True when one of the paths lies on or below a changed one: `buyer_id.country_id` is concerned by `buyer_id`. */
export function isConcerned(reads: readonly string[], changed: ReadonlySet<string>): boolean {
  return reads.some((read) => {
    const parts = read.split('.');
    return parts.some((_, index) => changed.has(parts.slice(0, index + 1).join('.')));
  });
}

/** The formula cells of one line that follow from changed columns, without those that look at other lines. */
export function deriveLine(
  plan: readonly FormulaNode[],
  scope: Scope,
  at: { readonly lines: string; readonly line: ErpRecord; readonly changed: readonly string[] },
): ErpRecord {
  const dirty = new Set(at.changed.map((column) => `${at.lines}.${column}`));
  let line = at.line;
  const computed: Record<string, unknown> = {};
  for (const node of plan) {
    if (node.lines !== at.lines || node.isWide || !isConcerned(node.reads, dirty)) continue;
    const value = computeField(node.field, lineScope(scope, at.lines, line));
    computed[node.field.name] = value;
    line = { ...line, [node.field.name]: value };
    dirty.add(node.path);
  }
  return computed;
}

/** What a round of formulas changed, beside the record with it. */
export interface Recomputed {
  readonly record: ErpRecord;
  /** Changed paths, those of formulas included. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Runs the formulas that a set of changed paths concerns. Lines whose own cells changed have been derived already
 * (`deriveLine`); they run again only when the head, other lines or what these changed on their own line concern them.
 */
export function recompute(
  plan: readonly FormulaNode[],
  scope: Scope,
  changed: ReadonlySet<string>,
): Recomputed {
  const dirty = new Set(changed);
  /** Columns that changed in this round: what reads them on its own line has not seen them yet. */
  const recomputed = new Set<string>();
  let record = scope.record;
  for (const node of plan) {
    if (!isConcerned(node.reads, dirty)) continue;
    const { name } = node.field;
    if (node.lines === null) {
      const value = computeField(node.field, withRecord(scope, record));
      if (value === (record[name] ?? null)) continue;
      record = { ...record, [name]: value };
      dirty.add(node.path);
      continue;
    }
    const { lines } = node;
    const isDerived =
      !node.isWide && !isConcerned(headReads(node, lines), dirty) && !isConcerned(node.reads, recomputed);
    dirty.add(node.path);
    if (isDerived) continue;
    recomputed.add(node.path);
    const field = scope.resource.fields[lines];
    if (field === undefined) continue;
    const computed = computeLines(field, node.run, withRecord(scope, record));
    const before = linesOf(record, lines);
    const isSame = (line: ErpRecord, place: number): boolean =>
      node.run.every((cell) => (before[place]?.[cell.name] ?? null) === (line[cell.name] ?? null));
    record = {
      ...record,
      [lines]: computed.map((line, place) => (isSame(line, place) ? (before[place] ?? line) : line)),
    };
  }
  return { record, changed: dirty };
}

function headReads(node: FormulaNode, lines: string): readonly string[] {
  return node.reads.filter((read) => !read.startsWith(`${lines}.`));
}

/** Whether a formula needs what this browser was not sent. */
function needsServer(formula: Expression, paths: readonly string[], context: EvaluationContext): boolean {
  const isLeftOut = paths.some((path) => /^(before|input|source)\./.test(path) || (path.startsWith('company.') && context.company === undefined)); // prettier-ignore
  return isLeftOut || asksServer(formula, context);
}

/** Whether a formula calls for rates, parameters or tables that this browser was not sent. */
export function asksServer(formula: Expression, context: EvaluationContext): boolean {
  return callsIn(formula).some((call) => isCallOfServer(call, context));
}

function isCallOfServer(
  { name, args }: ReturnType<typeof callsIn>[number],
  context: EvaluationContext,
): boolean {
  switch (name) {
    case 'rate':
      return context.rate === undefined;
    case 'addWorkdays':
      return context.workdays === undefined;
    case 'lookup':
      return true;
    case 'param': {
      const [first] = args;
      const param = first?.kind === 'literal' && typeof first.value === 'string' ? first.value : '';
      return context.params[param] === undefined || (args.length > 1 && context.paramOn === undefined);
    }
    default:
      return false;
  }
}
