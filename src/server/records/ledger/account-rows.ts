import type { AccountChoice } from '#engine/ledger/plan-entries.ts';
import { fieldColumn } from '#engine/fields/field-types.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import type { AccountDefinition } from '#engine/schema/ledger-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { isPlainDecimal, subtractDecimals } from '#engine/values/decimal.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { refreshRollups } from '#server/records/derive/refresh-rollups.ts';
import { noteWritten } from '#server/records/follow/write-session.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import { hasColumn } from '#engine/fields/field-types.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { updateRow } from '#server/records/write/write-rows.ts';

/** An account under lock, as it is now. */
export interface AccountRow {
  readonly call: Call;
  readonly definition: AccountDefinition;
  readonly id: string;
  readonly record: OpenRecord;
}

/** Where in a document an account is wanted. */
export interface WantedAccount {
  readonly account: AccountChoice | null;
  readonly path: string;
}

/** Ids of accounts by the choice, in the same order; opens those that are missing. @throws RULE_REFUSED without an account */
export async function accountIds(
  tx: Tx,
  call: Call,
  wanted: readonly WantedAccount[],
): Promise<readonly string[]> {
  const known = new Map<string, string>();
  const ids: string[] = [];
  for (const { account, path } of wanted) {
    if (account === null)
      throw new AppError('RULE_REFUSED', {
        message: '没有可以过账的账户',
        problems: [{ path, code: 'account', message: '没有可以过账的账户' }],
      });
    if (account.kind === 'record') {
      ids.push(account.id);
      continue;
    }
    const key = `${account.resource.resource}${JSON.stringify(account.key)}`;
    const id = known.get(key) ?? (await findOrOpen(tx, call, account));
    known.set(key, id);
    ids.push(id);
  }
  return ids;
}

/** Locks accounts of a resource in the order of their ids and reads them. @throws RULE_REFUSED for one that is not there */
export async function lockAccounts(
  tx: Tx,
  call: Call,
  { resource, ids }: { readonly resource: Resource; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, AccountRow>> {
  const { account: definition } = resource;
  if (definition === undefined) return new Map();
  const accountCall = openSystemCall(call.services, call.caller, resource.resource);
  const distinct = [...new Set(ids)].sort();
  const records = await readStoredMany(tx, accountCall, distinct, { isLocking: true });
  if (records.length < distinct.length)
    throw new AppError('RULE_REFUSED', { message: `${resource.title}不存在，不能过账` });
  return new Map(
    records.map((record) => [
      String(record['id']),
      { call: accountCall, definition, id: String(record['id']), record },
    ]),
  );
}

/** Writes new figures of an account, with what is computed from them and the figures above. Versions stay. */
export async function storeAccount(
  tx: Tx,
  account: AccountRow,
  figures: { readonly balance?: string; readonly held?: string },
): Promise<void> {
  const { call, record, id } = account;
  const after = await withFigures(tx, account, figures);
  const columns = Object.fromEntries(
    Object.values(call.resource.fields)
      .filter(
        (field) =>
          hasColumn(field) && JSON.stringify(record[field.name]) !== JSON.stringify(after[field.name]),
      )
      .map(({ name }) => [name, after[name] ?? null]),
  );
  noteWritten(tx, call, { before: record, after });
  await updateRow(tx, call.resource, { id, company: record['co_code'], columns });
  await refreshRollups(tx, call, { before: record, after });
}

/** An account's record with a balance or held sum put in: available and formulas follow. */
export async function withFigures(
  tx: Tx,
  { call, definition, record }: AccountRow,
  figures: { readonly balance?: string; readonly held?: string },
): Promise<OpenRecord> {
  const balance = figures.balance ?? amountOf(record, definition.balance);
  const held = figures.held ?? amountOf(record, definition.held);
  const after: OpenRecord = { ...record, [definition.balance]: balance };
  if (definition.held !== undefined) after[definition.held] = held;
  if (definition.available !== undefined) after[definition.available] = subtractDecimals(balance, held);
  if (call.resource.formulaOrder.length === 0) return after;
  await attachReferences(tx, {
    catalog: call.catalog,
    resource: call.resource,
    records: [after],
    withPaths: true,
    withLabels: false,
    company: textOf(record['co_code'] ?? call.caller.subject.co_code),
  });
  return { ...computeRecord(call.resource, after, { ...recordScope(call, after), before: record }) };
}

/** A figure of an account; zero while it has none. */
export function amountOf(record: ErpRecord, field: string | undefined): string {
  const value = field === undefined ? null : record[field];
  return isPlainDecimal(value) ? value : '0';
}

type KeyedAccount = Extract<AccountChoice, { readonly kind: 'key' }>;

async function findOrOpen(tx: Tx, call: Call, account: KeyedAccount): Promise<string> {
  const found = await findAccount(tx, call, account);
  if (found !== null) return found;
  try {
    return await tx.savepoint(async () => {
      const { caller, services } = call;
      const opened = await insertRecord({ tx, caller, services }, account.resource.resource, {
        ...account.key,
      });
      return String(opened['id']);
    });
  } catch (error) {
    // Another write opened it first: its transaction has ended by now.
    const isTaken =
      (error instanceof DatabaseFault && error.kind === 'unique') ||
      (error instanceof AppError && error.code === 'DUPLICATE');
    const theirs = isTaken ? await findAccount(tx, call, account) : null;
    if (theirs === null) throw error;
    return theirs;
  }
}

async function findAccount(tx: Tx, call: Call, { resource, key }: KeyedAccount): Promise<string | null> {
  const values: unknown[] = [];
  const conditions = Object.entries(key).map(([name, value]) => {
    const field = resource.fields[name];
    const type = field === undefined ? 'text' : (fieldColumn(field) ?? 'text');
    const column = `t.${quoteName(name)}`;
    return value === null || value === undefined
      ? `${column} is null`
      : `${column} = ${bind(values, value)}::${type}`;
  });
  if (resource.scope === 'company')
    conditions.push(`t.co_code = ${bind(values, call.caller.subject.co_code)}`);
  const rows = await tx.query(
    `select t.id from ${tableOf(resource)} t where not t.is_deleted and ${conditions.join(' and ')} limit 1`,
    values,
  );
  return rows[0] === undefined ? null : String(rows[0]['id']);
}
