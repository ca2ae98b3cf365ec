import type { Field, Resource } from '#engine/schema/resource.ts';

/** Fields that a recomputation may change: formulas and finds that are stored, columns of lines too. */
export function computedNames(
  resource: Resource,
): readonly { readonly name: string; readonly title: string }[] {
  return Object.values(resource.fields).flatMap((field) =>
    field.type === 'lines'
      ? Object.values(field.fields ?? {})
          .filter(isComputed)
          .map(({ name, title }) => ({ name: `${field.name}.${name}`, title: `${field.title}：${title}` }))
      : isComputed(field)
        ? [{ name: field.name, title: field.title }]
        : [],
  );
}

function isComputed({ formula, find, stored }: Field): boolean {
  return (formula !== undefined || find !== undefined) && stored !== false;
}
