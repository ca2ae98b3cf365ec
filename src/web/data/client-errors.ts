/** The last 100 client errors, kept in IndexedDB since login clears the local storage; the personal page shows them. */

export interface ClientError {
  readonly at: string;
  readonly route: string;
  readonly path: string;
  readonly code: number;
  readonly message: string;
  readonly requestId: string | null;
}

const KEPT = 100;
const STORE = 'errors';
let opening: Promise<IDBDatabase> | null = null;

/** Notes an error; failures to note it are passed over, since there is nobody left to tell. */
export function recordClientError(error: Omit<ClientError, 'at' | 'route'>): void {
  if (typeof indexedDB === 'undefined') return;
  const entry: ClientError = { ...error, at: new Date().toISOString(), route: location.pathname };
  open()
    .then(async (database) => {
      const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
      store.add(entry);
      const keys = await asked(store.getAllKeys());
      for (const key of keys.slice(0, Math.max(0, keys.length - KEPT))) store.delete(key);
    })
    .catch(() => undefined);
}

/** The kept errors, newest first. */
export async function clientErrors(): Promise<readonly ClientError[]> {
  const database = await open();
  const entries = await asked<ClientError[]>(database.transaction(STORE).objectStore(STORE).getAll());
  return entries.reverse();
}

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('erp-client-errors', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('IndexedDB'));
  });
  return opening;
}

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('IndexedDB'));
  });
}
