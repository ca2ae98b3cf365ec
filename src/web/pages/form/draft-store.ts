import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Changes } from './record-changes.ts';
import type { SentForm } from './rebase-form.ts';

/** A save that was sent and of which nobody knows yet whether it was done. */
export interface PendingSave {
  readonly method: 'post' | 'patch';
  readonly path: string;
  readonly values: ErpRecord;
  /** The key it was sent under. */
  readonly key: string;
  readonly sent: SentForm;
  /** Keys of the lines in the order of the submitted lists. */
  readonly sentKeys: Changes['sentKeys'];
}

/** Unsaved work of one person on one record, as one form left it. */
export interface Draft {
  readonly key: string;
  /** The form that wrote it: two windows may have the same one open. Absent in drafts of before. */
  readonly writer?: string;
  readonly savedAt: string;
  /** Version of the record that was being edited; null for a new one. */
  readonly version: number | null;
  /** What the work began from; null for a new record. */
  readonly base: ErpRecord | null;
  readonly form: SentForm;
  readonly pending: PendingSave | null;
  /** What was answered to an action beside the form. */
  readonly answer?: DraftAnswer | null;
}

/** What an action asks beside the fields of the record. */
export interface DraftAnswer {
  readonly opinion: string;
  readonly inputs: ErpRecord;
}

const DATABASE = 'erp-drafts';
const STORE = 'drafts';
const KEPT_DAYS = 30;

/** The name of a draft: the login clears localStorage, so it says itself whose it is. */
export function draftKey(
  { co_code: company, personid }: DraftPerson,
  resource: string,
  place: string,
): string {
  return `${String(company)}.${String(personid)}|${resource}|${place}`;
}

/** The place of a form for a new record: that of a copy, or of what is made from another, is not the empty one's. */
export function newPlace(
  route: string,
  { madeFrom, copyOf }: { readonly madeFrom: object | null; readonly copyOf: string | null },
): string {
  if (madeFrom !== null) return `${route} ${JSON.stringify(madeFrom)}`;
  return copyOf === null ? route : `${route} copy ${copyOf}`;
}

/** Where drafts of a key lie: so many forms have one each, of more the oldest goes. The second is called as it was before. */
function draftPlaces(key: string): readonly string[] {
  return [key, ...['', ' 2', ' 3', ' 4'].map((rest) => `${key} before${rest}`)];
}

/** The drafts that lie at a key, the newest first; each says itself where. */
export async function findDrafts(key: string): Promise<readonly Draft[]> {
  const places = draftPlaces(key);
  const found = await Promise.all(places.map((place) => run('readonly', (store) => store.get(place))));
  return newestFirst(found.filter(isDraft));
}

/** True for one and the same draft, wherever it was read. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return one.writer === other.writer && one.savedAt === other.savedAt;
}

interface DraftPerson {
  readonly co_code: unknown;
  readonly personid: unknown;
}

/**
 * Keeps a draft at its key, beside those of other forms, in one transaction; those of which `isDone` says so go. False where
 * the browser has no IndexedDB (private windows) or no room: work goes on without.
 */
export async function keepDraft(draft: Draft, isDone: (stored: Draft) => boolean): Promise<boolean> {
  const kept = await withDrafts(draft.key, (found, store) => {
    const others = found.filter((stored) => !isDone(stored));
    const free = draftPlaces(draft.key).find((place) => !others.some(({ key }) => key === place));
    const key = free ?? newestFirst(others).at(-1)?.key ?? draft.key;
    for (const stored of found) if (isDone(stored)) store.delete(stored.key);
    return store.put({ ...draft, key });
  });
  return kept !== undefined;
}

/** Forgets the drafts at a key of which `isDone` says so. */
export async function dropDrafts(key: string, isDone: (stored: Draft) => boolean): Promise<void> {
  await withDrafts(key, (found, store) => {
    for (const stored of found) if (isDone(stored)) store.delete(stored.key);
    return null;
  });
}

/** Forgets the newest draft at a key. */
export async function dropNewestDraft(key: string): Promise<void> {
  const [newest] = await findDrafts(key);
  if (newest !== undefined) await dropDrafts(key, (stored) => isSameDraft(stored, newest));
}

/** Forgets drafts that nobody came back for. */
export async function dropOldDrafts(now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 24 * 3600 * 1000).toISOString();
  const all = await run('readonly', (store) => store.getAll());
  if (!Array.isArray(all)) return;
  for (const draft of all)
    if (isDraft(draft) && draft.savedAt < oldest) await run('readwrite', (store) => store.delete(draft.key));
}

let opened: Promise<IDBDatabase | null> | null = null;

function open(): Promise<IDBDatabase | null> {
  opened ??= new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') {
      resolve(null);
      return;
    }
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () =>
      request.result.createObjectStore(STORE, { keyPath: 'key' }),
    );
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => resolve(null));
  });
  return opened;
}

async function run(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await open();
  if (database === null) return undefined;
  return new Promise((resolve) => {
    const request = work(database.transaction(STORE, mode).objectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => resolve(undefined));
  });
}

/** What becomes of the drafts at a key is decided and done in one transaction: no other window comes between. */
async function withDrafts(
  key: string,
  work: (found: readonly Draft[], store: IDBObjectStore) => IDBRequest | null,
): Promise<unknown> {
  const database = await open();
  if (database === null) return undefined;
  return new Promise((resolve) => {
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
    const asked = draftPlaces(key).map((place) => store.get(place));
    const last = asked.at(-1);
    const fail = (): void => resolve(undefined);
    last?.addEventListener('error', fail);
    // They are answered in their order.
    last?.addEventListener('success', () => {
      const done = work(asked.map((request): unknown => request.result).filter(isDraft), store);
      done?.addEventListener('success', () => resolve(done.result));
      done?.addEventListener('error', fail);
      if (done === null) resolve(null);
    });
  });
}

function newestFirst(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.toSorted((a, b) => (a.savedAt < b.savedAt ? 1 : -1));
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' && value !== null && 'form' in value && 'savedAt' in value && 'key' in value
  );
}
