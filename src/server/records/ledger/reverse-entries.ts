import { dueScopes, lineOf } from '#engine/ledger/plan-entries.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { PostingDefinition } from '#engine/schema/ledger-definition.ts';
import { subtractDecimals } from '#engine/values/decimal.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import { type DocumentEntry, entriesOf, MIRROR_OF_DOCUMENT, MIRROR_OF_LINE } from './posted-entries.ts';
import { type NewEntry, type PostingSource, writeEntries } from './write-entries.ts';

/** The type of every mirror. */
export const REVERSE_TYPE = 'REVERSE';

/**
 * Mirrors the live entries of a document, the last first, dated today if nothing else is said. Nothing is left to mirror the second time; two at
 * once wait for the document's lock, and the ledger takes one mirror an entry. Gives the lines that were reversed, null
 * among them for the head.
 */
export async function reverseEntries(
  tx: Tx,
  source: PostingSource,
  {
    posting,
    scope,
    on,
  }: { readonly posting: PostingDefinition; readonly scope: Scope; readonly on: string | null },
): Promise<ReadonlySet<string | null>> {
  const chosen = new Map(dueScopes(posting, scope).map((here) => [lineOf(here), here]));
  const entries = await entriesOf(tx, source.call, [String(source.record['id'])]);
  const isChosen = ({ line, isLive, type }: DocumentEntry): boolean =>
    isLive &&
    (posting.reverse === '*' || [posting.reverse ?? []].flat().includes(type)) &&
    (posting.each === undefined ? chosen.size > 0 : chosen.has(line));
  const live = entries.filter(isChosen).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const mirrors = await mirrorsOf(tx, source, {
    live,
    posting,
    on,
    scopeOf: (line) => chosen.get(line) ?? scope,
  });
  await writeEntries(tx, source, mirrors);
  return new Set(posting.each === undefined ? live.map(({ line }) => line) : chosen.keys());
}

async function mirrorsOf(
  tx: Tx,
  source: PostingSource,
  made: {
    readonly live: readonly DocumentEntry[];
    readonly posting: PostingDefinition;
    readonly on: string | null;
    readonly scopeOf: (line: string | null) => Scope;
  },
): Promise<readonly NewEntry[]> {
  const stored = new Map<string, OpenRecord>();
  for (const ledger of new Set(made.live.map((entry) => entry.ledger))) {
    const call = openSystemCall(source.call.services, source.call.caller, ledger.resource);
    const ids = made.live.filter((entry) => entry.ledger === ledger).map(({ id }) => id);
    for (const record of await readStoredMany(tx, call, ids)) stored.set(String(record['id']), record);
  }
  return made.live.flatMap((entry): NewEntry[] => {
    const record = stored.get(entry.id);
    const mirrored =
      record === undefined ? null : mirrorOf(source, { entry, record, posting: made.posting, on: made.on });
    if (mirrored === null) return [];
    const { force } = made.posting;
    const isForced =
      force === true || (typeof force === 'object' && matchesFilter(force, made.scopeOf(entry.line)));
    return [{ ...mirrored, isForced }];
  });
}

function mirrorOf(
  source: PostingSource,
  {
    entry,
    record,
    posting,
    on,
  }: {
    readonly entry: DocumentEntry;
    readonly record: OpenRecord;
    readonly posting: PostingDefinition;
    readonly on: string | null;
  },
): Omit<NewEntry, 'isForced'> | null {
  const { ledger, fields } = entry.ledger;
  const accounts = fields[ledger?.account ?? '']?.to;
  const resource = typeof accounts === 'string' ? source.call.catalog.resources[accounts] : undefined;
  if (ledger === undefined || resource === undefined) return null;
  const copied = Object.values(fields).filter(
    (field) => !field.standard && field.formula === undefined && field.name !== entry.ledger.number?.field,
  );
  return {
    account: { resource, id: textOf(record[ledger.account]) },
    type: REVERSE_TYPE,
    net: textOf(record[ledger.net]),
    line: entry.line,
    amount: subtractDecimals('0', textOf(record[ledger.amount])),
    date: on ?? source.call.caller.context.today,
    values: Object.fromEntries(copied.map(({ name }) => [name, record[name] ?? null])),
    reverses: entry.id,
    key: `${entry.key}:${posting.each === undefined ? MIRROR_OF_DOCUMENT : MIRROR_OF_LINE}`,
    path: '',
  };
}
