import { targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog } from '#engine/schema/resource.ts';

/**
 * Whether an index leads to the records of `of` (`receipt_split.lines`) by one of their fields: the identifier, the head
 * of lines, what a declared index begins with, and what a rollup looks its rows up by.
 */
export function isFoundByIndex(catalog: Catalog, of: string, field: string): boolean {
  const place = targetPlace(of, catalog);
  if (place === null) return false;
  const { resource, lines } = place;
  if (field === 'id' || (lines !== undefined && field === 'parent.id')) return true;
  const declared = resource.indexes.map(([first = '']) => first.replace(/^-/, ''));
  return (
    declared.includes(lines === undefined ? field : `${lines}.${field}`) || isRolledUp(catalog, of, field)
  );
}

function isRolledUp({ resources }: Catalog, of: string, field: string): boolean {
  return Object.values(resources).some(({ fields }) =>
    Object.values(fields)
      .flatMap((own) => [own, ...Object.values(own.fields ?? {})])
      .some(({ rollup }) => {
        if (rollup?.of !== of) return false;
        const [first] = typeof rollup.by === 'string' ? [rollup.by] : Object.keys(rollup.by);
        return first === field;
      }),
  );
}
