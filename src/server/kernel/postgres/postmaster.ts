import { spawn } from 'node:child_process';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#server/kernel/free-port.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { serverEnvironment } from './server-environment.ts';
import type { Placement } from './placement.ts';
import { findProcess, isPostgresProcess, isSameProcess } from './process-identity.ts';

/** What the running server says of itself in its pid file. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Where its socket lies; null: it listens on TCP only. */
  readonly socketFolder: string | null;
  readonly status: 'starting' | 'stopping' | 'ready';
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 15;
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;
const START_ATTEMPTS = 5;
/** What the system takes as the path of a socket: 104 bytes on macOS, 108 on Linux, each with its end. */
const MAX_SOCKET_PATH_BYTES = 103;

/** The server that runs on a cluster, or null. A pid file whose process is dead, or is now another program, counts as none. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !(await isPostgresProcess(pid))) return null;
  const status = lines[7];
  return {
    pid,
    port: Number(lines[3]) || 0,
    socketFolder: lines[4] === undefined || lines[4] === '' ? null : cluster,
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
}

/** Starts the server detached, on `port` or else on a free one, and waits until it takes connections. */
export async function startPostmaster(
  place: Placement,
  settings: readonly string[],
  port?: number,
): Promise<Postmaster> {
  await removeStalePidFile(place.cluster);
  let sockets = await socketSetting(place);
  const logPath = join(place.home, 'server.log');
  await rotate(logPath);
  for (let attempt = 1; ; attempt += 1) {
    const logStart = await sizeOf(logPath);
    const listening = [`port=${port ?? (await freePort())}`, sockets];
    const started = await launch(place, logPath, [...BASE_SETTINGS, ...listening, ...settings]);
    if (started !== null) return started;
    const said = (await readFile(logPath, 'utf8').catch(() => '')).slice(logStart);
    // Somebody took the port between our look and the server's.
    if (attempt < START_ATTEMPTS && said.includes('Address already in use')) continue;
    // Folders that another machine lends often take no sockets.
    if (attempt < START_ATTEMPTS && sockets !== NO_SOCKETS && said.includes('Unix-domain socket')) {
      sockets = NO_SOCKETS;
      continue;
    }
    const lastLines = said.trim().split('\n').slice(-3).join(' ');
    throw new StartRefusal(`内置数据库启动失败，详见 ${logPath}（${lastLines}）。`);
  }
}

/** Stops in fast mode: sessions are cut, what was committed is kept. Comes back when the process is gone. */
export async function stopPostmaster(pid: number): Promise<void> {
  const identity = await findProcess(pid);
  if (identity === null) return;
  signal(pid, 'SIGINT');
  // A server that somebody froze hears it too.
  signal(pid, 'SIGCONT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (await isSameProcess(identity)) {
    if (Date.now() > deadline) {
      signal(pid, 'SIGQUIT');
      return;
    }
    await delay(POLL_MS);
  }
}

async function launch(
  place: Placement,
  logPath: string,
  settings: readonly string[],
): Promise<Postmaster | null> {
  const log = await open(logPath, 'a', 0o600);
  // Detached: a signal to the app's process group must not stop the database before the app has drained.
  const child = spawn(
    place.binaries.postgres,
    ['-D', place.nameOf(place.cluster), ...settings.flatMap((line) => ['-c', line])],
    {
      cwd: place.cluster,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: serverEnvironment(),
      ...place.user,
    },
  );
  // A program that cannot be started at all has no pid.
  child.once('error', () => undefined);
  const isAlive = (): boolean =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  child.unref();
  await log.close();
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (isAlive() && Date.now() < deadline) {
    const running = await findPostmaster(place.cluster);
    if (running !== null && running.pid === child.pid && running.status === 'ready') return running;
    await delay(POLL_MS);
  }
  if (isAlive() && child.pid !== undefined) await stopPostmaster(child.pid);
  return null;
}

const isRoomy = totalmem() >= 4 * 1024 ** 3;
const BASE_SETTINGS: readonly string[] = [
  'listen_addresses=127.0.0.1',
  'max_connections=60',
  `shared_buffers=${isRoomy ? '256MB' : '128MB'}`,
  `effective_cache_size=${isRoomy ? '2GB' : '512MB'}`,
  'work_mem=16MB',
  'maintenance_work_mem=128MB',
  'random_page_cost=1.1',
  'jit=off',
  // What a killed server has to read again before it answers.
  'max_wal_size=512MB',
  'checkpoint_timeout=15min',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_line_prefix=%m [%p] ',
  'log_checkpoints=off',
];

const NO_SOCKETS = 'unix_socket_directories=';

/** Its own processes reach the server by a socket in its folder, which costs less than TCP, where the path is not too long. */
async function socketSetting({ cluster, nameOf }: Placement): Promise<string> {
  const names = await readdir(cluster);
  // What a killed server leaves: no server runs here, whoever has its pid now.
  for (const name of names) if (name.startsWith(SOCKET)) await rm(join(cluster, name), { force: true });
  const folder = nameOf(cluster);
  const longest = Math.max(
    ...[cluster, folder].map((path) => Buffer.byteLength(join(path, `${SOCKET}65535`))),
  );
  if (process.platform === 'win32' || longest > MAX_SOCKET_PATH_BYTES) return NO_SOCKETS;
  return `${NO_SOCKETS}"${folder.replaceAll('"', '""')}"`;
}

const SOCKET = '.s.PGSQL.';

/** The server refuses to start when its old pid now belongs to another program of the same user. */
async function removeStalePidFile(cluster: string): Promise<void> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  const pid = Number(text?.split('\n')[0]);
  if (
    Number.isInteger(pid) &&
    pid > 0 &&
    (await findProcess(pid)) !== null &&
    !(await isPostgresProcess(pid))
  )
    await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function rotate(logPath: string): Promise<void> {
  if ((await sizeOf(logPath)) > LOG_LIMIT_BYTES) await rename(logPath, `${logPath}.1`);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return;
    throw new StartRefusal(`内置数据库（进程号 ${pid}）属于另一个用户，无法停止。`, error);
  }
}
