import type { Plan } from '#contract/plan.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { currencyOf } from '#engine/record/compute-record.ts';
import type { LedgerDefinition } from '#engine/schema/ledger-definition.ts';
import type { Catalog, Field } from '#engine/schema/resource.ts';
import { roundDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import type { HeldAmount, PostedEntry } from '#server/records/follow/write-outcome.ts';
import type { WriteSession } from '#server/records/follow/write-session.ts';
import { presentVouchers } from '#server/records/ledger/record-entries.ts';
import { voucherBookOf } from '#server/records/ledger/voucher-period.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import { type NameOf, namesFor } from './shown-name.ts';
import { type Listed, listed } from './tell-records.ts';

type TellEntry = Plan['entries'][number];

/** What it posts: the entries of one account, type and direction together. What is moved within an account is told as taken and as given. */
export async function tellEntries(
  tx: Tx,
  call: Call,
  { entries }: Pick<WriteSession, 'entries'>,
): Promise<Listed<TellEntry>> {
  const nameOf = await namesFor(
    tx,
    call,
    entries.map(({ account }) => account),
  );
  const shown = new Map<string, OpenRecord>();
  for (const key of new Set(entries.map(({ ledger }) => ledger))) {
    const own = openAnyCall(call.services, call.caller, key);
    if (!own.access.operations.has('read')) continue;
    const ids = entries.filter(({ ledger }) => ledger === key).map(({ id }) => id);
    for (const record of await readLabelled(tx, own, ids)) shown.set(String(record['id']), record);
  }
  const groups = new Map<string, PostedEntry[]>();
  for (const entry of entries) {
    if (!shown.has(entry.id)) continue;
    const isTaken = entry.amount.startsWith('-');
    const key = [entry.ledger, entry.account.id, entry.type, entry.isMirror, isTaken].join('|');
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const items = [...groups.values()].map((group) =>
    entryOf(call, { group, record: shown.get(group.at(-1)?.id ?? '') ?? {}, nameOf }),
  );
  const { items: first } = listed(items, items.length);
  const told = first.reduce((sum, { count }) => sum + count, 0);
  return { items: first, unseen: entries.length - told };
}

async function readLabelled(tx: Tx, call: Call, ids: readonly string[]): Promise<readonly OpenRecord[]> {
  const records = await readStoredMany(tx, call, ids, { operation: 'read' });
  await attachReferences(tx, {
    catalog: call.catalog,
    resource: call.resource,
    records,
    access: call.access,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: call,
  });
  return records;
}

function entryOf(
  call: Call,
  told: { readonly group: readonly PostedEntry[]; readonly record: OpenRecord; readonly nameOf: NameOf },
): TellEntry {
  const { group, record, nameOf } = told;
  const last = group.at(-1);
  const own = openAnyCall(call.services, call.caller, last?.ledger ?? '');
  const { resource } = own;
  const { ledger } = resource;
  const shown = (name: string | undefined): unknown =>
    name === undefined || !canSee(own.access, name) ? null : record[name];
  const stored = shown(ledger?.amount);
  const amounts =
    typeof stored === 'string' ? asLong(sumDecimals(group.map(({ amount }) => amount)), stored) : null;
  const field = resource.fields[ledger?.amount ?? ''];
  return {
    ledger: resource.title,
    account: nameOf(last?.account ?? { resource: '', id: '' }),
    type: typeOf(told, ledger) ?? textOf(shown(ledger?.type) ?? ''),
    date: textOrNull(shown(ledger?.date)),
    amount: amounts,
    currency: amounts === null || field === undefined ? null : currencyOf(field, recordScope(own, record)),
    after: textOrNull(shown(ledger?.after)),
    count: group.length,
    isMirror: last?.isMirror ?? false,
  };
}

/** What an entry is called; a mirror by what it takes back. */
function typeOf(
  { group, record }: { readonly group: readonly PostedEntry[]; readonly record: OpenRecord },
  ledger: LedgerDefinition | undefined,
): string | null {
  const mirrored = group.at(-1)?.isMirror === true ? labelIn(record, ledger?.net) : null;
  return mirrored ?? labelIn(record, ledger?.type);
}

/** What it holds from now on, account by account, and what is left there. */
export async function tellHolds(
  tx: Tx,
  call: Call,
  { holds }: Pick<WriteSession, 'holds'>,
): Promise<Listed<Plan['holds'][number]>> {
  const last = [...new Map(holds.map((hold) => [hold.account.id, hold])).values()];
  const nameOf = await namesFor(
    tx,
    call,
    last.map(({ account }) => account),
  );
  const items: Plan['holds'][number][] = [];
  for (const hold of last) {
    const account = nameOf(hold.account);
    if (account.id === null) continue;
    const left = await leftOf(tx, call, hold);
    items.push({ account, amount: asLong(hold.amount, left.available ?? '0.00'), ...left });
  }
  return listed(items, last.length);
}

async function leftOf(
  tx: Tx,
  call: Call,
  { account }: HeldAmount,
): Promise<Pick<Plan['holds'][number], 'available' | 'currency'>> {
  const own = openAnyCall(call.services, call.caller, account.resource);
  const [record] = await readStoredMany(tx, own, [account.id]);
  const name = own.resource.account?.available;
  const field = name === undefined || !canSee(own.access, name) ? undefined : own.resource.fields[name];
  if (record === undefined || field === undefined) return { available: null, currency: null };
  return {
    available: textOrNull(record[field.name]),
    currency: currencyOf(field, recordScope(own, record)),
  };
}

/** The vouchers that it makes. */
export async function tellVouchers(
  tx: Tx,
  call: Call,
  { vouchers }: Pick<WriteSession, 'vouchers'>,
): Promise<Listed<Plan['vouchers'][number]>> {
  const found = voucherBookOf(call.catalog);
  if (vouchers.length === 0 || found === null) return { items: [], unseen: 0 };
  const own = openAnyCall(call.services, call.caller, found.resource.resource);
  if (!own.access.operations.has('read')) return { items: [], unseen: vouchers.length };
  const shown = await presentVouchers(
    tx,
    own,
    vouchers.map(({ id }) => id),
  );
  const { columns, event, lines } = found.book;
  const amount = found.resource.fields[lines]?.fields?.[columns.debit];
  const items = shown.map((voucher): Plan['vouchers'][number] => ({
    title: found.resource.title,
    event: eventTitle(call.catalog, found.resource.fields[event], voucher.event),
    date: textOrNull(voucher.date),
    lines: linesOf(voucher.lines).map((line) => ({
      code: textOf(line[columns.code] ?? ''),
      name: columns.name === undefined ? '' : textOf(line[columns.name] ?? ''),
      debit: textOrNull(line[columns.debit]),
      credit: textOrNull(line[columns.credit]),
      currency: amount === undefined ? null : currencyOf(amount, recordScope(own, line)),
    })),
  }));
  return listed(items, vouchers.length);
}

function eventTitle(
  catalog: Pick<Catalog, 'dictionaries'>,
  field: Field | undefined,
  event: unknown,
): string {
  const key = textOf(event ?? '');
  const options = field?.options ?? {};
  if (Object.hasOwn(options, key)) return options[key] ?? key;
  const items = catalog.dictionaries[field?.dictionary ?? '']?.items ?? [];
  return items.find(({ value }) => value === key)?.label ?? key;
}

/** A figure with as many decimals as another. */
function asLong(figure: string, other: string): string {
  return roundDecimal(figure, other.split('.')[1]?.length ?? 0);
}

function labelIn(record: OpenRecord, field: string | undefined): string | null {
  const labels = record['_labels'];
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, field ?? '') : null;
  return typeof label === 'string' ? label : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
