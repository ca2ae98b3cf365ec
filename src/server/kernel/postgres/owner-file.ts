import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { findProcess, isSameProcess, type ProcessIdentity } from './process-identity.ts';

const SETTLE_MS = 40;

/**
 * Makes this process the owner of an embedded database directory; a dead owner is replaced.
 * @throws StartRefusal naming the pid when another live process owns it.
 */
export async function claimDirectory(home: string): Promise<{ release: () => Promise<void> }> {
  const path = join(home, 'owner.json');
  const self = (await findProcess(process.pid)) ?? { pid: process.pid, startTime: '' };
  if (!(await tryCreate(path, self))) {
    await refuseLiveOwner(path, home, self);
    await replace(path, self);
    // Two processes may both have replaced a dead owner: the later one stands.
    await delay(SETTLE_MS);
    await refuseLiveOwner(path, home, self);
  }
  return {
    release: async () => {
      const owner = await readOwner(path);
      if (owner !== null && isSame(owner, self)) await rm(path, { force: true });
    },
  };
}

async function refuseLiveOwner(path: string, home: string, self: ProcessIdentity): Promise<void> {
  const owner = await readOwner(path);
  if (owner === null || isSame(owner, self) || !(await isSameProcess(owner))) return;
  throw new StartRefusal(
    `数据目录 ${home} 正被另一个进程使用（进程号 ${owner.pid}）。请先停止该进程，或用 ERP_DATA_DIR 指定另一个目录。`,
  );
}

async function tryCreate(path: string, self: ProcessIdentity): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new StartRefusal(`无法写入数据目录 ${path}，请检查目录权限。`, error);
  }
}

async function replace(path: string, self: ProcessIdentity): Promise<void> {
  const next = `${path}.${self.pid}`;
  await writeFile(next, JSON.stringify(self), { mode: 0o600 });
  await rename(next, path);
}

async function readOwner(path: string): Promise<ProcessIdentity | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || !('startTime' in parsed))
      return null;
    const { pid, startTime } = parsed;
    return typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime } : null;
  } catch {
    // A half-written file belongs to nobody alive.
    return null;
  }
}

function isSame(left: ProcessIdentity, right: ProcessIdentity): boolean {
  return left.pid === right.pid && left.startTime === right.startTime;
}
