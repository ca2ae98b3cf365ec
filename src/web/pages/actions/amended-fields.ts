import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';

/** What an amendment opens: the fields themselves, and every column of tables among them. */
export function amendedPaths(resource: Resource, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [
    name,
    ...Object.keys(resource.fields[name]?.fields ?? {}).map((column) => `${name}.${column}`),
  ]);
}

/** A version of the record with the rights of an amendment: its own say what the form could edit. */
export function openForAmendment(
  resource: Resource,
  record: ErpRecord,
  names: readonly string[] = [],
): ErpRecord {
  return { ...record, _editable: amendedPaths(resource, names) };
}

/** The sections of the form in which something may be amended. */
export function amendedSections(resource: Resource, names: readonly string[]): readonly SectionDefinition[] {
  return resource.edit.filter((section) =>
    'lines' in section ? names.includes(section.lines) : section.fields.some((name) => names.includes(name)),
  );
}

/**
 * The record with what an amendment proposes for its empty fields and cells; null when there is nothing to propose.
 * @param proposes target -> the field beside it, as `items.approved_amount` -> `refund_amount`
 */
export function proposedRecord(
  record: ErpRecord,
  proposes: Readonly<Record<string, string>>,
): ErpRecord | null {
  let proposed: ErpRecord | null = null;
  for (const [target, source] of Object.entries(proposes)) {
    const [head = '', column] = target.split('.');
    const now: ErpRecord = proposed ?? record;
    const filled: ErpRecord =
      column === undefined
        ? filledFrom(now, head, source)
        : withLines(now, head, (line) => filledFrom(line, column, source));
    if (filled !== now) proposed = filled;
  }
  return proposed;
}

function withLines(record: ErpRecord, name: string, fill: (line: ErpRecord) => ErpRecord): ErpRecord {
  const lines = linesOf(record, name);
  const filled = lines.map(fill);
  return filled.every((line, index) => line === lines[index]) ? record : { ...record, [name]: filled };
}

function filledFrom(holder: ErpRecord, name: string, source: string): ErpRecord {
  const value = holder[source];
  return isEmptyValue(holder[name]) && !isEmptyValue(value) ? { ...holder, [name]: value } : holder;
}

/** Problems of the record itself; those of the action's inputs lose their prefix. */
export function inputsProblems(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.map((problem) => ({ ...problem, path: problem.path.replace(/^inputs\.(changes\.)?/, '') }));
}
