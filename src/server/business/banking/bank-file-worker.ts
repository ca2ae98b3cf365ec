/** The program of the thread that reads a bank's file. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import { readBankFile } from './read-bank-file.ts';
import type { BankFileAnswer, BankFileOrder } from './read-bank-file-aside.ts';

const { bytes, name, formats }: BankFileOrder = workerData;

async function answer(): Promise<BankFileAnswer> {
  try {
    return { told: await readBankFile({ bytes: Buffer.from(bytes), name }, formats) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, problems } = error;
    return { fault: { code, message, problems } };
  }
}

parentPort?.postMessage(await answer());
