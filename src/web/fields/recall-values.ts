import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import type { Recalled } from './field-services.ts';
import type { FieldPlace } from './field-view.ts';
import { scalarText } from './field-text.ts';
import { objectOf } from '#engine/values/object-of.ts';

const DOCUMENTS = 6;

interface Reads {
  readonly definition: (resource: string) => Promise<Resource | null>;
  readonly record: (resource: string, id: string) => Promise<ErpRecord>;
}

/**
 * The values that a column had in the last documents, newest first: in lines that are alike in what it recalls (`goods_id`)
 * of documents that are (`parent.buyer_id`). Nothing while one of these is not chosen yet. The document at hand is left out.
 */
export async function recallValues(
  place: FieldPlace,
  column: Field,
  reads: Reads,
): Promise<readonly Recalled[]> {
  const line = place.readRecord();
  const head = objectOf(line['parent']);
  const [lines = ''] = place.path.split('.');
  const wanted = (column.recalls ?? []).map((path) =>
    path.startsWith('parent.')
      ? { own: path.slice('parent.'.length), isHead: true, value: head[path.slice('parent.'.length)] }
      : { own: path, isHead: false, value: line[path] },
  );
  if (wanted.some(({ value }) => isEmptyValue(value))) return [];
  const definition = await reads.definition(place.resource);
  if (definition === null) return [];
  const found = await callApi('POST /data/:resource/query', {
    params: { resource: place.resource },
    body: {
      pageSize: DOCUMENTS,
      sorters: [...definition.list.sort],
      columns: [definition.label],
      filters: Object.fromEntries(
        wanted.map(({ own, isHead, value }) => [isHead ? own : `${lines}.${own}`, { eq: scalarText(value) }]),
      ),
    },
  });
  const ids = found.records.map(({ id }) => String(id)).filter((id) => id !== head['id']);
  const records = await Promise.all(ids.map((id) => reads.record(place.resource, id)));
  return records.flatMap((record) =>
    linesOf(record, lines)
      .filter((one) => wanted.every(({ own, isHead, value }) => isHead || one[own] === value))
      .slice(0, 1)
      .map((one) => ({
        id: String(record['id']),
        resource: place.resource,
        document: scalarText(record[definition.label]),
        line: one,
        value: one[column.name],
        on: dateOf(definition, record),
        currency: scalarText(record['currency']),
      })),
  );
}

/** The day that a document's list is sorted by. */
function dateOf(definition: Resource, record: ErpRecord): string {
  const sorted = definition.list.sort.map((sorter) => sorter.replace(/^-/, ''));
  return scalarText(record[sorted.find((name) => definition.fields[name]?.type === 'date') ?? '']);
}
