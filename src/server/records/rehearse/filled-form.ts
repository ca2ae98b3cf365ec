import { canWrite } from '#engine/access/resource-access.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { withoutRehearsed } from '#server/records/call/rehearsal.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { presentRecord } from '#server/records/read/present-record.ts';

/**
 * What a document made in a rehearsal fills of its form: the fields that the caller may write and that got a value, lines
 * as lists, with `_labels`. Null for who may make no such document.
 */
export async function filledForm(tx: Tx, call: Call, stored: OpenRecord): Promise<OpenRecord | null> {
  if (!call.access.operations.has('create')) return null;
  const shown = await presentRecord(tx, call, { ...stored });
  return withLabels(filledFields(call, shown, call.resource.fields, ''), shown);
}

/** With the texts of the references and dictionaries that are filled, and of no others. */
function withLabels(filled: OpenRecord, shown: OpenRecord): OpenRecord {
  const labels = isRecord(shown['_labels']) ? shown['_labels'] : {};
  return {
    ...filled,
    _labels: Object.fromEntries(
      Object.keys(filled).flatMap((name) => (name in labels ? [[name, labels[name]]] : [])),
    ),
  };
}

function filledFields(
  call: Call,
  record: OpenRecord,
  fields: Readonly<Record<string, Field>>,
  prefix: string,
): OpenRecord {
  const filled: OpenRecord = {};
  for (const field of Object.values(fields)) {
    const value = record[field.name] ?? null;
    const path = `${prefix}${field.name}`;
    if (value === null || field.computed || !canWrite(call.access, path)) continue;
    if (field.type !== 'lines')
      filled[field.name] = typeof value === 'string' ? withoutRehearsed(value) : value;
    else if (linesOf(value).length > 0)
      filled[field.name] = linesOf(value).map((line) =>
        withLabels(filledFields(call, line, field.fields ?? {}, `${path}.`), line),
      );
  }
  return filled;
}

function isRecord(value: unknown): value is OpenRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
