import type { Field } from '../schema/resource.ts';

/**
 * The column that numbers the lines of a table: an integer whose default is one more than in the line above
 * (`coalesce(above.line_no, 0) + 1`). Null where lines are not numbered.
 */
export function runningNumber(lines: Field): string | null {
  const found = Object.values(lines.fields ?? {}).find(
    ({ name, type, default: start }) =>
      type === 'integer' && formulaOf(start) === `coalesce(above.${name},0)+1`,
  );
  return found?.name ?? null;
}

function formulaOf(start: Field['default']): string | null {
  if (typeof start !== 'object' || start === null || !('=' in start)) return null;
  const formula: unknown = start['='];
  return typeof formula === 'string' ? formula.replaceAll(' ', '') : null;
}
