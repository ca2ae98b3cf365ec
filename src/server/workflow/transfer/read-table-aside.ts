import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { isOutOfMemory, startAside } from '#server/kernel/start-aside.ts';
import { importFault, type ReadRow } from './import-fault.ts';

/** What the thread gets. */
export interface TableOrder {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Further sheets that are read beside the first. */
  readonly sheets?: readonly string[];
}

/** What it answers: some rows, the last ones, or what is wrong with the file. */
export type TableAnswer =
  { readonly rows: readonly ReadRow[]; readonly isEnd?: true } | { readonly fault: string };

/** What reading one file may take. */
export interface TableLimits {
  readonly heapMb: number;
  /** All the time that rows are waited for. */
  readonly timeMs: number;
}

const LIMITS: TableLimits = { heapMb: 256, timeMs: 60_000 };

/**
 * Rows of an uploaded table, read in a thread of its own: unpacking and parsing what somebody made up keeps nobody
 * waiting, and takes no more memory and time than a file of 50,000 rows may.
 * @throws IMPORT_FAULT
 */
export async function* readTableAside(
  { bytes, name, sheets = [] }: TableOrder,
  limits: TableLimits = LIMITS,
): AsyncGenerator<ReadRow> {
  const order: TableOrder = { bytes, name, sheets };
  const thread = startAside(import.meta.url, './table-worker.ts', { data: order, heapMb: limits.heapMb });
  let leftMs = limits.timeMs;
  try {
    for (;;) {
      const began = performance.now();
      const answer = await nextAnswer(thread, leftMs);
      leftMs -= performance.now() - began;
      if ('fault' in answer) throw importFault(answer.fault);
      yield* answer.rows;
      if (answer.isEnd === true) return;
      thread.postMessage('more');
    }
  } finally {
    await thread.terminate();
  }
}

async function nextAnswer(thread: Worker, timeMs: number): Promise<TableAnswer> {
  const signal = AbortSignal.timeout(Math.max(1, Math.round(timeMs)));
  try {
    const [answer]: unknown[] = await once(thread, 'message', { signal });
    // Sent by `table-worker.ts`: its shape is known.
    return answer as TableAnswer;
  } catch (cause) {
    if (isOutOfMemory(cause)) throw importFault('文件解压后过大，不能导入', cause);
    if (signal.aborted) throw importFault('文件过于复杂，读取超时，请拆分后再导入', cause);
    throw cause;
  }
}
