import type { UniqueDefinition } from '../schema/definition.ts';
import type { ErpRecord, Field, FieldProblem } from '../schema/resource.ts';

/** Lines of one record that repeat what must be unique among them. Lines with an empty part are not compared. */
export function duplicateLines(lines: Field, rows: readonly ErpRecord[]): readonly FieldProblem[] {
  return (lines.unique ?? []).flatMap((unique) => findDuplicates(lines, rows, unique));
}

function findDuplicates(
  lines: Field,
  rows: readonly ErpRecord[],
  unique: UniqueDefinition,
): readonly FieldProblem[] {
  const seen = new Map<string, number>();
  const problems: FieldProblem[] = [];
  for (const [index, row] of rows.entries()) {
    const key = keyOf(row, unique);
    if (key === null) continue;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      continue;
    }
    const titles = unique.fields.map((name) => lines.fields?.[name]?.title ?? name).join('、');
    problems.push({
      path: `${lines.name}.${index}.${unique.fields[0] ?? ''}`,
      code: 'unique',
      message: unique.message ?? `${titles}与第${first + 1}行重复`,
    });
  }
  return problems;
}

function keyOf(row: ErpRecord, unique: UniqueDefinition): string | null {
  const values = unique.fields.map((name) => row[name] ?? null);
  if (values.includes(null)) return null;
  const text = JSON.stringify(values);
  return unique.ignoreCase === true ? text.toLowerCase() : text;
}
