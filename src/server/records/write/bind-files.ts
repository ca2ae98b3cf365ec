import type { FieldProblem } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { uuidOrNull } from './write-audit.ts';

interface NewFile {
  readonly id: string;
  readonly path: string;
  readonly field: string;
  /** Named in a rich text: content copied from another record may show that record's pictures, so it is not refused. */
  readonly isMentioned?: boolean;
}

/**
 * Takes newly attached files into the record; files of other records, and files somebody else uploaded, are refused.
 */
export async function bindFiles(
  tx: Tx,
  call: Call,
  written: { readonly record: OpenRecord; readonly previous: OpenRecord | null },
): Promise<void> {
  const added = newFiles(call, written.record, written.previous);
  if (added.length === 0) return;
  const { subject } = call.caller;
  const id = String(written.record['id']);
  const bound = await tx.query(
    `update sys_file f set resource = $1, record_id = $2::uuid, field = x.field, dead_since = null
     from unnest($3::uuid[], $4::text[]) as x(id, field)
     where f.id = x.id and f.co_code is not distinct from $5
       and ((f.record_id = $2::uuid and f.resource = $1) or (f.record_id is null and f.created_by is not distinct from $6::uuid))
     returning f.id`,
    [
      call.resource.resource,
      id,
      added.map((file) => file.id),
      added.map((file) => file.field),
      subject.co_code,
      uuidOrNull(subject.id),
    ],
  );
  const known = new Set(bound.map((row) => row['id']));
  const refused = new Set(
    added.filter((file) => file.isMentioned !== true && !known.has(file.id)).map((file) => file.id),
  );
  if (refused.size === 0) return;
  const message = '附件不存在，或属于其他记录';
  const problems: FieldProblem[] = added
    .filter((file) => refused.has(file.id))
    .map((file) => ({ path: file.path, code: 'file', message }));
  throw new AppError('VALIDATION', { message, problems });
}

function newFiles(call: Call, record: OpenRecord, previous: OpenRecord | null): readonly NewFile[] {
  const files: NewFile[] = [];
  const known = new Set<unknown>();
  for (const field of Object.values(call.resource.fields)) {
    if (field.type === 'attachment') {
      for (const id of idsOf(previous?.[field.name])) known.add(id);
      for (const id of idsOf(record[field.name])) files.push({ id, path: field.name, field: field.name });
    }
    if (field.type === 'richtext')
      for (const id of mentionedIn(record[field.name]))
        files.push({ id, path: field.name, field: field.name, isMentioned: true });
    for (const cell of Object.values(field.fields ?? {})) {
      if (cell.type !== 'attachment') continue;
      const name = `${field.name}.${cell.name}`;
      for (const line of linesOf(previous?.[field.name]))
        for (const id of idsOf(line[cell.name])) known.add(id);
      for (const [index, line] of linesOf(record[field.name]).entries())
        for (const id of idsOf(line[cell.name]))
          files.push({ id, path: `${field.name}.${index}.${cell.name}`, field: name });
    }
  }
  return files.filter((file) => !known.has(file.id));
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}

/** Ids of the files that a rich text shows or links. */
function mentionedIn(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [];
  return [...value.matchAll(/\/erp\/api\/files\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/g)].map(
    ([, id = '']) => id,
  );
}
