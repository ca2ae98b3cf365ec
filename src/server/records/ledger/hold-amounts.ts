import { isInStates } from '#engine/ledger/posting-moment.ts';
import { dueScopes, type PlannedHold, planHold } from '#engine/ledger/plan-entries.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { statesOf } from '#engine/schema/state-groups.ts';
import { addDecimals, compareDecimals, subtractDecimals, sumDecimals } from '#engine/values/decimal.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { noteCause, recordKey, sessionOf } from '#server/records/follow/write-session.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import {
  accountIds,
  type AccountRow,
  amountOf,
  lockAccounts,
  storeAccount,
  withFigures,
} from './account-rows.ts';

/** A record whose holds are brought in line with its state. */
export interface HoldMoment {
  readonly before: OpenRecord | null;
  /** Null once it is deleted. */
  readonly after: OpenRecord | null;
  readonly scope: Scope | null;
}

interface HoldRow {
  readonly account: string;
  readonly accountResource: string;
  readonly line: string | null;
  readonly place: number;
  readonly amount: string;
  readonly path: string;
}

/**
 * Begins, changes and ends what a document holds: rows of its own, their sum in the account. Entering a state of `again`
 * asks the account's limits as if the hold were new.
 */
export async function syncHolds(tx: Tx, call: Call, moment: HoldMoment): Promise<void> {
  const { holds } = call.resource;
  const isConcerned = holds.some(
    (hold) =>
      isInStates(hold.in, moment.before, call.resource) || isInStates(hold.in, moment.after, call.resource),
  );
  if (!isConcerned) return;
  const wanted = await wantedHolds(tx, call, moment);
  const id = String((moment.after ?? moment.before)?.['id']);
  const stored = await storedHolds(tx, call, id);
  const again = againPlaces(call, moment);
  if (isSame(stored, wanted) && again.size === 0) return;
  await writeAll(tx, call, { id, stored, wanted, again });
}

/** States in which documents of a resource hold something. */
export function holdingStates({
  holds,
  lifecycle,
}: Pick<Resource, 'holds' | 'lifecycle'>): readonly string[] {
  return holds.flatMap((hold) => statesOf(hold.in, lifecycle?.groups));
}

/**
 * Ends what a document holds where it holds nothing by the definitions of today: deleted, or in a state that held when it
 * was entered and does so no more. Nothing happens to one that holds.
 */
export async function endStrayHolds(tx: Tx, call: Call, id: string): Promise<void> {
  const record = await readStored(tx, call, id, { isLocking: true });
  if (record !== null && holdingStates(call.resource).includes(String(record['status']))) return;
  const stored = await storedHolds(tx, call, id);
  await writeAll(tx, call, { id, stored, wanted: [], again: new Set() });
}

async function writeAll(tx: Tx, call: Call, write: Omit<HoldWrite, 'resource'>): Promise<void> {
  const { id, stored, wanted, again } = write;
  const resources = new Set([...stored, ...wanted].map(({ accountResource }) => accountResource));
  for (const key of [...resources].sort()) {
    const resource = call.catalog.resources[key];
    if (resource === undefined) continue;
    const mine = (rows: readonly HoldRow[]): readonly HoldRow[] =>
      rows.filter(({ accountResource }) => accountResource === key);
    await writeHolds(tx, call, { id, resource, stored: mine(stored), wanted: mine(wanted), again });
  }
}

async function wantedHolds(tx: Tx, call: Call, { after, scope }: HoldMoment): Promise<readonly HoldRow[]> {
  if (after === null || scope === null) return [];
  const planned = call.resource.holds.flatMap((hold, place): readonly PlannedHold[] => {
    if (!isInStates(hold.in, after, call.resource)) return [];
    return dueScopes(hold, scope).flatMap((here) => planHold(hold, { place, scope: here }) ?? []);
  });
  const ids = await accountIds(tx, call, planned);
  return planned.map(({ account, line, place, amount, path }, index) => ({
    account: ids[index] ?? '',
    accountResource: account?.resource.resource ?? '',
    line,
    place,
    amount,
    path,
  }));
}

/** The holds whose state of `again` is entered now. */
function againPlaces(call: Call, { before, after }: HoldMoment): ReadonlySet<number> {
  if (before === null || after === null) return new Set();
  const places = call.resource.holds.flatMap(({ again }, place) => {
    if (again === undefined) return [];
    const isEntered = isInStates(again, after, call.resource) && !isInStates(again, before, call.resource);
    return isEntered ? [place] : [];
  });
  return new Set(places);
}

