import type { Field, Resource } from '#engine/schema/resource.ts';

let isLoading = false;

/** Fetches the engine of patterns (46 kB) for a form that has any; until it is there the server alone judges them. */
export function loadPatternEngine({ fields }: Pick<Resource, 'fields'>): void {
  if (isLoading || !hasPattern(fields)) return;
  isLoading = true;
  import('#engine/values/linear-pattern.ts').catch(() => {
    isLoading = false;
  });
}

function hasPattern(fields: Readonly<Record<string, Field>>): boolean {
  return Object.values(fields).some(
    (field) => field.pattern !== undefined || (field.fields !== undefined && hasPattern(field.fields)),
  );
}
