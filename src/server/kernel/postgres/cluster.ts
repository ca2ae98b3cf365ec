import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { Placement } from './placement.ts';
import { copySeed, type SeedSource, writeThrough } from './seed.ts';
import { serverEnvironment } from './server-environment.ts';

/** The superuser of the cluster, which owns the tables. */
export const OWNER_ROLE = 'erp';

/**
 * Makes the cluster on first start, from the seed where there is one, and returns the password of its role. An
 * interrupted attempt leaves nothing behind that counts: the cluster gets its name when it is complete.
 */
export async function ensureCluster(place: Placement, seed: SeedSource | null): Promise<string> {
  const passwordPath = passwordPathOf(place.home, OWNER_ROLE);
  if (await exists(join(place.cluster, 'PG_VERSION'))) return readPassword(passwordPath);
  const password = await makePassword(passwordPath);
  await initialise(place, password, seed);
  return password;
}

/** The password of a further role, made when there is none: by this start, or by one before roles were told apart. */
export async function ensurePassword(
  place: Placement,
  role: string,
): Promise<{ readonly password: string; readonly isNew: boolean }> {
  const path = passwordPathOf(place.home, role);
  if (await exists(path)) return { password: await readPassword(path), isNew: false };
  return { password: await makePassword(path), isNew: true };
}

/** Where the password of a role is kept; that of the owner is the oldest and has no name. */
export function passwordPathOf(home: string, role: string): string {
  return join(home, role === OWNER_ROLE ? 'password' : `password-${role}`);
}

async function makePassword(path: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, password, { mode: 0o600 });
  return password;
}

async function initialise(place: Placement, password: string, seed: SeedSource | null): Promise<void> {
  const draft = `${place.cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const isCopied = seed !== null && (await copySeed(place, draft, { seed, owner: OWNER_ROLE, password }));
  if (!isCopied) await initialiseAnew(place, draft, password);
  await rename(draft, place.cluster);
  if (isCopied) writeThrough(place);
}

async function initialiseAnew(place: Placement, draft: string, password: string): Promise<void> {
  const passwordCopy = join(place.home, 'initdb-password');
  await writeFile(passwordCopy, password, { mode: 0o600 });
  if (place.user !== null) {
    for (const path of [draft, passwordCopy]) await chown(path, place.user.uid, place.user.gid);
  }
  try {
    await runInitdb(place, draft, passwordCopy);
  } finally {
    await rm(passwordCopy, { force: true });
  }
}

async function runInitdb(place: Placement, draft: string, passwordCopy: string): Promise<void> {
  const child = spawn(
    place.binaries.initdb,
    [
      `--pgdata=${place.nameOf(draft)}`,
      `--username=${OWNER_ROLE}`,
      '--auth=scram-sha-256',
      `--pwfile=${join('..', basename(passwordCopy))}`,
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--builtin-locale=C.UTF-8',
      '--encoding=UTF8',
      // The first checkpoint of the server writes everything through: fsync stays on for it.
      '--no-sync',
      '--no-instructions',
    ],
    { cwd: draft, stdio: ['ignore', 'pipe', 'pipe'], env: serverEnvironment(), ...place.user },
  );
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const lastLines = Buffer.concat(output).toString('utf8').trim().split('\n').slice(-3).join(' ');
  throw new StartRefusal(`内置数据库初始化失败（${lastLines}）。`);
}

/** The password that a first start left. @throws StartRefusal when it is gone or closed to this user. */
export async function readPassword(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new StartRefusal(`读不到内置数据库的密码文件 ${path}，请检查目录权限或从备份恢复。`, error);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