async function storedHolds(tx: Tx, call: Call, id: string): Promise<readonly HoldRow[]> {
  const rows = await tx.query(
    `select account_id, account_resource, line_id, place, amount::text as amount from sys_hold
     where resource = $1 and record_id = $2::uuid`,
    [call.resource.resource, id],
    'holds_stored',
  );
  return rows.map((row) => ({
    account: String(row['account_id']),
    accountResource: textOf(row['account_resource']),
    line: row['line_id'] === null ? null : String(row['line_id']),
    place: Number(row['place']),
    amount: textOf(row['amount']),
    path: '',
  }));
}

interface HoldWrite {
  readonly id: string;
  readonly resource: Resource;
  readonly stored: readonly HoldRow[];
  readonly wanted: readonly HoldRow[];
  readonly again: ReadonlySet<number>;
}

async function writeHolds(tx: Tx, call: Call, write: HoldWrite): Promise<void> {
  const { id, resource, stored, wanted, again } = write;
  const accounts = await lockAccounts(tx, call, {
    resource,
    ids: [...stored, ...wanted].map(({ account }) => account),
  });
  await tx.query(
    'delete from sys_hold where resource = $1 and record_id = $2::uuid and account_resource = $3',
    [call.resource.resource, id, resource.resource],
  );
  if (wanted.length > 0) await insertHolds(tx, call, { id, wanted });
  for (const account of accounts.values()) {
    const own = wanted.filter((row) => row.account === account.id);
    const was = stored.filter((row) => row.account === account.id);
    const figure = { resource: resource.resource, id: account.id, line: null };
    for (const { path } of own) noteCause(tx, figure, { resource: call.resource.resource, id, path });
    const change = subtractDecimals(sumOf(own), sumOf(was));
    const held = addDecimals(amountOf(account.record, account.definition.held), change);
    const renewed = sumOf(own.filter(({ place }) => again.has(place)));
    if (compareDecimals(renewed, '0') > 0) await forgetHeld(tx, account, renewed);
    if (compareDecimals(change, '0') !== 0) await storeAccount(tx, account, { held });
    sessionOf(tx).holds.push({
      account: { resource: resource.resource, id: account.id },
      amount: sumOf(own),
    });
  }
}

async function insertHolds(
  tx: Tx,
  call: Call,
  { id, wanted }: Pick<HoldWrite, 'id' | 'wanted'>,
): Promise<void> {
  const now = call.services.clock();
  const rows = wanted.map(({ account, accountResource, line, place, amount }) => ({
    id: uuidv7(now),
    co_code: call.caller.subject.co_code,
    account_resource: accountResource,
    account_id: account,
    resource: call.resource.resource,
    record_id: id,
    line_id: line,
    place,
    amount,
    created_at: now.toISOString(),
  }));
  await tx.query(
    'insert into sys_hold select r.* from jsonb_populate_recordset(null::sys_hold, $1::jsonb) r',
    [JSON.stringify(rows)],
  );
}

/** Lets the limits compare with the account as it would be without a hold. */
async function forgetHeld(tx: Tx, account: AccountRow, amount: string): Promise<void> {
  const { moved } = sessionOf(tx);
  const key = recordKey(account.call.resource.resource, account.id);
  const known = moved.get(key);
  const before = known?.before ?? account.record;
  const held = subtractDecimals(amountOf(before, account.definition.held), amount);
  const without = await withFigures(tx, { ...account, record: before }, { held });
  moved.set(key, {
    call: known?.call ?? account.call,
    resource: account.call.resource,
    id: account.id,
    before: without,
    states: known?.states ?? new Set([before['status']]),
    written: null,
    isGone: false,
  });
}

function sumOf(rows: readonly HoldRow[]): string {
  return sumDecimals(rows.map(({ amount }) => amount));
}

function isSame(a: readonly HoldRow[], b: readonly HoldRow[]): boolean {
  const keys = (rows: readonly HoldRow[]): string =>
    JSON.stringify(
      rows
        .map(({ account, line, place, amount }) => [account, line, place, addDecimals(amount, '0')].join())
        .sort(),
    );
  return keys(a) === keys(b);
}
