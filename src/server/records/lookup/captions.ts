import type { PathPlace } from '#engine/schema/field-path.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { eyesOn } from '#server/records/read/reader-eyes.ts';

/** The captions that the asker may read. */
export function shownCaptions(call: Call, target: string, { resource, lines }: PathPlace): readonly string[] {
  if (lines !== undefined) return [];
  const eyes = eyesOn(call, target);
  return resource.caption.filter((name) => eyes.mayRead && eyes.sees(name) && isShownCaption(resource, name));
}

/** Of them what speaks for itself: an amount or a date says little without its title. */
export function speakingCaptions(call: Call): readonly string[] {
  const { resource, catalog } = call;
  return shownCaptions(call, resource.resource, { resource, catalog }).filter((name) =>
    ['text', 'reference', 'dictionary'].includes(resource.fields[name]?.type ?? ''),
  );
}

/** The captions of picked rows as texts. */
export async function captionTexts(
  call: Call,
  resource: Resource,
  { rows, columns }: { readonly rows: readonly OpenRecord[]; readonly columns: readonly string[] },
): Promise<readonly (readonly string[])[]> {
  if (columns.length === 0) return rows.map(() => []);
  const records: OpenRecord[] = rows.map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[`c_${name}`] ?? null])),
  );
  await attachReferences(call.services.db, {
    catalog: call.catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: openAnyCall(call.services, call.caller, resource.resource),
  });
  return records.map((record) =>
    columns.map((name) => captionText(record, name)).filter((text) => text !== ''),
  );
}

/** A value by its label, or as it is. */
export function captionText(record: OpenRecord, name: string): string {
  const labels = record['_labels'];
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : undefined;
  const value = label ?? record[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isShownCaption(resource: Resource, name: string): boolean {
  const field = resource.fields[name];
  return field !== undefined && field.type !== 'lines' && field.type !== 'secret' && field.mask === undefined;
}
