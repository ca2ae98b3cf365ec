import { parseField } from '#engine/fields/field-types.ts';
import { titledMessage } from '#engine/fields/titled-message.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord } from '#web/fields/field-view.ts';
import { changesOf } from './record-changes.ts';

/** The tables of a resource. */
export function lineFieldsOf(resource: Resource): readonly Field[] {
  return Object.values(resource.fields).filter((field) => field.type === 'lines');
}

/** The record without its lines, which have stores of their own. */
export function headOf(resource: Resource, record: ErpRecord): ErpRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => resource.fields[name]?.type !== 'lines'),
  );
}

/** Values that their own field refuses: what was typed and is no number, too long, no date. */
export function valueProblems(resource: Resource, record: ErpRecord): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const check = (field: Field, value: unknown, path: string): void => {
    if (field.computed) return;
    const parsed = parseField(value, field);
    if ('problem' in parsed)
      problems.push({
        path,
        code: parsed.problem.code,
        message: titledMessage(field.title, parsed.problem.message),
      });
  };
  for (const field of Object.values(resource.fields)) {
    if (field.type !== 'lines') {
      check(field, record[field.name], field.name);
      continue;
    }
    for (const [index, line] of linesOf(record, field.name).entries())
      for (const column of Object.values(field.fields ?? {}))
        check(column, line[column.name], `${field.name}.${index}.${column.name}`);
  }
  return problems;
}

/** Equal in everything that people write; lines without an id are compared in their order. */
export function isSameRecord(resource: Resource, before: ErpRecord, after: ErpRecord): boolean {
  return changesOf(resource, {
    base: numbered(resource, before),
    record: numbered(resource, after),
    keys: () => [],
    isSent: () => true,
  }).isEmpty;
}

/** With their place as the id of lines that have none. */
function numbered(resource: Resource, record: ErpRecord): ErpRecord {
  const lines = lineFieldsOf(resource).map(({ name }) => [
    name,
    linesOf(record, name).map((line, place) => (line['id'] === undefined ? { ...line, id: place } : line)),
  ]);
  return { ...record, ...Object.fromEntries(lines) };
}

/** Without the defaults that only the server can tell: sent as null they would stay empty. */
export function knownValues(record: ErpRecord): ErpRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** The values of referenced records without those that came by one field. */
export function withoutBelow(paths: unknown, name: string): Record<string, unknown> | undefined {
  if (typeof paths !== 'object' || paths === null) return undefined;
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !path.startsWith(`${name}.`)));
}

/** One picked record, not several and not none. */
export function isOne(
  picked: PickedRecord | readonly PickedRecord[] | null | undefined,
): picked is PickedRecord {
  return picked !== null && picked !== undefined && !Array.isArray(picked);
}
