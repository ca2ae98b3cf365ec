import type { ImportCounts, ImportProblem } from '#contract/transfer.ts';
import type { Queryable } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { FurtherRow } from './group-documents.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';

/** A judged row as it is kept between check and commit. */
export interface KeptRow {
  readonly row: number;
  readonly kind: 'create' | 'update' | 'error';
  readonly label: string;
  readonly id: string | null;
  readonly version: number | null;
  /** What is written; empty for a bad row. */
  readonly body: OpenRecord;
  /** The row as it stands in the file; kept for bad rows only. */
  readonly texts: readonly string[];
  readonly errors: readonly ImportProblem[];
  /** Its further rows as they stand in the file, where it has several. */
  readonly more?: readonly FurtherRow[];
}

/** A checked file. */
export interface KeptImport {
  readonly titles: readonly string[];
  /** Of the second sheet; absent without one. */
  readonly lineTitles?: readonly string[] | null;
  readonly rows: readonly KeptRow[];
}

/** How many rows of each kind. */
export function countKinds(rows: readonly KeptRow[]): ImportCounts {
  const of = (kind: KeptRow['kind']): number => rows.filter((row) => row.kind === kind).length;
  return { create: of('create'), update: of('update'), error: of('error') };
}

/** Keeps a checked file; gives its id. */
export async function keepImport(
  on: Queryable,
  call: Call,
  kept: { readonly fileName: string; readonly content: KeptImport },
): Promise<string> {
  const { subject } = call.caller;
  const id = uuidv7(call.services.clock());
  await on.execute(
    `insert into sys_import (id, co_code, person_id, resource, file_name, counts, rows) values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)`,
    [
      id,
      subject.co_code,
      subject.id,
      call.resource.resource,
      kept.fileName.replace(/\p{Cc}|\p{Cs}/gu, '').slice(-200),
      JSON.stringify(countKinds(kept.content.rows)),
      await contentText(kept.content),
    ],
  );
  return id;
}

/** The person's own import of this resource and company. @throws NOT_FOUND */
export async function readImport(on: Queryable, call: Call, id: string): Promise<KeptImport> {
  const { subject } = call.caller;
  const [kept] = isRecordId(id)
    ? await on.query<{ titles: readonly string[]; line_titles: readonly string[] | null }>(
        `select rows -> 'titles' as titles, rows -> 'lineTitles' as line_titles from sys_import
         where id = $1 and person_id = $2 and resource = $3 and co_code = $4 and rows is not null`,
        [id, subject.id, call.resource.resource, subject.co_code],
      )
    : [];
  if (kept === undefined) throw new AppError('NOT_FOUND', { message: '导入不存在或已过期' });
  const texts = await on.query<{ row: string }>(
    `select r.e::text as row from sys_import i, jsonb_array_elements(i.rows -> 'rows') with ordinality r(e, n)
     where i.id = $1 order by r.n`,
    [id],
  );
  // Written by `keepImport`: its shape is known.
  const rows = await mapInTurns(texts, ({ row }) => JSON.parse(row) as KeptRow);
  return { titles: kept.titles, lineTitles: kept.line_titles, rows };
}

/** The content as JSON, made a piece at a time: ten thousands of rows at once would hold everybody up. */
export async function contentText({ titles, lineTitles = null, rows }: KeptImport): Promise<string> {
  const texts = await mapInTurns(rows, (row) => JSON.stringify(row));
  return `{"titles":${JSON.stringify(titles)},"lineTitles":${JSON.stringify(lineTitles)},"rows":[${texts.join(',')}]}`;
}
