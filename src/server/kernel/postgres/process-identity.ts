import { readdir, readFile, readlink, realpath } from 'node:fs/promises';

/** A process that can be told apart from a later one with the same number. `startTime` is '' where the system does not tell it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The identity of a live process; null when there is none (a zombie is none: nobody may ever reap it in a container). */
export async function findProcess(pid: number): Promise<ProcessIdentity | null> {
  if (!isSignalable(pid)) return null;
  if (process.platform !== 'linux') return { pid, startTime: '' };
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The command in parentheses may hold spaces: count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' ? null : { pid, startTime: startTime ?? '' };
}

/** True while exactly this process lives. */
export async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  const found = await findProcess(identity.pid);
  return found !== null && found.startTime === identity.startTime;
}

/** True when the process is a PostgreSQL server; where the command line cannot be read it is taken for one. */
export async function isPostgresProcess(pid: number): Promise<boolean> {
  if ((await findProcess(pid)) === null) return false;
  if (process.platform !== 'linux') return true;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0')[0]?.includes('postgres') ?? false;
}

/** The PostgreSQL processes that stand in a data folder, as far as the system tells: a server and its backends. */
export async function postgresProcessesIn(folder: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const home = await realpath(folder).catch(() => folder);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    if (cwd === home && (await isPostgresProcess(pid))) found.push(pid);
  }
  return found;
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process lives but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
