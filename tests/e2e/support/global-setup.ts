import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FullConfig } from 'playwright/test';
import { startServer, stopServer } from './server-process.ts';
import { keepServers } from './server-under-test.ts';

/**
 * Starts the production build once a worker, each with a copy of one demo (grown here, unless E2E_GROWN names the folder of
 * one) and definitions of its own (tests add files there), and stops them afterwards.
 */
async function startServers({ workers }: FullConfig): Promise<() => Promise<void>> {
  // A server that runs already, for work on the tests themselves.
  if (process.env['E2E_URL'] !== undefined) return async () => undefined;
  const folders = Array.from({ length: workers }, () => mkdtempSync(path.join(tmpdir(), 'erp-e2e-')));
  const [first = ''] = folders;
  const grown = process.env['E2E_GROWN'] ?? (await growIn(first));
  for (const folder of folders) {
    if (folder === grown) continue;
    // With its owners: the database runs as a user of its own.
    execFileSync('cp', ['-a', path.join(grown, 'data'), folder]);
  }
  const servers = await Promise.all(folders.map((folder) => startServer(folder)));
  keepServers(servers.map(({ url, data, resources }) => ({ url, data, resources })));
  return async () => {
    await Promise.all(servers.map(stopServer));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
}

async function growIn(folder: string): Promise<string> {
  await stopServer(await startServer(folder));
  return folder;
}

// Playwright takes the module's default.
export default startServers;
