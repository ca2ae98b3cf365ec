import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FullConfig } from 'playwright/test';
import { keepServers, TOKEN_SECRET, type UnderTest } from './server-under-test.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** It only ends what hangs: the demo company takes its time on a busy machine. */
const READY_MS = 1_500_000;

/**
 * Starts the production build once a worker, each with a copy of one demo and definitions of its own (tests add
 * files there), and stops them afterwards.
 */
async function startServers({ workers }: FullConfig): Promise<() => Promise<void>> {
  // A server that runs already, for work on the tests themselves.
  if (process.env['E2E_URL'] !== undefined) return async () => undefined;
  const folders = Array.from({ length: workers }, () => mkdtempSync(path.join(tmpdir(), 'erp-e2e-')));
  const [first = '', ...others] = folders;
  const grown = await startServer(first);
  await stopped(grown.process);
  // With its owners: the database runs as a user of its own.
  for (const folder of others) execFileSync('cp', ['-a', grown.data, folder]);
  const servers = await Promise.all(folders.map(startServer));
  keepServers(servers.map(({ url, data, resources }) => ({ url, data, resources })));
  return async () => {
    await Promise.all(servers.map((server) => stopped(server.process)));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
}

interface Started extends UnderTest {
  readonly process: ChildProcess;
}

/** Starts a server whose data and definitions lie in a folder, and waits until its demo is grown. */
async function startServer(folder: string): Promise<Started> {
  const [data, resources] = [path.join(folder, 'data'), path.join(folder, 'resources')];
  cpSync(path.join(ROOT, 'resources'), resources, { recursive: true });
  const port = await freePort();
  const server = spawn(process.execPath, [path.join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      ERP_DATA_DIR: data,
      ERP_RESOURCES_DIR: resources,
      ERP_REPORTS_DIR: path.join(ROOT, 'reports'),
      DATABASE_URL: '',
      ERP_TOKEN_SECRET: TOKEN_SECRET,
      ERP_TOKEN_ACCOUNT: 'dc.aa',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  server.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, server, output);
  return { url, data, resources, process: server };
}

async function untilReady(url: string, server: ChildProcess, output: readonly string[]): Promise<void> {
  const end = Date.now() + READY_MS;
  while (Date.now() < end) {
    if (server.exitCode !== null) throw new TypeError(`server ended: ${output.join('').slice(-2_000)}`);
    const isReady = await fetch(`${url}/ready`).then(
      async (response) => response.ok && isGrown(await response.json()),
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new TypeError(`server not ready: ${output.join('').slice(-2_000)}`);
}

/** The tests look for what the whole of it has. */
function isGrown(answer: { readonly data?: { readonly growing?: number | null } }): boolean {
  return answer.data?.growing === null;
}

function stopped(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill('SIGTERM');
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

// Playwright takes the module's default.
export default startServers;
