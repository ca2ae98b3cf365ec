import { among } from '#server/kernel/db/among.ts';
import type { Chain, ChainDocument } from '#contract/chain.ts';
import { recordTitle } from '#engine/schema/record-title.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { type ChainLink, chainLinks } from '#engine/schema/chain-links.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { lineConditions, rowConditions } from '#server/records/call/row-conditions.ts';
import { quoteName, type Reader } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { amountOf } from '#server/records/read/main-amount.ts';
import { isRecordId, readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { labelKey, visibleLabels } from '#server/records/ledger/visible-labels.ts';

/** So far from the record, and so many documents in all. */
const MAX_STEPS = 5;
const MAX_DOCUMENTS = 60;

interface Place {
  readonly resource: string;
  readonly id: string;
}

/** A document found on the way: how many steps before (negative) or after the record, and what it hangs on. */
interface Found extends Place {
  readonly step: number;
  readonly parent: string;
}

/**
 * 单据链: what a document came from, back to the first, and what came from it, on to the last. By what was made from what,
 * and by the references of documents. Only through documents and fields that the caller may read.
 */
export async function showChain(call: Call, id: string): Promise<Chain> {
  const { db } = call.services;
  const self = isRecordId(id) ? await readStored(callersReader(call), call, id) : null;
  if (self === null) throw new AppError('NOT_FOUND');
  const own = { resource: call.resource.resource, id };
  const shown = new Map<string, ChainDocument>();
  const labels = await visibleLabels(db, call, [own]);
  shown.set(keyOf(own), present(call, self, { labels, ...own, step: 0, parent: '' }));
  let unseen = 0;
  for (const direction of [-1, 1] as const) {
    let frontier: readonly Place[] = [own];
    for (let step = 1; step <= MAX_STEPS && frontier.length > 0; step += 1) {
      const next = direction < 0 ? await earlierOf(db, call, frontier) : await laterOf(db, call, frontier);
      const open = next.filter((place) => !shown.has(keyOf(place)));
      const read = await readPlaces(db, call, open, step * direction);
      unseen += new Set(open.map(keyOf)).size - read.length;
      for (const document of read)
        if (shown.size < MAX_DOCUMENTS) shown.set(keyOf(document), document);
        else unseen += 1;
      frontier = read;
    }
  }
  const documents = [...shown.values()].toSorted(
    (a, b) => a.step - b.step || compare(a.title, b.title) || compare(a.label, b.label),
  );
  return { documents, unseen };
}

type Linked = Place & { readonly parent: string };

/** The documents that these came from. */
async function earlierOf(db: Reader, call: Call, places: readonly Place[]): Promise<readonly Linked[]> {
  const found = await madeBetween(db, places, 'from');
  for (const [resource, ids] of byResource(places))
    for (const link of chainLinks(call.catalog).filter(({ later }) => later === resource))
      found.push(...(await linked(db, call, { link, ids, isBack: true })));
  return unique(found);
}

/** The documents that came from these. */
async function laterOf(db: Reader, call: Call, places: readonly Place[]): Promise<readonly Linked[]> {
  const found = await madeBetween(db, places, 'to');
  for (const [resource, ids] of byResource(places))
    for (const link of chainLinks(call.catalog).filter(({ earlier }) => earlier === resource))
      found.push(...(await linked(db, call, { link, ids, isBack: false })));
  return unique(found);
}

/** What was remembered when documents were made. */
async function madeBetween(db: Reader, places: readonly Place[], wanted: 'from' | 'to'): Promise<Linked[]> {
  const given = wanted === 'from' ? 'to' : 'from';
  const rows = await db.query(
    `select distinct c.${wanted}_resource as resource, c.${wanted}_id as id, c.${given}_resource || ':' || c.${given}_id as parent
     from sys_chain c join unnest($1::text[], $2::uuid[]) p(resource, id)
       on c.${given}_resource = p.resource and c.${given}_id = p.id
     where (c.from_resource, c.from_id) <> (c.to_resource, c.to_id) limit ${MAX_DOCUMENTS * 2}`,
    [places.map(({ resource }) => resource), places.map(({ id }) => id)],
  );
  return rows.map((row) => ({
    resource: String(row['resource']),
    id: String(row['id']),
    parent: String(row['parent']),
  }));
}

/** The documents at the other end of a reference, where the caller may read the field that holds it. */
async function linked(
  db: Reader,
  call: Call,
  asked: { readonly link: ChainLink; readonly ids: readonly string[]; readonly isBack: boolean },
): Promise<readonly Linked[]> {
  const { link, ids, isBack } = asked;
  const later = openAnyCall(call.services, call.caller, link.later);
  const earlier = call.catalog.resources[link.earlier];
  const path = link.lines === null ? link.field : `${link.lines}.${link.field}`;
  if (earlier === undefined || !later.access.operations.has('read') || !canSee(later.access, path)) return [];
  const values: unknown[] = [ids];
  const column = quoteName(link.field);
  const isInLines = link.lines !== null;
  const holder = isInLines ? 'l' : 't';
  const joined = [
    `${tableOf(later.resource)} t`,
    ...(link.lines === null
      ? []
      : [`join ${linesTableOf(later.resource, link.lines)} l on l.parent_id = t.id`]),
    ...(link.earlierLines === null
      ? []
      : [`join ${linesTableOf(earlier, link.earlierLines)} s on s.id = ${holder}.${column}`]),
  ];
  const source = link.earlierLines === null ? `${holder}.${column}` : 's.parent_id';
  const conditions = [
    `${isBack ? 't.id' : source} = ${among('$1')}`,
    `${source} is not null`,
    ...rowConditions(later, { alias: 't', values }),
    ...(link.lines === null
      ? []
      : lineConditions(later, link.lines, { alias: 'l', parentAlias: 't', values })),
  ];
  const rows = await db.query(
    `select distinct t.id as later, ${source} as earlier from ${joined.join(' ')}
     where ${conditions.join(' and ')} order by 1, 2 limit ${MAX_DOCUMENTS * 2}`,
    values,
  );
  return rows.map((row) => {
    const ends = {
      later: { resource: link.later, id: String(row['later']) },
      earlier: { resource: link.earlier, id: String(row['earlier']) },
    };
    return isBack
      ? { ...ends.earlier, parent: keyOf(ends.later) }
      : { ...ends.later, parent: keyOf(ends.earlier) };
  });
}

async function readPlaces(
  db: Reader,
  call: Call,
  places: readonly Linked[],
  step: number,
): Promise<readonly ChainDocument[]> {
  const parents = new Map(places.map((place) => [keyOf(place), place.parent]));
  const labels = await visibleLabels(db, call, places);
  const documents: ChainDocument[] = [];
  for (const [resource, ids] of byResource(places)) {
    if (call.catalog.resources[resource] === undefined) continue;
    const own = openAnyCall(call.services, call.caller, resource);
    if (!own.access.operations.has('read')) continue;
    for (const record of await readStoredMany(callersReader(own), own, ids, { operation: 'read' })) {
      const place = { resource, id: String(record['id']), step };
      documents.push(present(own, record, { ...place, labels, parent: parents.get(keyOf(place)) ?? '' }));
    }
  }
  return documents;
}

function present(
  call: Call,
  record: OpenRecord,
  { labels, ...found }: Found & { readonly labels: ReadonlyMap<string, string> },
): ChainDocument {
  const { resource, access } = call;
  const status = canSee(access, 'status') ? record['status'] : null;
  return {
    ...found,
    title: recordTitle(resource, record),
    label: canSee(access, resource.label) ? (labels.get(labelKey(found.resource, found.id)) ?? '') : '',
    status: typeof status === 'string' ? status : null,
    state: typeof status === 'string' ? (resource.lifecycle?.states[status]?.title ?? '') : '',
    ...amountOf(call, record),
  };
}

function byResource(places: readonly Place[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { resource, id } of places) groups.set(resource, [...(groups.get(resource) ?? []), id]);
  return groups;
}

function unique(found: readonly Linked[]): readonly Linked[] {
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ resource, id }: Place): string {
  return `${resource}:${id}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
