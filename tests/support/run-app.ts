import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

export interface EmbeddedApp {
  readonly child: ChildProcess;
  readonly url: string;
  readonly databasePid: number;
  readonly wasAdopted: boolean;
}

const SCRIPT = resolve(import.meta.dirname, 'run-embedded.ts');
const TSX_HOOK = import.meta.resolve('tsx');

/** Runs the embedded database in an app process of its own. @throws what the process said when it refused. */
export function runEmbeddedApp(
  dataDir: string,
  ids: { uid?: number; gid?: number } = {},
): Promise<EmbeddedApp> {
  // tsx as an import hook: one process, so that a signal reaches the app itself.
  const child = spawn(process.execPath, ['--import', TSX_HOOK, SCRIPT, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ids,
  });
  const said: string[] = [];
  return new Promise((resolvePromise, reject) => {
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
    child.stdout.on('data', (chunk: Buffer) => {
      said.push(chunk.toString('utf8'));
      const line = /^READY (.*)$/m.exec(said.join(''));
      if (line === null) return;
      const [url = '', pid, wasAdopted] = (line[1] ?? '').split(' ');
      resolvePromise({ child, url, databasePid: Number(pid), wasAdopted: wasAdopted === 'true' });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new AppRefusal(said.join('').trim())));
  });
}

/** Ends an app process and waits until it is gone. */
export function endApp(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolvePromise) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolvePromise();
      return;
    }
    child.once('exit', () => resolvePromise());
    child.kill(signal);
  });
}

class AppRefusal extends Error {}
