import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { type Config, DEMO_AES_KEY, DEMO_PASSWORD, readConfig } from '#server/kernel/config.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { type RunningServer, startServer, type StartOptions } from '#server/main.ts';
import { checkAnswer } from '../../support/contract-answers.ts';
import { createTestDatabase, type Template } from '../../support/database.ts';
import { EXAMPLE_FILES, writeExample } from './example-definitions.ts';

/** An answer of the API. */
export interface Reply {
  readonly status: number;
  readonly body: {
    readonly code: number;
    readonly msg: string;
    // Answers differ by call; tests read what they expect.
    readonly data: never;
    readonly requestId?: string;
    readonly problems?: readonly { path: string; code: string; message: string }[];
  };
  readonly headers: Headers;
}

export interface Example {
  readonly server: RunningServer;
  /** The database as the owner of its tables, for what the application may not do. */
  readonly owner: Database;
  readonly config: Config;
  readonly definitions: Awaited<ReturnType<typeof writeExample>>;
  /** Moves the server's clock. */
  readonly advance: (ms: number) => void;
  readonly call: (
    method: string,
    path: string,
    options?: {
      readonly body?: unknown;
      readonly token?: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ) => Promise<Reply>;
  /** Signs in as a demo account with a role; the token of the full session. */
  readonly signIn: (personid: string, roleId?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** The password of every demo account as the browser sends it. */
export function sealed(password: string = DEMO_PASSWORD): string {
  return sealEnvelope(password, DEMO_AES_KEY);
}

/** The example's tables with the demo's people, filled once a run. */
const PREPARED: Template = {
  key: JSON.stringify(EXAMPLE_FILES),
  fill: async (url) => {
    const [definitions, dataDir] = await Promise.all([writeExample(), mkdtemp(join(tmpdir(), 'erp-data-'))]);
    const config = configOn({ url, dataDir, definitions: definitions.folder });
    const server = await startServer(config, { prepare: prepareDatabase });
    await server.close();
    await Promise.all([definitions.remove(), rm(dataDir, { recursive: true, force: true })]);
  },
};

function configOn(
  at: { readonly url: string; readonly dataDir: string; readonly definitions: string },
  env: Readonly<Record<string, string>> = {},
): Config {
  return readConfig({
    PORT: '0',
    DATABASE_URL: at.url,
    ERP_DEMO: '1',
    ERP_DEMO_DATA: '0',
    ERP_DATA_DIR: at.dataDir,
    ERP_RESOURCES_DIR: at.definitions,
    LOG_LEVEL: 'error',
    ...env,
  });
}

/** A server with the example's definitions, a database of its own and the demo's people. */
export async function startExample(
  env: Readonly<Record<string, string>> = {},
  options: Pick<StartOptions, 'isRateLimited'> = {},
): Promise<Example> {
  const [database, definitions, dataDir] = await Promise.all([
    createTestDatabase(PREPARED),
    writeExample(),
    mkdtemp(join(tmpdir(), 'erp-data-')),
  ]);
  const config = configOn({ url: database.url, dataDir, definitions: definitions.folder }, env);
  let offsetMs = 0;
  let owner: Database | undefined;
  const server = await startServer(config, {
    ...options,
    clock: () => new Date(Date.now() + offsetMs),
    prepare: async (services, progress, databaseOwner) => {
      owner = databaseOwner;
      await prepareDatabase(services, progress, owner);
    },
  });
  if (owner === undefined) throw new Error('the database was not prepared');
  const call: Example['call'] = async (method, path, options = {}) => {
    const isRaw = typeof options.body === 'string' || options.body instanceof FormData;
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(options.body === undefined || options.body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
        ...(options.token === undefined ? {} : { authorization: options.token }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: isRaw ? options.body : JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson ? JSON.parse(text) : text;
    if (isJson) checkAnswer(method, path, response.status, body);
    return {
      status: response.status,
      body: body as Reply['body'],
      headers: response.headers,
    };
  };
  const signIn: Example['signIn'] = async (personid, roleId) => {
    const login = await call('POST', '/erp/api/sys/login', { body: { personid, password: sealed() } });
    const person = login.body.data as { authorization: string; id: string; roleIdList: string[] };
    if (login.status !== 200) throw new Error(`${personid}: ${login.body.msg}`);
    const placed = await call('POST', '/erp/api/sys/setPosition', {
      token: person.authorization,
      body: { ...person, roleId: roleId ?? person.roleIdList[0] },
    });
    if (placed.status !== 200) throw new Error(`${personid}: ${placed.body.msg}`);
    return (placed.body.data as { authorization: string }).authorization;
  };
  return {
    server,
    owner,
    config,
    definitions,
    advance: (ms) => {
      offsetMs += ms;
    },
    call,
    signIn,
    close: async () => {
      await server.close();
      await Promise.all([
        database.drop(),
        definitions.remove(),
        rm(dataDir, { recursive: true, force: true }),
      ]);
    },
  };
}
