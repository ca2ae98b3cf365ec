import type { Resource } from '#engine/schema/resource.ts';

/** The head's references to one fixed resource, stamps left out. */
export function referenceColumns(
  resource: Resource,
): readonly { readonly field: string; readonly target: string }[] {
  return Object.values(resource.fields).flatMap((field) =>
    field.type === 'reference' &&
    typeof field.to === 'string' &&
    !field.to.includes('.') &&
    field.multiple !== true &&
    !field.standard
      ? [{ field: field.name, target: field.to }]
      : [],
  );
}
