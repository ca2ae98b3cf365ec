import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import { findPostmaster, stopPostmaster } from '#server/kernel/postgres/postmaster.ts';
import { findProcess } from '#server/kernel/postgres/process-identity.ts';

const PREFIX = 'trade-erp-test-';

/** Starts a throw-away server for one test run. What an earlier, killed run left behind is cleared away first. */
export async function startTestServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, isDisposable: true });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN);
    if (!Number.isInteger(pid) || (await findProcess(pid)) !== null) continue;
    const dataDir = join(tmpdir(), name);
    const running = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
    try {
      if (running !== null) await stopPostmaster(running.pid);
      await rm(dataDir, { recursive: true, force: true });
    } catch {
      // It belongs to another user of this machine.
    }
  }
}
