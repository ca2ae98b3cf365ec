import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Catalog } from '#engine/schema/resource.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { openDatabase } from '#server/kernel/db/database.ts';

export interface TestDatabase {
  /** As the superuser of the test server. */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** What a template holds, and how it is filled. */
export interface Template {
  /** Different content, different key. */
  readonly key: string;
  readonly fill: (url: string) => Promise<void>;
}

/**
 * A database of its own for one test file, in the state that `template` describes (without one: empty). The template
 * is made once a run and copied.
 */
export async function createTestDatabase(template?: Template): Promise<TestDatabase> {
  const name = `${runPrefix()}${randomBytes(6).toString('hex')}`;
  await withServer(async (server) => {
    const source = template === undefined ? null : await ensureTemplate(server, template);
    await server.query(
      source === null
        ? `create database ${name} template template0 encoding 'UTF8'`
        : `create database ${name} template ${source} strategy file_copy`,
    );
  });
  return {
    url: urlOf(name),
    drop: () =>
      withServer(async (server) => {
        await server.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** An address of the database under a role of its own, made with these options (`createrole`); the role goes with the test server. */
export async function asRole(
  database: Pick<TestDatabase, 'url'>,
  options = '',
): Promise<{ readonly url: string; readonly role: string }> {
  const role = `${runPrefix()}r_${randomBytes(4).toString('hex')}`;
  const url = new URL(database.url);
  await withServer((server) => server.query(`create role ${role} login password 'secret' ${options}`));
  [url.username, url.password] = [role, 'secret'];
  return { url: url.href, role };
}

/** Gives a database to a role of its own, as an administrator does before a first start in production. */
export async function giveToRole(database: Pick<TestDatabase, 'url'>, role: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${role}`);
    await client.query(`alter schema public owner to ${role}`);
  } finally {
    await client.end();
  }
}

/** A database with the tables of a catalog. */
export function createCatalogDatabase(catalog: Catalog): Promise<TestDatabase> {
  return createTestDatabase({
    key: JSON.stringify(catalog.resources),
    fill: async (url) => {
      const db = openDatabase({ url });
      try {
        await migrate(db, catalog);
      } finally {
        await db.close();
      }
    },
  });
}

/** Removes whatever this run left on the server. */
export async function dropDatabases(): Promise<void> {
  await withServer(async (server) => {
    const { rows } = await server.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [runPrefix()],
    );
    for (const { datname } of rows) await server.query(`drop database if exists ${datname} with (force)`);
  });
}

async function ensureTemplate(server: Client, template: Template): Promise<string> {
  const hash = createHash('sha256').update(template.key).digest('hex').slice(0, 12);
  const name = `${runPrefix()}t_${hash}`;
  // Test files run in several processes: one fills, the others wait.
  await server.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return name;
    const draft = `${name}_draft`;
    await server.query(`drop database if exists ${draft} with (force)`);
    await server.query(`create database ${draft} template template0 encoding 'UTF8'`);
    await template.fill(urlOf(draft));
    // What cleans up by itself may still be there.
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [draft]);
    await server.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await server.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}

async function withServer<T>(use: (server: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function serverUrl(): string {
  const url = process.env['ERP_TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('tests/support/global-setup.ts has not run');
  return url;
}

function runPrefix(): string {
  return `erp_test_${process.env['ERP_TEST_RUN'] ?? ''}_`;
}
