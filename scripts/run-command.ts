import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** Runs a command line tool: refusals are one line without a stack, exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  // Backups and what else a command writes are nobody else's.
  process.umask(0o077);
  try {
    await work();
  } catch (error) {
    console.error(error instanceof StartRefusal ? error.message : error);
    process.exitCode = 1;
  }
}
