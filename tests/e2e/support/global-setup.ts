import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TOKEN_SECRET } from './session.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** It only ends what hangs: the demo company takes its time on a busy machine. */
const READY_MS = 1_500_000;

/** Starts the production build with the demo company on definitions of its own (tests add files there), and stops it afterwards. */
async function startServer(): Promise<() => Promise<void>> {
  // A server that runs already, for work on the tests themselves.
  if (process.env['E2E_URL'] !== undefined) return async () => undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'erp-e2e-'));
  const resources = path.join(folder, 'resources');
  cpSync(path.join(ROOT, 'resources'), resources, { recursive: true });
  const port = await freePort();
  const server = spawn(process.execPath, [path.join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      ERP_DATA_DIR: path.join(folder, 'data'),
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
  process.env['E2E_URL'] = url;
  process.env['E2E_RESOURCES'] = resources;
  process.env['E2E_DATA'] = path.join(folder, 'data');
  await untilReady(url, server, output);
  return async () => {
    await stopped(server);
    rmSync(folder, { recursive: true, force: true });
  };
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

/** The tests look for what the whole demo has. */
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
export default startServer;
