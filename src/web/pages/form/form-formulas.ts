import { computeField } from '#engine/record/compute-record.ts';
import { linesOf, lineScope, withRecord } from '#engine/record/record-lines.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { headPath } from '#engine/schema/formula-order.ts';
import { formulaReads } from '#engine/schema/formula-reads.ts';
import type { ErpRecord, EvaluationContext, Field, Resource } from '#engine/schema/resource.ts';

/** One formula of a resource, ready to be asked whether a change concerns it. */
export interface FormulaNode {
  /** `total_amount`, or `items.amount`. */
  readonly path: string;
  readonly lines: string | null;
  readonly field: Field;
  /** What it reads, as seen from the head. */
  readonly reads: readonly string[];
  /** A line's formula that looks at the other lines too (`spread`, `sum`): one change concerns all lines. */
  readonly isWide: boolean;
}

/**
 * The formulas in the order in which they must run. Those that need what only the server has (rates, parameters
 * that were not sent) are left out: the preview brings their results.
 */
export function formulaPlan(resource: Resource, context: EvaluationContext): readonly FormulaNode[] {
  return resource.formulaOrder.flatMap((path) => {
    const [name = '', column] = path.split('.');
    const head = resource.fields[name];
    const field = column === undefined ? head : head?.fields?.[column];
    if (field?.formula === undefined || needsServer(field.formula, context)) return [];
    const lines = column === undefined ? null : name;
    const reads = formulaReads(field.formula).map((read) => headPath(read, lines ?? undefined));
    const isWide = lines !== null && /\b(spread|sum|count)\s*\(/.test(field.formula);
    return [{ path, lines, field, reads, isWide }];
  });
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
 * (`deriveLine`); they run again only when the head or other lines concern them.
 */
export function recompute(
  plan: readonly FormulaNode[],
  scope: Scope,
  changed: ReadonlySet<string>,
): Recomputed {
  const dirty = new Set(changed);
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
    const isOwn = !node.isWide && !isConcerned(headReads(node, lines), dirty);
    dirty.add(node.path);
    if (isOwn) continue;
    const head = withRecord(scope, record);
    const computed = linesOf(record, lines).map((line) => {
      const value = computeField(node.field, lineScope(head, lines, line));
      return value === (line[name] ?? null) ? line : { ...line, [name]: value };
    });
    record = { ...record, [lines]: computed };
  }
  return { record, changed: dirty };
}

function headReads(node: FormulaNode, lines: string): readonly string[] {
  return node.reads.filter((read) => !read.startsWith(`${lines}.`));
}

function needsServer(formula: string, context: EvaluationContext): boolean {
  if (/\brate\s*\(/.test(formula) && context.rate === undefined) return true;
  const names = [...formula.matchAll(/\bparam\s*\(\s*['"]([^'"]+)/g)].map((match) => match[1] ?? '');
  return names.some((name) => context.params[name] === undefined);
}
