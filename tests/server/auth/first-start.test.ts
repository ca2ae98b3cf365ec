import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { type Config, readConfig } from '#server/kernel/config.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { startServer } from '#server/main.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { companyToday } from '#engine/values/dates.ts';
import { asRole, createTestDatabase, giveToRole, type TestDatabase } from '../../support/database.ts';
import { writeExample } from '../support/example-definitions.ts';

const KEY = 'a-production-key-of-32-bytes-!!!';
const SECRET = 'a secret of the silent login';

let database: TestDatabase;
let ordinaryUrl: string;
let definitions: Awaited<ReturnType<typeof writeExample>>;
let folder: string;

beforeAll(async () => {
  [database, definitions, folder] = await Promise.all([
    createTestDatabase(),
    writeExample(),
    mkdtemp(join(tmpdir(), 'erp-start-')),
  ]);
  const login = await asRole(database);
  await giveToRole(database, login.role);
  ordinaryUrl = login.url;
});
afterAll(async () => {
  await Promise.all([database.drop(), definitions.remove(), rm(folder, { recursive: true, force: true })]);
});

function production(env: Readonly<Record<string, string>> = {}): Config {
  const config = readConfig({
    PORT: '0', HOST: '127.0.0.1', DATABASE_URL: ordinaryUrl, ERP_AES_KEY: KEY, ERP_DATA_DIR: folder,
    ERP_RESOURCES_DIR: definitions.folder, LOG_LEVEL: 'error', ...env,
  }); // prettier-ignore
  return { ...config, webDir: join(folder, 'web') };
}

const post = async (url: string, body: unknown): Promise<{ status: number; data: never }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, data: ((await response.json()) as { data: never }).data };
};

describe('the first start in production', () => {
  it('is refused without a password for the administrator', async () => {
    await expect(startServer(production(), { prepare: prepareDatabase })).rejects.toThrow(
      /^配置错误：ERP_ADMIN_PASSWORD [^\n]+$/,
    );
  });

  it('is refused with a password that everybody tries first', async () => {
    const config = production({ ERP_ADMIN_PASSWORD: 'Password123' });
    await expect(startServer(config, { prepare: prepareDatabase })).rejects.toThrow(
      '配置错误：ERP_ADMIN_PASSWORD 是常见密码，请换一个',
    );
  });

  it('makes companies, roles and one administrator, who never signs in silently', async () => {
    const server = await startServer(
      production({ ERP_ADMIN_PASSWORD: 'Start-2026!', ERP_TOKEN_SECRET: SECRET, ERP_TOKEN_ACCOUNT: 'admin' }),
      { prepare: prepareDatabase },
    );
    try {
      const url = `${server.url}/erp/api/sys/login`;
      const signed = await post(url, { personid: 'admin', password: sealEnvelope('Start-2026!', KEY) });
      expect(signed).toMatchObject({ status: 200, data: { coCode: 'AA', roleIdList: ['AD'] } });
      const people = await server.services.db.query('select personid from person');
      expect(people).toEqual([{ personid: 'admin' }]);
      const erpToken = createHash('sha256')
        .update(`${companyToday(new Date())}42${SECRET}`)
        .digest('hex');
      expect((await post(url, { id: '42', erpToken })).status).toBe(400);
    } finally {
      await server.close();
    }
  });

  it('needs the password no more afterwards', async () => {
    const server = await startServer(production(), { prepare: prepareDatabase });
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    await server.close();
  });
});

describe('a start', () => {
  it('is refused when the pages were built with another transport key', async () => {
    const webDir = await mkdtemp(join(tmpdir(), 'erp-web-'));
    await writeFile(join(webDir, 'build.json'), JSON.stringify({ transportKey: 'other' }));
    await expect(startServer({ ...production(), webDir }, { prepare: prepareDatabase })).rejects.toThrow(
      /^ERP_AES_KEY /,
    );
    await rm(webDir, { recursive: true, force: true });
  });

  it('is refused on a port that is taken, and leaves nothing behind', async () => {
    const first = await startServer(production(), { prepare: prepareDatabase });
    const port = Number(new URL(first.url).port);
    await expect(startServer({ ...production(), port }, { prepare: prepareDatabase })).rejects.toThrow(
      StartRefusal,
    );
    await first.close();
  });
});
