import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#server/kernel/free-port.ts';
import { NODE_FLAGS } from './build-measured.ts';

const MAIN = path.resolve(import.meta.dirname, '../../dist/server/main.js');
const READY_MS = 120_000;
const REST_MS = 15_000;

/**
 * MiB that the built server holds at rest, in a process of its own over data that is there already; null where it is not
 * built (`npm run build`) or the system does not tell.
 */
export async function restingMib(env: Readonly<Record<string, string>>): Promise<number | null> {
  return withBuiltServer(env, async ({ pid }) => {
    await delay(REST_MS);
    return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', pid], { encoding: 'utf8' })) / 1024);
  });
}

/**
 * Milliseconds from the start of the built server's process until it serves, twice on the same data folder: the first time
 * it makes everything; null where it is not built. What grows behind is ended with the first.
 */
export async function startTimes(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly firstMs: number; readonly againMs: number } | null> {
  const start = async (): Promise<number | null> => withBuiltServer(env, async ({ readyMs }) => readyMs);
  const firstMs = await start();
  // The second still settles what was under way when the first was stopped; the third is what a restart is like.
  await start();
  const againMs = await start();
  return firstMs === null || againMs === null ? null : { firstMs, againMs };
}

/** What some use of a built server in a process of its own gives; null where there is none or it does not become ready. */
async function withBuiltServer<T>(
  env: Readonly<Record<string, string>>,
  use: (server: { readonly pid: string; readonly readyMs: number }) => Promise<T>,
): Promise<T | null> {
  if (!existsSync(MAIN)) return null;
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  try {
    await untilReady(`http://127.0.0.1:${port}/ready`);
    return await use({ pid: String(child.pid), readyMs: performance.now() - began });
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
    await delay(20);
  }
  throw new TypeError('the built server did not become ready');
}
