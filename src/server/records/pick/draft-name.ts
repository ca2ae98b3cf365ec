import type { Resource } from '#engine/schema/resource.ts';
import type { DraftDocument } from '#server/records/follow/make-documents.ts';
import { captionInWords, captionsOf } from '#server/records/lookup/line-captions.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';

/** What tells one of several documents of a make from the others: its value of `per`, or the line that it is of. */
export function draftName(
  source: Resource,
  { record, draft }: { readonly record: OpenRecord; readonly draft: DraftDocument },
): string {
  if (draft.line !== null) return lineName(source, record, draft.line);
  const lists = Object.values(source.fields).filter(({ type }) => type === 'lines');
  for (const list of lists)
    for (const line of linesOf(record[list.name]))
      for (const column of Object.keys(list.fields ?? {}))
        if (line[column] === draft.per) return labelIn(line, column) ?? textOf(draft.per);
  return textOf(draft.per);
}

/** So many texts of a line say which it is. */
const TEXTS = 3;

function lineName(source: Resource, record: OpenRecord, id: string): string {
  for (const list of Object.values(source.fields)) {
    if (list.type !== 'lines') continue;
    const place = linesOf(record[list.name]).findIndex((line) => line['id'] === id);
    const line = linesOf(record[list.name])[place];
    if (line === undefined) continue;
    const captions = captionsOf(source, list);
    if (captions.length > 0)
      return [`第${place + 1}行`, ...captionInWords(captions, { line, head: record })].join(' · ');
    const texts = Object.values(list.fields ?? {})
      .map(({ name, type }) => labelIn(line, name) ?? (type === 'money' ? textOf(line[name]) : ''))
      .filter((text) => text !== '')
      .slice(0, TEXTS);
    return [`第${place + 1}行`, ...texts].join(' ');
  }
  return '';
}

function labelIn(line: OpenRecord, column: string): string | null {
  const labels = line['_labels'];
  const label: unknown = typeof labels === 'object' && labels !== null ? Reflect.get(labels, column) : null;
  return typeof label === 'string' ? label : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
