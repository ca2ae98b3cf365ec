/** The program of the thread that reads an import file: batches of rows, each when it is asked for. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import type { ReadRow } from './import-fault.ts';
import { readTable } from './read-table.ts';
import type { TableAnswer, TableOrder } from './read-table-aside.ts';

/** Rows of one answer: few enough that taking it keeps nobody waiting. */
const BATCH = 250;

const port = parentPort;
if (port === null) throw new TypeError('this program runs in a thread');
const { bytes, name, sheets }: TableOrder = workerData;

function send(answer: TableAnswer): void {
  port?.postMessage(answer);
}

try {
  let rows: ReadRow[] = [];
  for await (const row of readTable(Buffer.from(bytes), name, sheets)) {
    rows.push(row);
    if (rows.length < BATCH) continue;
    send({ rows });
    rows = [];
    await once(port, 'message');
  }
  send({ rows, isEnd: true });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  send({ fault: error.message });
}
