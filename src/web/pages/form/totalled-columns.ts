import { headPath } from '#engine/schema/formula-order.ts';
import { formulaReads } from '#engine/schema/formula-reads.ts';
import type { Resource } from '#engine/schema/resource.ts';

/** The columns of a table whose total means something: amounts, and whatever the head sums up itself. */
export function totalledColumns(resource: Resource, lines: string): ReadonlySet<string> {
  const summed = Object.values(resource.fields)
    .filter((field) => field.formula !== undefined && /\bsum\s*\(/.test(field.formula))
    .flatMap((field) => formulaReads(field.formula ?? '').map((path) => headPath(path, undefined)))
    .filter((path) => path.startsWith(`${lines}.`))
    .map((path) => path.slice(lines.length + 1));
  const columns = Object.values(resource.fields[lines]?.fields ?? {});
  const numbers = new Set(['decimal', 'money', 'integer']);
  return new Set(
    columns
      .filter(({ total }) => total !== false)
      .filter(
        (column) => column.type === 'money' || (summed.includes(column.name) && numbers.has(column.type)),
      )
      .map((column) => column.name),
  );
}
