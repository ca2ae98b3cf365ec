import { expect, it } from 'vitest';
import type { Resource } from '#engine/schema/resource.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

it('what only rules and formulas read stands in no section, column or filter of a page', () => {
  const resources = Object.values(shippedDefinitions().catalog?.resources ?? {});
  expect(resources.flatMap(internalShown)).toEqual([]);
  const marked = resources.flatMap(({ fields }) => Object.values(fields)).filter(({ internal }) => internal);
  expect(marked.length).toBeGreaterThan(0);
});

function internalShown({ resource, fields, details, edit, list, pages }: Resource): readonly string[] {
  const sections = [...details.sections, ...edit].flatMap((section) =>
    'lines' in section ? [section.lines] : section.fields,
  );
  const columns = [list, ...pages].flatMap((page) => page.columns ?? []);
  const filters = [list, ...pages].flatMap((page) => page.filters ?? []);
  const shown = [...sections, ...columns.map(nameOf), ...filters, ...details.figures];
  return [...new Set(shown)]
    .filter((name) => fields[name]?.internal === true)
    .map((name) => `${resource}.${name}`);
}

function nameOf(column: string | { readonly field: string }): string {
  return typeof column === 'string' ? column : column.field;
}
