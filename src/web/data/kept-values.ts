/** Values of a person that outlive the session: the login clears localStorage, not this. */

const DATABASE = 'erp-desk';
const STORE = 'values';

/** The value kept under a key; undefined where there is none or the browser keeps nothing (private windows). */
export async function keptValue(key: string): Promise<unknown> {
  return run('readonly', (store) => store.get(key));
}

/** Keeps a value in place of the former one; work goes on where the browser keeps nothing. */
export async function keepValue(key: string, value: unknown): Promise<void> {
  await run('readwrite', (store) => store.put(value, key));
}

let opened: Promise<IDBDatabase | null> | null = null;

function open(): Promise<IDBDatabase | null> {
  opened ??= new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') {
      resolve(null);
      return;
    }
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
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
