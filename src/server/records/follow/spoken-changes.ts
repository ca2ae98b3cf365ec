import type { AmendmentDefinition } from '#engine/schema/effects-definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { lookupRecords } from '#server/records/lookup/lookup-records.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';

const KEY = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/**
 * The record of an amendment with what people write for a choice as its key: `宁波` for a port, `海运` for a way of
 * transport. What names nothing, or several, stays as it is written and is refused as any other wrong value.
 * @param call of the target
 */
export async function withChosenKeys(
  call: Call,
  amendment: AmendmentDefinition,
  { record, target }: { readonly record: OpenRecord; readonly target: OpenRecord },
): Promise<OpenRecord> {
  const lines = await Promise.all(
    linesOf(record[amendment.changes]).map(async (line) => {
      const path = textOf(line['field'] ?? '');
      const text = textOf(line['new_value'] ?? '').trim();
      const field = fieldAt(call, path);
      if (field === undefined || text === '' || KEY.test(text)) return line;
      if (field.type !== 'reference' && field.type !== 'dictionary') return line;
      if (isOption(field, text)) return line;
      const found = await lookupRecords(call, path, { texts: [text], record: formOf(path, target) });
      const [only, second] = found.records;
      return only === undefined || second !== undefined ? line : { ...line, new_value: only.id };
    }),
  );
  return { ...record, [amendment.changes]: lines };
}

function fieldAt({ resource }: Call, path: string): Field | undefined {
  const [head = '', column] = path.split('.');
  const field = Object.hasOwn(resource.fields, head) ? resource.fields[head] : undefined;
  return column === undefined ? field : field?.fields?.[column];
}

function isOption({ options }: Field, text: string): boolean {
  return options !== undefined && Object.hasOwn(options, text);
}

/** What conditions of the choice may read; of a line nothing, since it may be one that is added. */
function formOf(path: string, target: OpenRecord): OpenRecord {
  return path.includes('.') ? {} : target;
}
