import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

/** An app process of its own. */
export interface AppProcess {
  readonly child: ChildProcess;
  readonly url: string;
}

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Starts another app process on a database that is prepared already. */
export function startProcess(on: {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly resourcesDir: string;
}): Promise<AppProcess> {
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), path.join(ROOT, 'tests/support/run-server.ts')],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: '0',
        HOST: '127.0.0.1',
        DATABASE_URL: on.databaseUrl,
        ERP_DEMO: '1',
        ERP_DATA_DIR: on.dataDir,
        ERP_RESOURCES_DIR: on.resourcesDir,
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      const url = /^READY (.*)$/m.exec(said)?.[1];
      if (url !== undefined) resolve({ child, url });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new TypeError(said.slice(-2_000))));
  });
}
