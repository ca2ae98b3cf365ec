import { spawn } from 'node:child_process';
import { chown, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashFolder } from '#server/kernel/hash-folder.ts';
import { findPackage } from './binaries.ts';
import type { Placement } from './placement.ts';
import { serverEnvironment } from './server-environment.ts';

/** Where installation left a data directory that a first start may begin with, and what that start serves. */
export interface SeedSource {
  readonly folder: string;
  readonly resourcesDir: string;
}

const KEY = 'key';
/** What a data directory holds beside the database and goes with it. */
const NOTES = ['definitions-checked'];

/** Names what a seed must have been made of: program of the database, machine, definitions and reference data. */
async function seedKey(resourcesDir: string): Promise<string> {
  const { version } = await findPackage();
  return [version, process.platform, process.arch, await hashFolder(resourcesDir)].join(' ');
}

/** True when the folder holds a seed for what is served. */
export async function isSeed({ folder, resourcesDir }: SeedSource): Promise<boolean> {
  const key = await readFile(join(folder, KEY), 'utf8').catch(() => null);
  return key !== null && key === (await seedKey(resourcesDir));
}

/** Says what the data directory, whose database has ended, was made of: from now on it is a seed. */
export async function markSeed({ folder, resourcesDir }: SeedSource): Promise<void> {
  const home = join(folder, 'postgres');
  // Every copy is given passwords of its own.
  for (const name of await readdir(home))
    if (name !== 'cluster') await rm(join(home, name), { recursive: true, force: true });
  await writeFile(join(folder, KEY), await seedKey(resourcesDir));
}

/**
 * Fills `draft` with a copy of the seed whose role `owner` has that password. False where there is no seed for this
 * start, or it cannot be copied: then nothing is left in the draft.
 */
export async function copySeed(
  place: Placement,
  draft: string,
  at: { readonly seed: SeedSource; readonly owner: string; readonly password: string },
): Promise<boolean> {
  const { seed } = at;
  const cluster = join(seed.folder, 'postgres', 'cluster');
  try {
    if (!(await isSeed(seed))) return false;
    await copyFolder(cluster, draft);
    await giveTo(place, draft);
    await setPassword(place, draft, at);
  } catch {
    // Whatever is wrong with it: a start without a seed makes everything itself.
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    return false;
  }
  for (const name of NOTES)
    await copyFile(join(seed.folder, name), join(dirname(place.home), name)).catch(() => undefined);
  return true;
}

/** Thousands of small files: by a program of its own where there is one, while this one reads the definitions. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true });
  else await run('cp', ['-R', '-p', `${from}/.`, to]);
}

async function giveTo({ user }: Placement, draft: string): Promise<void> {
  if (user === null) return;
  const { uid, gid } = user;
  await chown(draft, uid, gid);
  const copied = await stat(join(draft, 'PG_VERSION'));
  if (copied.uid === uid && copied.gid === gid) return;
  for (const name of await readdir(draft, { recursive: true })) await chown(join(draft, name), uid, gid);
}

/** The server in its single-user form takes commands without asking who sends them; no other server runs there yet. */
async function setPassword(
  place: Placement,
  draft: string,
  { owner, password }: { readonly owner: string; readonly password: string },
): Promise<void> {
  const said = await run(place.binaries.postgres, ['--single', '-D', place.nameOf(draft), 'postgres'], {
    cwd: draft,
    input: `alter role ${owner} with password '${password}';\n`,
    ...place.user,
  });
  if (/\b(ERROR|FATAL|PANIC):/.test(said)) throw new Error(said);
}

/** Has what was copied written through, behind the start: until then a machine that loses power could lose the copy. */
export function writeThrough(place: Placement): void {
  const { cluster, nameOf, binaries, user } = place;
  run(binaries.initdb, ['--sync-only', '-D', nameOf(cluster)], { cwd: cluster, ...user }).catch(
    // The system writes it within the minute anyway.
    () => undefined,
  );
}

interface RunOptions {
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly input?: string;
}

/** Runs a program and gives what it said on stderr. @throws Error with that when it ends otherwise than well */
async function run(
  program: string,
  args: readonly string[],
  { input = '', ...options }: RunOptions = {},
): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: serverEnvironment(),
    ...options,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
  return said;
}
