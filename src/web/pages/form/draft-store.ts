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

/** Unsaved work of one person on one record. */
export interface Draft {
  readonly key: string;
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

/** Where a draft goes that nobody answered while new work takes its place. */
function asideOf(key: string): string {
  return `${key} before`;
}

/** Where drafts of a key lie, the newest first. */
export function draftPlaces(key: string): readonly string[] {
  return [key, asideOf(key)];
}

/** The drafts that are offered at a place, the newest first; each says itself where it lies. */
export async function findDrafts(key: string): Promise<readonly Draft[]> {
  const found = await Promise.all(draftPlaces(key).map(findDraft));
  return found.filter((draft) => draft !== null);
}

/** The drafts that are still offered once new work is kept under a key: what lies there goes aside. */
export function setAside(offers: readonly Draft[], key: string): readonly Draft[] {
  const [first, ...rest] = offers;
  if (first?.key !== key) return offers;
  const aside = asideOf(key);
  return [{ ...first, key: aside }, ...rest.filter((draft) => draft.key !== aside)];
}

interface DraftPerson {
  readonly co_code: unknown;
  readonly personid: unknown;
}

/** Keeps a draft; false where the browser has no IndexedDB (private windows) or no room: work goes on without. */
export async function keepDraft(draft: Draft): Promise<boolean> {
  return (await run('readwrite', (store) => store.put(draft))) !== undefined;
}

export async function findDraft(key: string): Promise<Draft | null> {
  const found = await run('readonly', (store) => store.get(key));
  return isDraft(found) ? found : null;
}

export async function dropDraft(key: string): Promise<void> {
  await run('readwrite', (store) => store.delete(key));
}

/** Forgets drafts that nobody came back for. */
export async function dropOldDrafts(now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 24 * 3600 * 1000).toISOString();
  const all = await run('readonly', (store) => store.getAll());
  if (!Array.isArray(all)) return;
  for (const draft of all) if (isDraft(draft) && draft.savedAt < oldest) await dropDraft(draft.key);
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

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' && value !== null && 'form' in value && 'savedAt' in value && 'key' in value
  );
}
