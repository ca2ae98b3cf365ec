/** A server that tests run against. */
export interface UnderTest {
  readonly url: string;
  /** Folder of its data. */
  readonly data: string;
  /** Folder of its definitions. */
  readonly resources: string;
}

/** Secret of the silent login (ERP_TOKEN_SECRET) of the servers under test. */
export const TOKEN_SECRET = 'secret-of-browser-tests';

/** For the workers, which have the environment of the process that starts them. */
export function keepServers(servers: readonly UnderTest[]): void {
  process.env['E2E_SERVERS'] = JSON.stringify(servers);
}

/** The server of this worker: tests that run at the same time share nothing. */
export function serverUnderTest(): UnderTest {
  const { E2E_URL, E2E_DATA, E2E_RESOURCES, E2E_SERVERS, TEST_PARALLEL_INDEX } = process.env;
  if (E2E_URL !== undefined)
    return { url: E2E_URL, data: E2E_DATA ?? '', resources: E2E_RESOURCES ?? 'resources' };
  const servers = JSON.parse(E2E_SERVERS ?? '[]') as readonly UnderTest[];
  const server = servers[Number(TEST_PARALLEL_INDEX)];
  if (server === undefined) throw new TypeError('tests/e2e/support/global-setup.ts has not run');
  return server;
}
