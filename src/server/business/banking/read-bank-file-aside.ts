import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { AppError, type ErrorCode } from '#server/kernel/errors.ts';
import { createGate } from '#server/kernel/gate.ts';
import { isOutOfMemory, startAside } from '#server/kernel/start-aside.ts';
import { type BankFile, bankFileFault } from './bank-file.ts';
import type { SentBankFile } from './read-bank-file.ts';
import type { TableFormat } from './read-statement-table.ts';

/** What the thread gets. */
export interface BankFileOrder {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly formats: readonly TableFormat[];
}

/** What it answers: the statement, or why there is none. */
export type BankFileAnswer =
  | { readonly told: BankFile }
  | {
      readonly fault: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly problems: readonly FieldProblem[];
      };
    };

/** What reading one file may take. */
export interface BankFileLimits {
  readonly heapMb: number;
  readonly timeMs: number;
}

/** A transaction stands open meanwhile: waiting and reading together end before the database ends it (60 s). */
const LIMITS: BankFileLimits = { heapMb: 256, timeMs: 25_000 };
const BANK_FILES = createGate({
  atOnce: 2,
  perPerson: 2,
  waiting: 2,
  message: '已有对账单正在读取，请稍后再试',
});

/**
 * A bank's file as `readBankFile` reads it, in a thread of its own: what somebody made up keeps nobody waiting, and takes
 * no more memory and time than a statement may.
 * @throws what `readBankFile` throws; RULE_REFUSED beyond the limits; RATE_LIMITED while others are read
 */
export function readBankFileAside(
  person: string,
  file: SentBankFile,
  formats: readonly TableFormat[],
  limits: BankFileLimits = LIMITS,
): Promise<BankFile> {
  return BANK_FILES(person, async () => {
    const order: BankFileOrder = { ...file, formats };
    const thread = startAside(import.meta.url, './bank-file-worker.ts', {
      data: order,
      heapMb: limits.heapMb,
    });
    try {
      const answer = await answerOf(thread, limits.timeMs);
      if ('told' in answer) return answer.told;
      const { code, message, problems } = answer.fault;
      throw new AppError(code, { message, problems });
    } finally {
      await thread.terminate();
    }
  });
}

async function answerOf(thread: Worker, timeMs: number): Promise<BankFileAnswer> {
  const signal = AbortSignal.timeout(timeMs);
  try {
    const [answer]: unknown[] = await once(thread, 'message', { signal });
    // Sent by `bank-file-worker.ts`: its shape is known.
    return answer as BankFileAnswer;
  } catch (cause) {
    if (isOutOfMemory(cause)) throw bankFileFault('对账单内容过大，无法读取，请按日期拆分后导入');
    if (signal.aborted) throw bankFileFault('对账单过于复杂，读取超时，请按日期拆分后导入');
    throw cause;
  }
}
