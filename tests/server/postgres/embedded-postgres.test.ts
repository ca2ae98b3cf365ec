import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import { findPostmaster, stopPostmaster } from '#server/kernel/postgres/postmaster.ts';
import { findProcess } from '#server/kernel/postgres/process-identity.ts';
import { canReach } from '#server/kernel/postgres/system-user.ts';
import { type EmbeddedApp, endApp, runEmbeddedApp } from '../../support/run-app.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };

let folder: string;
let dataDir: string;
let apps: EmbeddedApp[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'erp-launcher-'));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
  apps = [];
});
afterEach(async () => {
  for (const { child } of apps) await endApp(child, 'SIGKILL');
  const left = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
  if (left !== null) await stopPostmaster(left.pid);
  await rm(folder, { recursive: true, force: true });
});

async function run(ids: { uid?: number; gid?: number } = {}): Promise<EmbeddedApp> {
  const app = await runEmbeddedApp(dataDir, ids);
  apps.push(app);
  return app;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function occupyAllConnections(url: string): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch {
      return;
    }
  }
}

describe('the embedded database', () => {
  it('starts on loopback with UTF-8, the builtin locale and a password only this user can read', async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    const [settings] = await ask(
      server.url,
      `select current_setting('server_encoding') as encoding, datlocprovider::text as provider, datlocale as locale,
              current_setting('fsync') as fsync, current_setting('listen_addresses') as listens
       from pg_database where datname = current_database()`,
    );
    expect(settings).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', fsync: 'on', listens: '127.0.0.1' }); // prettier-ignore
    await expect(ask(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    await server.stop();
    expect(await findProcess(server.pid)).toBeNull();
  });

  it('is reached by a socket in its folder, by TCP where that path is too long, and whatever a killed one left', async () => {
    const byTcp = 'select inet_client_addr() is not null as tcp';
    const server = await startEmbeddedPostgres({ dataDir });
    expect(await ask(server.url, byTcp)).toEqual([{ tcp: false }]);
    expect(await ask(server.url.replace(/\?.*/, ''), byTcp)).toEqual([{ tcp: true }]);
    const cluster = join(dataDir, 'postgres', 'cluster');
    const lock = join(cluster, `.s.PGSQL.${String((await findPostmaster(cluster))?.port)}.lock`);
    const left = await readFile(lock, 'utf8');
    await server.stop();
    // Its process number is another program's by now.
    await writeFile(lock, left.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
    const again = await startEmbeddedPostgres({ dataDir });
    expect(await ask(again.url, byTcp)).toEqual([{ tcp: false }]);
    await again.stop();
    const deep = await startEmbeddedPostgres({ dataDir: join(folder, 'x'.repeat(90)) });
    expect(await ask(deep.url, byTcp)).toEqual([{ tcp: true }]);
    await deep.stop();
  });

  it('has a role for the application and one for reports, also when it was made before there were any', async () => {
    const older = await startEmbeddedPostgres({ dataDir });
    await ask(older.url, 'drop role erp_app');
    await older.stop();
    for (const role of ['erp_app', 'erp_reader']) await rm(join(dataDir, 'postgres', `password-${role}`));
    const server = await startEmbeddedPostgres({ dataDir });
    const { application, reader } = server.roles;
    const me = 'select current_user as name, rolsuper as super from pg_roles where rolname = current_user';
    expect(await ask(application.url, me)).toEqual([{ name: 'erp_app', super: false }]);
    expect(await ask(reader.url, me)).toEqual([{ name: 'erp_reader', super: false }]);
    await expect(ask(application.url, 'create table x (y text)')).rejects.toThrow('permission denied');
    await server.stop();
  });

  it('keeps what was committed over a stop and a start', async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    await ask(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir });
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
  });

  it('loses nothing committed when the server itself is killed', async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    await ask(first.url, 'create table kept as select 7 as n');
    process.kill(first.pid, 'SIGKILL');
    while ((await findProcess(first.pid)) !== null) await new Promise((wake) => setTimeout(wake, 20));
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir });
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
  });

  it.runIf(process.platform === 'linux')(
    'leads a session of its own, out of reach of signals to its app',
    async () => {
      const server = await startEmbeddedPostgres({ dataDir });
      const stat = await readFile(`/proc/${server.pid}/stat`, 'utf8');
      const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      expect([group, session]).toEqual([String(server.pid), String(server.pid)]);
      await server.stop();
    },
  );

  it('of a crashed app is taken over with everything committed', async () => {
    const app = await run();
    await ask(app.url, 'create table kept as select 7 as n');
    await endApp(app.child, 'SIGKILL');
    const next = await startEmbeddedPostgres({ dataDir });
    expect(next).toMatchObject({ wasAdopted: true, pid: app.databasePid });
    expect(await ask(next.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await next.stop();
  });

  it('of a crashed app that no longer answers is stopped and started anew', async () => {
    const app = await run();
    await ask(app.url, 'create table kept as select 7 as n');
    await endApp(app.child, 'SIGKILL');
    await occupyAllConnections(app.url);
    const next = await startEmbeddedPostgres({ dataDir });
    expect(next.wasAdopted).toBe(false);
    expect(await ask(next.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await next.stop();
  });

  it('refuses a directory that a live process owns, naming it in one line', async () => {
    const app = await run();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`进程号 ${app.child.pid}`);
    await expect(run()).rejects.toThrow(/^数据目录 .*请先停止该进程.*$/);
    expect(await findEmbeddedPostgres(dataDir)).toBe(app.url);
  });

  it('gives its directory free when it is stopped', async () => {
    const app = await run();
    await endApp(app.child, 'SIGTERM');
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    const next = await startEmbeddedPostgres({ dataDir });
    await next.stop();
  });

  it('says in one line that its directory cannot be used', async () => {
    await writeFile(dataDir, 'a file');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/^数据目录 .* 不能使用：.*。$/);
    await rm(dataDir);
  });

  it('begins again when the first start was interrupted half way', async () => {
    await mkdir(join(dataDir, 'postgres', 'cluster.new'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'cluster.new', 'PG_VERSION'), '18');
    const server = await startEmbeddedPostgres({ dataDir });
    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.stop();
  });

  it.runIf(isRoot)('runs below a folder that only root may enter', async () => {
    await chmod(folder, 0o700);
    const server = await startEmbeddedPostgres({ dataDir });
    await ask(server.url, 'create table kept as select 7 as n');
    await server.stop();
    const next = await startEmbeddedPostgres({ dataDir });
    expect(await ask(next.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await next.stop();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it.runIf(isRoot)('runs for an ordinary user', async ({ skip }) => {
    if (!(await canReach(join(import.meta.dirname, 'x'), NOBODY))) skip('the checkout is closed to others');
    await mkdir(dataDir);
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    const app = await run(NOBODY);
    expect(await ask(app.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect((await stat(`/proc/${app.databasePid}`)).uid).toBe(NOBODY.uid);
    await endApp(app.child, 'SIGTERM');
    expect(await findProcess(app.databasePid)).toBeNull();
    expect(dirname(dataDir)).toBe(folder);
  });
});
