import { computeRecord } from '#engine/record/compute-record.ts';
import { withFollowedLines } from '#engine/record/followed-lines.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { beginNextWrite } from '#server/records/follow/write-session.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { noteRenamed, searchedReferencesTo } from '#server/records/derive/mark-renamed.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { companiesOf } from '#server/records/call/record-companies.ts';
import { readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { refreshRollups, refreshSumsOf } from '#server/records/derive/refresh-rollups.ts';
import { endStrayHolds, holdingStates } from '#server/records/ledger/hold-amounts.ts';
import { searchColumns } from '#server/records/derive/search-index.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { numberLines } from '#server/records/write/persist-record.ts';
import { updateRow, updateRows, writeLines } from '#server/records/write/write-rows.ts';
import type { Services } from '#server/records/services.ts';
import {
  isDerivable,
  type DerivedWork,
  findDerivedWork,
  keepDerivedState,
} from '#server/records/derive/derived-state.ts';
import type { Database } from '#server/kernel/db/database.ts';
import type { JobTask } from '#server/kernel/worker.ts';

const TASK = 'refresh_derived';
const BATCH = 200;

/** What follows from other records or from the definitions is brought up to date behind the writes. */
export function derivedTasks(services: Services): Readonly<Record<string, JobTask>> {
  return { [TASK]: () => refreshDerived(services) };
}

/** Every minute; one at a time, and at most one more waits. */
export const DERIVED_SCHEDULE = [
  { task: TASK, pattern: '* * * * *', isMadeUpFor: false, isAlone: true },
] as const;

/**
 * Derives anew: sums, new formulas and search texts after the definitions changed, and search texts that name a record
 * which was renamed. A batch is a transaction; what is cut off begins again, and nothing is wrong when it runs twice. A
 * resource that cannot be derived stops no other.
 * @throws what the first of them failed by, after the others are done
 */
export async function refreshDerived(services: Services): Promise<void> {
  const catalog = currentCatalog(services);
  const faults: unknown[] = [];
  for (const work of await findDerivedWork(services.db, catalog))
    try {
      await deriveResource(services, work);
      // Definitions that came in the meantime are the next run's work.
      if (currentCatalog(services) === catalog) await keepDerivedState(services.db, catalog, work.resource);
    } catch (error) {
      services.log.error({ err: error, resource: work.resource.resource }, 'deriving anew failed');
      faults.push(error);
    }
  await endHoldsLeftBehind(services, catalog);
  await refreshRenamed(services);
  if (faults.length > 0) throw faults[0];
}

async function deriveResource(services: Services, work: DerivedWork): Promise<void> {
  const { resource, isSearchStale, rollups, formulas } = work;
  if (!isSearchStale && rollups.length === 0 && formulas.length === 0) return;
  services.log.info({ resource: resource.resource, rollups, formulas, isSearchStale }, 'deriving anew');
  const names = new Set(rollups);
  await eachBatch(services, { resource, where: 'true', values: [] }, async (tx, call, ids) => {
    for (const id of ids) {
      await refreshSumsOf(tx, call, { id, names });
      if (formulas.length > 0) await fillFormulas(tx, call, { id, names: formulas });
    }
    if (isSearchStale) await refreshSearch(tx, call, ids);
  });
}

interface RowSelection {
  readonly resource: Resource;
  /** On the head's row `t`, with values from $1. */
  readonly where: string;
  readonly values: readonly unknown[];
}

type BatchWork = (tx: Tx, call: Call, ids: readonly string[]) => Promise<void>;

/** Runs `work` on the rows of every company, each batch in a transaction of its own. */
async function eachBatch(services: Services, rows: RowSelection, work: BatchWork): Promise<void> {
  const { resource } = rows;
  for (const company of await companiesOf(services, resource)) {
    const call = openSystemCall(services, systemCaller(services, company), resource.resource);
    let last = NO_ID;
    for (let ids = await nextIds(services, rows, { company, last }); ids.length > 0;) {
      const batch = ids;
      await runBatch(services.db, { call, ids: batch, work });
      last = ids.at(-1) ?? last;
      ids = await nextIds(services, rows, { company, last });
    }
  }
}

/**
 * A record that a limit of today refuses was right when it was written: its figures are derived all the same, nothing moves
 * by itself then, and the night tells of it.
 */
async function runBatch(
  db: Database,
  batch: { readonly call: Call; readonly ids: readonly string[]; readonly work: BatchWork },
): Promise<void> {
  const { call, ids, work } = batch;
  if (await isWritten(() => db.transaction((tx) => work(tx, call, ids)))) return;
  for (const id of ids)
    if (!(await isWritten(() => db.transaction((tx) => work(tx, call, [id])))))
      await db.transaction(async (tx) => {
        await work(tx, call, [id]);
        beginNextWrite(tx);
      });
}

/** False when a limit, or the rule of an action that a record takes by itself, undid it. */
async function isWritten(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

async function nextIds(
  { db }: Services,
  { resource, where, values }: RowSelection,
  from: { readonly company: string; readonly last: string },
): Promise<readonly string[]> {
  const bound = [...values, from.last];
  const ofCompany = resource.scope === 'company' ? ` and t.co_code = $${bound.push(from.company)}` : '';
  const rows = await db.query<{ id: string }>(
    `select t.id from ${quoteName(resource.resource)} t
     where (${where}) and t.id > $${values.length + 1}::uuid${ofCompany} order by t.id limit ${BATCH}`,
    bound,
  );
  return rows.map(({ id }) => id);
}

async function refreshSearch(tx: Tx, call: Call, ids: readonly string[]): Promise<void> {
  const { catalog, resource } = call;
  const records = await readStoredMany(tx, call, ids, { isLocking: true });
  await attachReferences(tx, {
    catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
  });
  await updateRows(
    tx,
    resource,
    records.map((record) => ({
      id: String(record['id']),
      company: record['co_code'],
      columns: { ...searchColumns(catalog, resource, record) },
    })),
  );
}

/** Computes formulas that the record does not have yet. The others stay as they were written. */
async function fillFormulas(
  tx: Tx,
  call: Call,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): Promise<void> {
  const { catalog, resource } = call;
  const before = await readStored(tx, call, id, { isLocking: true });
  if (before === null) return;
  const company = call.caller.subject.co_code;
  const open = { ...before };
  await attachReferences(tx, {
    catalog,
    resource,
    records: [open],
    withPaths: true,
    withLabels: false,
    company,
  });
  const followed = withFollowedLines(resource, open, recordScope(call, open), {
    isWanted: (lines) => names.includes(lines.name),
    isByPlace: true,
  });
  const computed = computeRecord(resource, followed, recordScope(call, followed));
  const after: OpenRecord = { ...before };
  const columns: OpenRecord = {};
  for (const name of names) {
    const [field = '', cell] = name.split('.');
    if (resource.fields[field]?.type === 'lines' && cell === undefined) after[field] = computed[field];
    else if (cell === undefined) after[field] = columns[field] = computed[field] ?? null;
    else after[field] = takeCells(linesOf(after[field]), linesOf(computed[field]), cell);
  }
  if (followed !== open) numberLines(call, after, call.services.clock());
  await updateRow(tx, resource, { id, company: before['co_code'], columns });
  for (const field of Object.values(resource.fields))
    if (field.type === 'lines') await writeLines(tx, resource, { field, before, after });
  await refreshRollups(tx, call, { before, after });
}

function takeCells(
  lines: readonly OpenRecord[],
  computed: readonly OpenRecord[],
  cell: string,
): readonly OpenRecord[] {
  return lines.map((line, place) => ({ ...line, [cell]: computed[place]?.[cell] ?? null }));
}

/** What documents hold in states that hold no more, since the definitions changed or put them there: no write of theirs would end it. */
async function endHoldsLeftBehind(services: Services, catalog: Catalog): Promise<void> {
  const held = await services.db.query<{ resource: string }>('select distinct resource from sys_hold');
  for (const { resource: key } of held) {
    const resource = catalog.resources[key];
    if (resource?.lifecycle === undefined || !isDerivable(resource)) continue;
    const where = `(t.is_deleted or not t.status = any($2::text[]))
      and exists (select 1 from sys_hold h where h.resource = $1 and h.record_id = t.id)`;
    const rows = { resource, where, values: [key, holdingStates(resource)] };
    await eachBatch(services, rows, async (tx, call, ids) => {
      services.log.warn({ resource: key, ids }, 'holds of states that hold no more are ended');
      for (const id of ids) await endStrayHolds(tx, call, id);
    });
  }
}

interface Renamed {
  readonly resource: string;
  readonly record_id: string;
  /** As the database prints it: only this entry is struck off, not one that came in the meantime. */
  readonly at: string;
}

async function refreshRenamed(services: Services): Promise<void> {
  for (;;) {
    const renamed = await services.db.query<Renamed & Record<string, unknown>>(
      `select resource, record_id, at::text as at from sys_renamed order by at limit ${BATCH}`,
    );
    for (const entry of renamed) {
      await refreshReferrers(services, entry);
      await services.db.execute(
        'delete from sys_renamed where resource = $1 and record_id = $2::uuid and at = $3::timestamptz',
        [entry.resource, entry.record_id, entry.at],
      );
    }
    if (renamed.length < BATCH) return;
  }
}

async function refreshReferrers(services: Services, renamed: Renamed): Promise<void> {
  const catalog = currentCatalog(services);
  for (const { resource: key, field } of searchedReferencesTo(catalog, renamed.resource)) {
    const resource = catalog.resources[key];
    if (resource === undefined || !isDerivable(resource)) continue;
    const rows = { resource, where: `t.${quoteName(field)} = $1::uuid`, values: [renamed.record_id] };
    await eachBatch(services, rows, async (tx, call, ids) => {
      await refreshSearch(tx, call, ids);
      // A record that is named by its reference has another name now, too.
      if (resource.label === field && searchedReferencesTo(catalog, key).length > 0)
        await noteRenamed(tx, key, ids);
    });
  }
}
