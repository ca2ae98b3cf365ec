import { dropDatabases } from './database.ts';
import { startTestServer } from './test-server.ts';

/**
 * One PostgreSQL for the whole run: the one DATABASE_URL names, else an embedded one. Workers find it in their environment.
 * It is called for the run and for each of its projects.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env['ERP_TEST_RUN'] !== undefined) return async () => undefined;
  process.env['ERP_TEST_RUN'] = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  const given = process.env['DATABASE_URL'];
  const server = given === undefined || given === '' ? await startTestServer() : null;
  process.env['ERP_TEST_DATABASE_URL'] = server?.url ?? given;
  return async () => {
    if (server === null) await dropDatabases();
    await server?.stop();
  };
}
