import { computeUnstored } from '#engine/record/compute-record.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { linesOf, type OpenRecord } from './attach-references.ts';
import { isSelected } from './stored-value.ts';

/**
 * Puts the values of formulas that are not stored and that no select could give into records as they were read. The values
 * behind their references must be attached.
 */
export function fillUnstored(call: Call, records: readonly OpenRecord[]): void {
  const { resource } = call;
  const missing = missingFields(call);
  if (missing.length === 0) return;
  for (const record of records) {
    const computed = computeUnstored(resource, record, recordScope(call, record));
    for (const { field, lines } of missing)
      if (lines === null) record[field.name] = computed[field.name];
      else {
        const rows = linesOf(computed[lines]);
        for (const [place, line] of linesOf(record[lines]).entries())
          line[field.name] = rows[place]?.[field.name] ?? null;
      }
  }
}

interface MissingField {
  readonly field: Field;
  readonly lines: string | null;
}

const known = new WeakMap<Resource, readonly MissingField[]>();

function missingFields({ resource, catalog }: Call): readonly MissingField[] {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const missing = Object.values(resource.fields).flatMap((field): readonly MissingField[] => [
    ...(isSelected(field, { resource, catalog }) ? [] : [{ field, lines: null }]),
    ...Object.values(field.fields ?? {})
      .filter((cell) => !isSelected(cell, { resource, catalog, lines: field.name }))
      .map((cell) => ({ field: cell, lines: field.name })),
  ]);
  known.set(resource, missing);
  return missing;
}
