import { AppError } from '#server/kernel/errors.ts';

/** A record of the demo that the figures of its company do not allow is left out. */
export async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
