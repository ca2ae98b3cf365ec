import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { freePort } from '#server/kernel/free-port.ts';
import { TOKEN_SECRET, type UnderTest } from './server-under-test.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** It only ends what hangs: beside other work the demo company takes half an hour. */
const READY_MS = 5_400_000;

export interface StartedServer extends UnderTest {
  readonly process: ChildProcess;
}

interface StartOptions {
  /** Ends the server when it is aborted. */
  readonly signal?: AbortSignal;
  /** How much it steps back for others, as os.setPriority counts; 0 when absent. */
  readonly niceness?: number;
}

/**
 * Starts the production build on data and definitions that lie in a folder (made when they are not there), and waits
 * until its demo is grown.
 * @throws TypeError with what the server said, when it ends or is not ready in an hour and a half
 */
export async function startServer(folder: string, options: StartOptions = {}): Promise<StartedServer> {
  const [data, resources] = [path.join(folder, 'data'), path.join(folder, 'resources')];
  if (!existsSync(resources)) cpSync(path.join(ROOT, 'resources'), resources, { recursive: true });
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
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const output: string[] = [];
  server.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  server.once('error', (error) => output.push(error.message));
  if (server.pid !== undefined && options.niceness !== undefined) setPriority(server.pid, options.niceness);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, server, output);
  return { url, data, resources, process: server };
}

/** Ends a server, and its database with it. */
export function stopServer({ process: server }: StartedServer): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill('SIGTERM');
  });
}

async function untilReady(url: string, server: ChildProcess, output: readonly string[]): Promise<void> {
  const end = Date.now() + READY_MS;
  while (Date.now() < end) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new TypeError(`server ended: ${output.join('').slice(-2_000)}`);
    const isReady = await fetch(`${url}/ready`).then(
      async (response) => response.ok && isGrown(await response.json()),
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  server.kill('SIGTERM');
  throw new TypeError(`server not ready: ${output.join('').slice(-2_000)}`);
}

/** The tests look for what the whole of it has. */
function isGrown(answer: { readonly data?: { readonly growing?: number | null } }): boolean {
  return answer.data?.growing === null;
}
