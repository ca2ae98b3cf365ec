/** Whether the panel beside a document is shut: of this browser, for all documents. */
const COOKIE = 'erp_side';
const YEAR_S = 31_536_000;
const listeners = new Set<() => void>();
let isShut = /(?:^|; )erp_side=shut/.test(document.cookie);

export const isSideShut = (): boolean => isShut;

export function subscribeSide(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** It is kept in a cookie: the login empties the storage. */
export function shutSide(next: boolean): void {
  isShut = next;
  document.cookie = `${COOKIE}=${next ? 'shut' : 'open'}; path=/; max-age=${YEAR_S}; samesite=strict`;
  for (const listener of listeners) listener();
}
