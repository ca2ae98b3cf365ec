import type { Filter } from '../schema/definition.ts';

/**
 * Whether no row can meet both filters: each asks that a field be another word. What is not said so plainly is taken for
 * possible.
 * @example neverBoth({ kind: { eq: 'a' } }, { and: [{ kind: { eq: 'b' } }] }) // true
 */
export function neverBoth(one: Filter, other: Filter): boolean {
  const asked = plainWords(other);
  return plainWords(one).some(([field, word]) =>
    asked.some(([name, value]) => name === field && value !== word),
  );
}

/** The fields that every row has a certain word in. */
function plainWords(filter: Filter): readonly (readonly [field: string, word: string])[] {
  return Object.entries(filter).flatMap(([key, value]): readonly (readonly [string, string])[] => {
    if (key === 'and' && Array.isArray(value)) return value.flatMap((part: Filter) => plainWords(part));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const word: unknown = Reflect.get(value, 'eq');
    return typeof word === 'string' ? [[key, word]] : [];
  });
}
