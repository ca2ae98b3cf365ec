import type { Filter } from './definition.ts';
import type { Resource } from './resource.ts';

/**
 * The references that a role's rows tie to the person (a customer's records to the customer): they are known, so that no
 * form asks for them. By name, with the value they have.
 */
export function ownReferences(
  { fields }: Resource,
  rows: Filter | null,
): ReadonlyMap<string, { readonly $: string }> {
  const own = new Map<string, { readonly $: string }>();
  const read = (filter: Filter): void => {
    for (const [name, part] of Object.entries(filter)) {
      if (name === 'or' || part === undefined) continue;
      if (Array.isArray(part)) {
        for (const inner of part) read(inner);
        continue;
      }
      const value: unknown = Reflect.get(part, 'eq');
      const source: unknown =
        typeof value === 'object' && value !== null ? Reflect.get(value, '$') : undefined;
      const isOwn = typeof source === 'string' && source.startsWith('user.');
      if (isOwn && fields[name]?.type === 'reference') own.set(name, { $: source });
    }
  };
  if (rows !== null) read(rows);
  return own;
}

/** The fields with such references as known: they begin with their value, and nobody has to give it. */
export function withDefaults(
  fields: Resource['fields'],
  own: ReadonlyMap<string, { readonly $: string }>,
): Resource['fields'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const known = own.get(name);
      return [name, known === undefined ? field : { ...field, required: false, default: known }];
    }),
  );
}
