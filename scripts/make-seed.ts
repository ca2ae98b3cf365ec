/**
 * Prepares first starts of the demo at installation: a data directory with tables, reference data, organisation and
 * accounts, in `dist/seed`. Without it a first start makes everything itself.
 */
import { rename, rm } from 'node:fs/promises';
import { prepareGround } from '#demo/prepare.ts';
import { readConfig } from '#server/kernel/config.ts';
import { isSeed, markSeed } from '#server/kernel/postgres/seed.ts';
import { type Prepare, startServer } from '#server/main.ts';

const { seedDir, resourcesDir } = readConfig(process.env);
const draft = `${seedDir}.${process.pid}`;
const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort());

const config = readConfig({
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  DATABASE_URL: '',
  ERP_DEMO: '1',
  ERP_DATA_DIR: draft,
  LOG_LEVEL: 'error',
});

/** What is copied at each first start is kept small: no room for later logs of the database, and every row ready to be read. */
const fill: Prepare = async (services, _, owner) => {
  await owner.query('alter system set wal_recycle = off');
  await owner.query('alter system set min_wal_size = "32MB"');
  await owner.query('select pg_reload_conf()');
  await prepareGround(services);
  await owner.query('vacuum (freeze, analyze)');
  await owner.query('alter system reset all');
  await owner.query('checkpoint');
};

if (await isSeed({ folder: seedDir, resourcesDir })) process.exit(0);
try {
  const server = await startServer(config, { prepare: fill, signal: stopping.signal });
  await server.close();
  await markSeed({ folder: draft, resourcesDir });
  await rm(seedDir, { recursive: true, force: true });
  await rename(draft, seedDir);
} finally {
  await rm(draft, { recursive: true, force: true });
}
process.exit(0);
