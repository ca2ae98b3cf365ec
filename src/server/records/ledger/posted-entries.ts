import { among } from '#server/kernel/db/among.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { bind, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** `source_line` of what the head posted. */
export const HEAD_LINE = '-';

/** An entry that a document posted, as far as posting again and reversing need it. */
export interface DocumentEntry {
  readonly ledger: Resource;
  readonly id: string;
  readonly type: string;
  /** Null for the head. */
  readonly line: string | null;
  /** `id:line:name:n`, the part before `n` naming the posting. */
  readonly key: string;
  readonly isLive: boolean;
  /** Its line alone was reversed, not the document. */
  readonly isTakenBack: boolean;
}

/** How the mirrors of a reversed document end their keys, and those of single lines. */
export const MIRROR_OF_DOCUMENT = 'R';
export const MIRROR_OF_LINE = 'L';

/** The ledgers of a catalog. */
export function ledgersOf(catalog: Pick<Catalog, 'resources'>): readonly Resource[] {
  return Object.values(catalog.resources).filter(({ ledger }) => ledger !== undefined);
}

/** All entries of a document in all ledgers, mirrors excepted, in the order in which they were posted. */
export async function entriesOf(
  db: Reader,
  call: Call,
  ids: readonly string[],
): Promise<readonly (DocumentEntry & { readonly document: string })[]> {
  const found: (DocumentEntry & { readonly document: string })[] = [];
  for (const resource of ledgersOf(call.catalog)) {
    const { ledger } = resource;
    if (ledger === undefined) continue;
    const [sourceResource, sourceId, sourceLine] = ledger.source;
    const values: unknown[] = [];
    const reverses = quoteName(ledger.reverses);
    const text = `select t.id, t.${quoteName(ledger.type)} as type, t.${quoteName(sourceLine)} as line, t.posted_as as key,
         t.${quoteName(sourceId)}::text as document,
         not exists (select 1 from ${tableOf(resource)} m where m.${reverses} = t.id) as live,
         exists (select 1 from ${tableOf(resource)} m where m.${reverses} = t.id and m.posted_as like '%:${MIRROR_OF_LINE}') as taken_back
       from ${tableOf(resource)} t
       where t.${quoteName(sourceId)} = ${among(bind(values, ids), 'text')}
         and t.${quoteName(sourceResource)} = any(erp_resource_names(${bind(values, call.resource.resource)}))
         and t.${reverses} is null and not t.is_deleted
       order by t.id`;
    const rows = await db.query(text, values, statementName(text));
    for (const row of rows)
      found.push({
        ledger: resource,
        id: String(row['id']),
        type: textOf(row['type']),
        line: row['line'] === HEAD_LINE || row['line'] === null ? null : textOf(row['line']),
        key: textOf(row['key']),
        isLive: row['live'] === true,
        isTakenBack: row['taken_back'] === true,
        document: textOf(row['document']),
      });
  }
  return found;
}

/** Lines of documents whose entries were reversed alone, and that were not posted again: they are done. */
export async function takenBackLines(
  db: Reader,
  call: Call,
  ids: readonly string[],
): Promise<readonly { readonly document: string; readonly part: string }[]> {
  const isTakenBackAlone = call.resource.postings.some(
    ({ reverse, each }) => reverse !== undefined && each !== undefined,
  );
  if (!isTakenBackAlone || ids.length === 0) return [];
  const entries = await entriesOf(db, call, ids);
  const live = new Set(entries.flatMap(({ line, isLive }) => (isLive && line !== null ? [line] : [])));
  return entries.flatMap(({ document, line, isTakenBack }) =>
    isTakenBack && line !== null && !live.has(line) ? [{ document, part: line }] : [],
  );
}

/** What names a posting of a line, without the count of how often it was posted and reversed. */
export function postingBase(
  id: string,
  posting: { readonly line: string | null; readonly name: string },
): string {
  return `${id}:${posting.line ?? HEAD_LINE}:${posting.name}`;
}

/** The posting that an entry came from. */
export function baseOf({ key }: Pick<DocumentEntry, 'key'>): string {
  return key.slice(0, key.lastIndexOf(':'));
}
