import type { FormSource } from '#contract/records.ts';
import { recordTitle } from '#engine/schema/record-title.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import type { DocumentForm } from './document-form.ts';

/** What a filled form says of where it comes from. */
export function tellForm({ source, offered, records, choices, existing }: DocumentForm): FormSource {
  const { resource, access } = source;
  return {
    resource: resource.resource,
    title: recordTitle(resource, records[0] ?? {}),
    make: offered.key,
    records: records.map((record) => ({
      id: String(record['id']),
      label: canSee(access, resource.label) ? recordLabel(resource, record) : '',
    })),
    choices: choices.length > 1 ? choices : [],
    existing,
  };
}
