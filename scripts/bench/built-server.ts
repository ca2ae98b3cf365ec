import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const MAIN = path.resolve(import.meta.dirname, '../../dist/server/main.js');
const READY_MS = 120_000;
const REST_MS = 15_000;

/**
 * MiB that the built server holds at rest, in a process of its own over data that is there already; null where it is not
 * built (`npm run build`) or the system does not tell.
 */
export async function restingMib(env: Readonly<Record<string, string>>): Promise<number | null> {
  if (!existsSync(MAIN)) return null;
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  try {
    await untilReady(`http://127.0.0.1:${port}/ready`);
    await delay(REST_MS);
    return Math.round(
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    );
  } catch {
    return null;
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
}

async function untilReady(url: string): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) return;
    await delay(200);
  }
  throw new TypeError('the built server did not become ready');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
