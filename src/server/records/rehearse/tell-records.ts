import type { Plan } from '#contract/plan.ts';
import { recordTitle } from '#engine/schema/record-title.ts';
import { canSee } from '#engine/access/resource-access.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { withoutRehearsed } from '#server/records/call/rehearsal.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { MadeRecord, NotedChange } from '#server/records/follow/write-outcome.ts';
import type { WriteSession } from '#server/records/follow/write-session.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { amountOf } from '#server/records/read/main-amount.ts';
import { readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { visibleChanges } from '#server/records/read/record-history.ts';
import { changesAsTexts } from './change-texts.ts';
import { filledForm } from './filled-form.ts';
import { namesFor } from './shown-name.ts';

/** So many of each kind are listed. */
const MOST = 20;
const MOST_CHANGES = 30;

/** What is listed, and how many there are besides. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly unseen: number;
}

/** The first of those that may be shown; the others are counted. */
export function listed<Item>(items: readonly Item[], total: number, most = MOST): Listed<Item> {
  const shown = items.slice(0, most);
  return { items: shown, unseen: total - shown.length };
}

interface Told {
  readonly session: WriteSession;
  /** The record that the write is of. */
  readonly own: { readonly resource: string; readonly id: string };
  /** A resource whose records are not told. */
  readonly untold: string | undefined;
}

/** Records that went from a state to another, each once. */
export async function tellMoved(
  tx: Tx,
  call: Call,
  { session, own, untold }: Told,
): Promise<Listed<Plan['moved'][number]>> {
  // Vouchers are shown with their lines.
  const shownElsewhere = new Set(session.vouchers.map(({ id }) => id));
  const moves = new Map<string, WriteSession['states'][number]>();
  for (const move of session.states) {
    const key = `${move.resource}:${move.id}`;
    moves.set(key, { ...move, from: moves.get(key)?.from ?? move.from });
  }
  const moved = [...moves.values()].filter(
    ({ resource, id, from, to }) => from !== to && resource !== untold && !shownElsewhere.has(id),
  );
  const nameOf = await namesFor(tx, call, moved);
  const items = moved.flatMap((move): Plan['moved'] => {
    const name = nameOf(move);
    const lifecycle = call.catalog.resources[move.resource]?.lifecycle;
    if (name.id === null) return [];
    return [
      {
        ...name,
        action: lifecycle?.actions[move.action]?.title ?? BASE_TITLES[move.action] ?? '',
        from: lifecycle?.states[move.from]?.title ?? move.from,
        to: lifecycle?.states[move.to]?.title ?? move.to,
        isOwn: move.resource === own.resource && move.id === own.id,
      },
    ];
  });
  return listed(items, moved.length);
}

const BASE_TITLES: Readonly<Record<string, string>> = { approved: '审核通过', reject: '驳回' };

/** Documents that it makes, with what they are known by. */
export async function tellMade(
  tx: Tx,
  call: Call,
  made: readonly MadeRecord[],
): Promise<Listed<Plan['made'][number]>> {
  const unique = [...new Map(made.map((one) => [`${one.resource}:${one.id}`, one])).values()];
  const shown = new Map<string, Plan['made'][number]>();
  for (const key of new Set(unique.map(({ resource }) => resource))) {
    if (call.catalog.resources[key] === undefined) continue;
    const own = openAnyCall(call.services, call.caller, key);
    if (!own.access.operations.has('read')) continue;
    const ids = unique.filter(({ resource }) => resource === key).map(({ id }) => id);
    const records = await readStoredMany(tx, own, ids, { isLimitingLines: true });
    for (const [place, record] of records.entries()) {
      const form = place < MOST ? await filledForm(tx, own, record) : null;
      shown.set(`${key}:${String(record['id'])}`, { ...madeOf(own, record), form });
    }
  }
  const items = unique.flatMap(({ resource, id }) => shown.get(`${resource}:${id}`) ?? []);
  return listed(items, unique.length);
}

function madeOf(call: Call, record: OpenRecord): Omit<Plan['made'][number], 'form'> {
  const { resource } = call;
  const label = withoutRehearsed(recordLabel(resource, record));
  const lines = Object.values(resource.fields).filter(
    ({ type, name }) => type === 'lines' && canSee(call.access, name),
  );
  const counts = lines.map(({ name }) => linesOf(record[name]).length).filter((count) => count > 0);
  return {
    resource: resource.resource,
    title: recordTitle(resource, record),
    label: label === '' || !canSee(call.access, resource.label) ? null : label,
    state: resource.lifecycle?.states[String(record['status'])]?.title ?? '',
    ...amountOf(call, record),
    lines: counts[0] ?? null,
  };
}

/** What changes in records that were there before, other than the one that is written. */
export async function tellChanged(
  tx: Tx,
  call: Call,
  { session, own, untold }: Told,
): Promise<Listed<Plan['changed'][number]>> {
  const made = new Set(session.made.map(({ resource, id }) => `${resource}:${id}`));
  const others = mergeChanges(session.changes).filter(
    ({ resource, id }) =>
      !(resource === own.resource && id === own.id) &&
      resource !== untold &&
      !made.has(`${resource}:${id}`) &&
      isDocumentOrMaster(call.catalog.resources[resource]),
  );
  const nameOf = await namesFor(tx, call, others);
  const items: Plan['changed'][number][] = [];
  let empty = 0;
  for (const change of others) {
    const name = nameOf(change);
    if (name.id === null) continue;
    const theirs = openAnyCall(call.services, call.caller, change.resource);
    const isLimited = Object.keys(theirs.access.lines).length > 0;
    const record = isLimited ? await readStored(tx, theirs, change.id, { isLimitingLines: true }) : null;
    const seen = visibleChanges(theirs, change.changes, record ?? {}).filter(
      ({ field }) => !UNTOLD.has(field),
    );
    if (seen.length === 0) empty += 1;
    else if (items.length < MOST)
      items.push({ ...name, changes: await changesAsTexts(tx, theirs, seen.slice(0, MOST_CHANGES)) });
  }
  return { items, unseen: others.length - empty - items.length };
}

/** The state is told as a move; who approved and when is no news before it happens. */
const UNTOLD: ReadonlySet<string> = new Set([
  'status',
  'submitted_by',
  'submitted_at',
  'approved_by',
  'approved_at',
]);

/** What a person keeps; the workings of approvals and ledgers are told elsewhere. */
function isDocumentOrMaster(resource: Resource | undefined): boolean {
  return resource !== undefined && ['document', 'master', 'config'].includes(resource.kind);
}

function mergeChanges(changes: readonly NotedChange[]): readonly NotedChange[] {
  const merged = new Map<string, NotedChange>();
  for (const change of changes) {
    const key = `${change.resource}:${change.id}`;
    const known = merged.get(key);
    const byField = new Map((known?.changes ?? []).map((one) => [one.field, one]));
    for (const one of change.changes)
      byField.set(one.field, { ...one, old: byField.get(one.field)?.old ?? one.old });
    merged.set(key, { ...change, changes: [...byField.values()] });
  }
  return [...merged.values()];
}
