/**
 * The whole suite (`npm test`): unit and database tests with the demo of the browser tests growing beside them, then the
 * browser tests. What fails first ends it with its own exit code.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, stopServer } from './e2e/support/server-process.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The unit tests come first, but the demo should be there with the last of them: alone it leaves half of a machine idle. */
const NICENESS = 5;
/** Ends what runs beside the tests. */
const ending = new AbortController();

class Failed extends Error {
  readonly code: number;

  constructor(command: string, code: number) {
    super(`${command}: ${code}`);
    this.code = code;
  }
}

async function runAll(folder: string): Promise<void> {
  await run('node', ['scripts/find-browser.mjs', '--install']);
  await run('node', ['scripts/build.mjs', '--stale']);
  const grown = startServer(folder, { signal: ending.signal, niceness: NICENESS }).then(stopServer);
  // Asked for when the unit tests are through.
  grown.catch(() => undefined);
  try {
    await run('npx', ['vitest', 'run']);
  } catch (error) {
    ending.abort();
    await grown.catch(() => undefined);
    throw error;
  }
  await grown;
  const browserTests = ['playwright', 'test', '--config', 'tests/e2e/playwright.config.ts'];
  await run('npx', browserTests, { E2E_GROWN: folder });
}

function run(command: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Failed([command, ...args].join(' '), code ?? 1)),
    );
  });
}

const folder = mkdtempSync(path.join(tmpdir(), 'erp-e2e-grown-'));
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
process.once('exit', () => {
  ending.abort();
  rmSync(folder, { recursive: true, force: true });
});
try {
  await runAll(folder);
} catch (error) {
  console.error(error instanceof Failed ? error.message : error);
  process.exitCode = error instanceof Failed ? error.code : 1;
}
