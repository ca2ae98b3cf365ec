import { matchesFilter } from '../filter/matches-filter.ts';
import type { Scope } from '../filter/scope.ts';
import type { UniqueDefinition } from '../schema/definition.ts';
import type { ErpRecord, Field, FieldProblem } from '../schema/resource.ts';
import { lineScope, linesOf } from './record-lines.ts';

/**
 * Lines of one record that repeat what must be unique among them. Lines with an empty part are compared only where empty
 * equals empty, those that a unique's `where` does not mean never. `scope` stands on the record.
 */
export function duplicateLines(lines: Field, scope: Scope): readonly FieldProblem[] {
  return (lines.unique ?? []).flatMap((unique) => findDuplicates(lines, scope, unique));
}

/** Whether a line takes part in a unique. */
export function isMeantBy({ where }: UniqueDefinition, lines: Field, scope: Scope, line: ErpRecord): boolean {
  return where === undefined || matchesFilter(where, lineScope(scope, lines.name, line));
}

function findDuplicates(lines: Field, scope: Scope, unique: UniqueDefinition): readonly FieldProblem[] {
  const seen = new Map<string, number>();
  const problems: FieldProblem[] = [];
  for (const [index, row] of linesOf(scope.record, lines.name).entries()) {
    const key = isMeantBy(unique, lines, scope, row) ? keyOf(row, unique) : null;
    if (key === null) continue;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      continue;
    }
    const titles = titlesOf(lines, unique);
    problems.push({
      path: `${lines.name}.${index}.${unique.fields.find((name) => !name.startsWith('parent.')) ?? ''}`,
      code: 'unique',
      message: unique.message ?? `${titles}与第${first + 1}行重复`,
    });
  }
  return problems;
}

/** What the columns of a unique are called; the head's are not named, since all lines share them. */
function titlesOf(lines: Field, unique: UniqueDefinition): string {
  const own = unique.fields.filter((name) => !name.startsWith('parent.'));
  return own.map((name) => lines.fields?.[name]?.title ?? name).join('、');
}

function keyOf(row: ErpRecord, unique: UniqueDefinition): string | null {
  // The head is the same for all lines of a record.
  const own = unique.fields.filter((name) => !name.startsWith('parent.'));
  const values = own.map((name) => row[name] ?? null);
  if (unique.nulls !== 'same' && values.includes(null)) return null;
  const text = JSON.stringify(values);
  return unique.ignoreCase === true ? text.toLowerCase() : text;
}
