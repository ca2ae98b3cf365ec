import type { Resource } from '#engine/schema/resource.ts';
import { isAppendOnly } from '#engine/schema/append-only.ts';
import { linesOf } from '#server/kernel/db/table-columns.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import type { Services } from '#server/records/services.ts';

type Surroundings = Pick<Services, 'db' | 'definitions' | 'log' | 'clock'>;

const DAY_MS = 86_400_000;
/** A file that was taken off its record stays for a day: a running backup may name it. */
const DEAD_DAYS = 1;
/** What was uploaded and never saved may stand in a draft that the browser keeps for 30 days. */
const UNBOUND_DAYS = 31;
const BATCH = 200;

/** A table in which files may be named, and how. */
interface Place {
  readonly table: string;
  /** The column that holds the record's id. */
  readonly owner: 'id' | 'parent_id';
  /** Columns of file ids. */
  readonly lists: readonly string[];
  /** Columns of text or JSON that may mention them. */
  readonly texts: readonly string[];
}

/**
 * Removes the rows of files that no record names any more; their bytes go with the next sweep. Found one night, a file
 * is removed the next, unless it is named again until then. Logs, which never change, hold none.
 */
export async function sweepFileRows(services: Surroundings): Promise<void> {
  const { db, clock, log } = services;
  const { resources } = currentCatalog(services);
  const places = Object.values(resources).flatMap((resource) =>
    isAppendOnly(resource) ? [] : placesOf(resource),
  );
  for (const resource of Object.values(resources))
    await judgeFilesOf(services, resource).catch((error: unknown) =>
      log.error({ err: error, resource: resource.resource }, 'files of a resource not judged'),
    );
  const now = clock().getTime();
  const unbound = new Date(now - UNBOUND_DAYS * DAY_MS).toISOString();
  const dead = new Date(now - DEAD_DAYS * DAY_MS).toISOString();
  const isDead = `((f.record_id is null and f.created_at < $1::timestamptz) or f.dead_since < $2::timestamptz)`;
  for (let last: string | null = '00000000-0000-0000-0000-000000000000'; last !== null;) {
    const rows: readonly { readonly id: string }[] = await db.query<{ id: string }>(
      `select f.id from sys_file f where ${isDead} and f.id > $3::uuid order by f.id limit ${BATCH}`,
      [unbound, dead, last],
    );
    const ids = rows.map(({ id }) => id);
    const named = await namedAnywhere(services, places, ids);
    const gone = ids.filter((id) => !named.has(id));
    // The condition again: a save may have taken one of them meanwhile.
    await db.execute(`delete from sys_file f where f.id = any($3::uuid[]) and ${isDead}`, [
      unbound,
      dead,
      gone,
    ]);
    last = ids.at(-1) ?? null;
  }
}

/** Marks the files of a resource's records that these no longer name, and unmarks those that they name again. */
async function judgeFilesOf({ db, clock }: Surroundings, resource: Resource): Promise<void> {
  if (!isStored(resource) || isAppendOnly(resource)) return;
  // The tables' keys begin with the company. A file of another company than its record's is found by the look everywhere.
  const isOfCompany = resource.scope === 'company' ? 't.co_code = f.co_code and ' : '';
  const named = placesOf(resource).map(
    ({ table, owner, lists, texts }) =>
      `exists (select 1 from ${table} t where ${isOfCompany}t.${owner} = f.record_id and (${[
        ...lists.map((name) => `f.id = any(t.${quoteName(name)})`),
        ...texts.map((name) => `t.${quoteName(name)}::text like '%' || f.id || '%'`),
      ].join(' or ')}))`,
  );
  const isNamed = named.length === 0 ? 'false' : `(${named.join(' or ')})`;
  await db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    await tx.execute(
      `update sys_file f set dead_since = case when ${isNamed} then null else $2::timestamptz end
       where f.resource = $1 and f.record_id is not null and ${isNamed} = (f.dead_since is not null)`,
      [resource.resource, clock().toISOString()],
    );
  });
}

/** Those of the files that any record names: texts are copied from one record to another with their pictures. */
async function namedAnywhere(
  { db }: Surroundings,
  places: readonly Place[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  if (ids.length === 0) return named;
  for (const { table, lists, texts } of places) {
    for (const list of lists) {
      const column = `t.${quoteName(list)}`;
      const rows = await db.query<{ id: string }>(
        `select distinct x.id from ${table} t, unnest(${column}) as x(id) where ${column} && $1::uuid[] and x.id = any($1::uuid[])`,
        [ids],
      );
      for (const { id } of rows) named.add(id);
    }
    for (const text of texts) {
      const column = `t.${quoteName(text)}::text`;
      const rows = await db.query<{ text: string }>(
        `select ${column} as text from ${table} t where ${column} ~ $1`,
        [ids.join('|')],
      );
      for (const row of rows) for (const id of ids) if (row.text.includes(id)) named.add(id);
    }
  }
  return named;
}

function placesOf(resource: Resource): readonly Place[] {
  if (!isStored(resource)) return [];
  const all: readonly Place[] = [
    { table: tableOf(resource), owner: 'id', ...columnsOf(resource.fields) },
    ...linesOf(resource).map((lines): Place => ({
      table: linesTableOf(resource, lines.name),
      owner: 'parent_id',
      ...columnsOf(lines.fields ?? {}),
    })),
  ];
  return all.filter(({ lists, texts }) => lists.length + texts.length > 0);
}

function columnsOf(fields: Resource['fields']): Pick<Place, 'lists' | 'texts'> {
  const named = (types: readonly string[]): readonly string[] =>
    Object.values(fields).flatMap(({ name, type }) => (types.includes(type) ? [name] : []));
  return { lists: named(['attachment']), texts: named(['richtext', 'json']) };
}
