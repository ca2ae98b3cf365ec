import type { Comparison } from '#engine/schema/definition.ts';

type Conditions = Readonly<Record<string, Comparison>>;

/** The key of the tab of all records. */
export const ALL_PARTS = '*';

/** The tab that conditions on a field mean; null where they mean several of them, or none. */
export function partChosen(conditions: Conditions, name: string): string | null {
  const asked = conditions[name];
  if (asked === undefined) return ALL_PARTS;
  const values: unknown = asked.in ?? (asked.eq === undefined ? [] : [asked.eq]);
  if (!Array.isArray(values) || values.length !== 1) return null;
  const [only]: readonly unknown[] = values;
  return typeof only === 'string' ? only : null;
}

/** The conditions of a tab, the others as they are. */
export function withPart(conditions: Conditions, name: string, part: string): Conditions {
  const { [name]: _, ...others } = conditions;
  return part === ALL_PARTS ? others : { ...others, [name]: { in: [part] } };
}
