import { rowTextOrNull } from '#server/kernel/db/row-text.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { bind, type Reader, type Tx, statementName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { DraftDocument } from './make-documents.ts';

interface MadeFrom {
  readonly resource: string;
  readonly id: string;
  readonly make: string;
}

/** Remembers that a document was made from another, line by line. */
export async function keepChain(
  tx: Tx,
  kept: {
    readonly from: MadeFrom;
    readonly draft: Pick<DraftDocument, 'resource' | 'line' | 'lineSources' | 'per'>;
    readonly made: OpenRecord;
    readonly company: unknown;
    /** So many lines were there before (`into`). */
    readonly offset?: number;
  },
): Promise<void> {
  const { from, draft, made, company, offset = 0 } = kept;
  const links: ChainRow[] = [{ ...from, fromLine: draft.line, toLine: null, per: perKey(draft.per) }];
  for (const [lines, sources] of Object.entries(draft.lineSources))
    for (const [index, source] of sources.entries()) {
      const line = linesOf(made[lines])[offset + index];
      if (source !== null && line !== undefined)
        links.push({ ...from, fromLine: source, toLine: String(line['id']) });
    }
  await keepLinks(tx, { to: { resource: draft.resource, id: String(made['id']) }, company, links });
}

/** A document, or a line of it, that something came from, and the line that came. */
export interface ChainRow extends MadeFrom {
  readonly fromLine: string | null;
  readonly toLine: string | null;
  /** Of a document: the value of `per` that it is for. */
  readonly per?: string | null;
}

/** A value of `per` as it is kept; null where a make has none. */
export function perKey(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** Remembers what a document and its lines came from, in one statement. */
export async function keepLinks(
  tx: Tx,
  kept: {
    readonly to: { readonly resource: string; readonly id: string };
    readonly company: unknown;
    readonly links: readonly ChainRow[];
  },
): Promise<void> {
  const { to, company, links } = kept;
  if (links.length === 0) return;
  await tx.query(
    `insert into sys_chain (co_code, from_resource, from_id, make, to_resource, to_id, from_line, to_line, per)
     select $1, r.resource, r.id, r.make, $2, $3::uuid, r."fromLine", r."toLine", r.per
     from jsonb_to_recordset($4::jsonb)
       as r(resource text, id uuid, make text, "fromLine" uuid, "toLine" uuid, per text)
     on conflict do nothing`,
    [company ?? '', to.resource, to.id, JSON.stringify(links)],
    'chain_keep',
  );
}

/** A document that a make gave. */
export interface MadeDocument {
  readonly id: string;
  /** The value of `per` that it is for; null where a make has none, where lines were added to it, and in old links. */
  readonly per: string | null;
}

/** The live documents that a make gave of a record: neither deleted nor dead. */
export async function liveTargets(
  db: Reader,
  call: Call,
  asked: { readonly from: MadeFrom; readonly to: string; readonly line: string | null },
): Promise<readonly MadeDocument[]> {
  const target = call.catalog.resources[asked.to];
  if (target === undefined) return [];
  const values: unknown[] = [asked.from.resource, asked.from.id, asked.from.make, asked.to];
  const dead = target.lifecycle?.groups['dead'] ?? [];
  const alive = dead.length === 0 ? '' : ` and not (t.status = any(${bind(values, dead)}::text[]))`;
  const line = asked.line === null ? '' : ` and c.from_line = ${bind(values, asked.line)}::uuid`;
  const text = `select t.id, max(c.per) as per from sys_chain c join ${tableOf(target)} t on t.id = c.to_id
     where c.from_resource = $1 and c.from_id = $2::uuid and c.make = $3 and c.to_resource = $4
     and not t.is_deleted${alive}${line} group by t.id order by t.id`;
  const rows = await db.query(text, values, statementName(text));
  return rows.map((row) => ({ id: String(row['id']), per: rowTextOrNull(row, 'per') }));
}

/** The links between the lines of a record and those of what was made of it; of one that came again, the last. */
export async function lineLinks(
  db: Reader,
  from: MadeFrom,
  toId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(
    `select from_line, to_line from sys_chain where from_resource = $1 and from_id = $2::uuid and make = $3
     and to_id = $4::uuid and to_line is not null order by created_at`,
    [from.resource, from.id, from.make, toId],
    'chain_lines',
  );
  return new Map(rows.map((row) => [String(row['from_line']), String(row['to_line'])]));
}
