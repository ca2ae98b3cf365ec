import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '#server/kernel/config.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { type DatabaseRoles, resolveRoles } from '#server/kernel/db/database-roles.ts';
import { EVERYBODY, openWalled, SEES_EVERYBODY } from '#server/kernel/db/walled-database.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { addJob } from '#server/kernel/worker.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { asRole, createTestDatabase, giveToRole, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract, aCustomer, aLedger } from '../../support/definitions.ts';
import { writeExample } from '../support/example-definitions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const catalog = aCatalog(aContract(), aLedger(), aCustomer());
const REFUSED = { sqlState: '42501' };
const warnings: string[] = [];

function resolve(urls: Partial<Parameters<typeof resolveRoles>[0]>): Promise<DatabaseRoles> {
  return resolveRoles(
    { databaseUrl: database.url, ownerUrl: null, readerUrl: null, isDemo: false, ...urls },
    (text) => warnings.push(text),
  );
}

/** Runs `work` on the tables of the catalog as each role sees them. */
async function withRoles(
  roles: DatabaseRoles,
  work: (as: { owner: Database; application: Database; reader: Database }) => Promise<void>,
): Promise<void> {
  const owner = openDatabase({ ...roles.owner, grantees: roles.grantees });
  const application = openDatabase(roles.application);
  const reader = openDatabase({ ...roles.reader, settings: SEES_EVERYBODY });
  try {
    await migrate(owner, catalog);
    await work({ owner, application, reader });
  } finally {
    await Promise.all([owner.close(), application.close(), reader.close()]);
  }
}

describe('the roles of a configured database', () => {
  it('refuse a superuser in production, in one line that names the mend', async () => {
    await expect(resolve({})).rejects.toThrow(
      /^配置错误：DATABASE_URL .*超级用户.*ERP_OWNER_DATABASE_URL[^\n]*$/,
    );
    const { url } = await asRole(database);
    await expect(resolve({ databaseUrl: url, readerUrl: database.url })).rejects.toThrow(
      /^配置错误：ERP_READER_DATABASE_URL /,
    );
    await expect(resolve({ databaseUrl: `${database.url}_gone`, isDemo: true })).rejects.toThrow(
      '无法连接数据库，请检查 DATABASE_URL',
    );
  });

  it('are put on by a superuser in a demo, so that the application is none', async () => {
    await withRoles(await resolve({ isDemo: true }), async ({ application, reader }) => {
      const [me] = await application.query(
        `select current_user as name, (select rolsuper from pg_roles where rolname = current_user) as super`,
      );
      expect(me).toEqual({ name: 'erp_app', super: false });
      expect(await reader.query('select current_user as name')).toEqual([{ name: 'erp_reader' }]);
    });
  });

  it('open ledgers and the audit only to grow, all else to work, and everything to reports only to read', async () => {
    await withRoles(await resolve({ isDemo: true }), async ({ owner, application, reader }) => {
      const id = '00000000-0000-7000-8000-000000000001';
      await application.execute(`insert into ledger_entry (co_code, id) values ('AA', $1)`, [id]);
      await application.execute(
        `insert into sys_audit (id, resource, action) values ($1, 'contract', 'create')`,
        [id],
      );
      for (const table of ['ledger_entry', 'sys_audit', 'sys_login_log'])
        for (const text of [`delete from ${table}`, `update ${table} set id = id`, `truncate ${table}`])
          await expect(application.execute(text)).rejects.toMatchObject(REFUSED);
      await expect(owner.execute('delete from ledger_entry')).rejects.toMatchObject({ kind: 'append_only' });
      await application.execute(`insert into customer (co_code, id) values ('AA', $1)`, [id]);
      await application.execute(`update customer set name = '甲'`);
      await application.execute('delete from customer');
      await expect(application.execute('alter table customer add x text')).rejects.toMatchObject(REFUSED);
      await expect(application.execute('create table mine (x text)')).rejects.toMatchObject(REFUSED);
      await expect(application.execute('update sys_schema set value = value')).rejects.toMatchObject(REFUSED);
      expect(await reader.query('select 1 from ledger_entry')).toHaveLength(1);
      await expect(reader.execute('delete from customer')).rejects.toMatchObject(REFUSED);
      await expect(reader.query('select * from sys_session')).rejects.toMatchObject(REFUSED);
    });
  });

  it('read behind the wall of a company and of a partner, whatever a statement asks for', async () => {
    const roles = await resolve({ isDemo: true });
    await withRoles(roles, async ({ owner, application, reader }) => {
      const deals = aCustomer({
        resource: 'deal',
        fields: {
          name: { type: 'text', title: '名称' },
          partner_id: { type: 'reference', title: '委托方', to: 'customer' },
        },
      });
      const walled = openWalled({ ...roles.reader, poolSize: 2 });
      const bare = openDatabase(roles.reader);
      const id = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;
      const seen = async (company: string, partner: string): Promise<string> => {
        const rows = await walled.behind({ company, partner }).query('select name from deal order by id');
        return rows.map(({ name }) => String(name)).join('');
      };
      try {
        await migrate(owner, aCatalog(deals, aCustomer()));
        const rows = [[1, 'AA', 7, '甲'], [2, 'AA', 8, '乙'], [3, 'AE', 7, '丙']] as const; // prettier-ignore
        for (const [n, company, partner, name] of rows)
          await application.execute(
            'insert into deal (co_code, id, partner_id, name) values ($1, $2, $3, $4)',
            [company, id(n), id(partner), name],
          );
        // Turns on two connections, so that each changes its wall again and again.
        const turns = [['AA', '*', '甲乙'], ['AE', '*', '丙'], ['AA', id(7), '甲'], ['AA', id(9), ''], ['AE', id(8), ''], ['*', id(7), '甲丙'], ['BB', '*', '']] as const; // prettier-ignore
        const asked = Array.from({ length: 5 }, () => turns).flat();
        expect(await Promise.all(asked.map(([company, partner]) => seen(company, partner)))).toEqual(
          asked.map(([, , names]) => names),
        );
        // A connection that nobody opened for a company sees nothing; the system and the application see all.
        expect(await bare.query('select 1 from deal')).toHaveLength(0);
        expect(await reader.query('select 1 from deal')).toHaveLength(3);
        expect(await application.query('select 1 from deal')).toHaveLength(3);
        const own = walled.behind({ company: 'AA', partner: EVERYBODY });
        await expect(own.query('delete from deal')).rejects.toMatchObject(REFUSED);
        // The wall follows the definitions: without a partner in them only the company counts.
        await migrate(owner, aCatalog(aCustomer({ resource: 'deal' }), aCustomer()));
        expect(await seen('AA', id(9))).toBe('甲乙');
        await migrate(owner, aCatalog(deals, aCustomer()));
        expect(await seen('AA', id(9))).toBe('');
      } finally {
        await Promise.all([walled.close(), bare.close()]);
      }
    });
  });

  it('find amounts by index behind the wall, which needs comparisons of numbers that are marked tight', async () => {
    const roles = await resolve({ isDemo: true });
    await withRoles(roles, async ({ owner, application }) => {
      const fields = {
        name: { type: 'text', title: '名称' },
        amount: { type: 'decimal', title: '余数' },
      } as const;
      const deal = aCustomer({ resource: 'open_deal', fields, indexes: [['amount']] });
      const walled = openWalled({ ...roles.reader, poolSize: 1 });
      try {
        await migrate(owner, aCatalog(deal));
        await application.execute(
          `insert into open_deal (co_code, id, amount) select 'AA', gen_random_uuid(), n % 500 / 499 from generate_series(1, 5000) n`,
        );
        await owner.execute('analyze open_deal');
        const own = walled.behind({ company: 'AA', partner: EVERYBODY });
        const plan = await own.query(
          `explain select id from open_deal where co_code = 'AA' and amount > 0::numeric`,
        );
        expect(JSON.stringify(plan)).toMatch(/Index Cond: [^"]*amount/);
      } finally {
        await walled.close();
      }
    });
  });

  it('follow the definitions: a table that becomes append-only closes, a new one opens', async () => {
    const roles = await resolve({ isDemo: true });
    await withRoles(roles, async ({ owner, application }) => {
      const next = aCatalog(
        aContract({ appendOnly: true }),
        aLedger(),
        aCustomer(),
        aCustomer({ resource: 'goods' }),
      );
      await migrate(owner, next);
      await expect(application.execute('update contract set id = id')).rejects.toMatchObject(REFUSED);
      expect(await application.execute('update goods set id = id')).toBe(0);
      await migrate(owner, catalog);
      expect(await application.execute('update contract set id = id')).toBe(0);
    });
  });

  it('come from logins of their own in production', async () => {
    const own = await createTestDatabase();
    const [owner, application, reader] = [await asRole(own), await asRole(own), await asRole(own)];
    await giveToRole(own, owner.role);
    const urls = { databaseUrl: application.url, ownerUrl: owner.url, readerUrl: reader.url };
    await withRoles(await resolve(urls), async (as) => {
      await expect(as.application.execute('delete from sys_audit')).rejects.toMatchObject(REFUSED);
      expect(await as.application.execute('delete from customer')).toBe(0);
      await expect(as.reader.execute('delete from customer')).rejects.toMatchObject(REFUSED);
      expect(await as.reader.query('select * from customer')).toEqual([]);
    });
    await own.drop();
  });

  it('are one, with a word about it, where a login may not put on another', async () => {
    const own = await createTestDatabase();
    const login = await asRole(own);
    await giveToRole(own, login.role);
    warnings.length = 0;
    const roles = await resolve({ databaseUrl: login.url });
    expect(roles.grantees).toBeNull();
    expect(warnings.join()).toContain(`"${login.role}" 不能切换到角色 erp_app`);
    await withRoles(roles, async ({ application }) => {
      await expect(application.execute('delete from ledger_entry')).rejects.toMatchObject({
        kind: 'append_only',
      });
    });
    await own.drop();
  });
});

describe('a server in production', () => {
  let server: RunningServer;
  let own: TestDatabase;
  let folder: string;
  let definitions: Awaited<ReturnType<typeof writeExample>>;

  beforeAll(async () => {
    [own, definitions, folder] = await Promise.all([
      createTestDatabase(),
      writeExample(),
      mkdtemp(join(tmpdir(), 'erp-roles-')),
    ]);
    const [owner, application] = [await asRole(own), await asRole(own)];
    await giveToRole(own, owner.role);
    const config: Config = readConfig({
      PORT: '0', HOST: '127.0.0.1', DATABASE_URL: application.url, ERP_OWNER_DATABASE_URL: owner.url,
      ERP_AES_KEY: '0123456789abcdef', ERP_DATA_DIR: folder, ERP_RESOURCES_DIR: definitions.folder, LOG_LEVEL: 'fatal',
    }); // prettier-ignore
    // Pages that somebody has built here have a key of their own.
    server = await startServer({ ...config, webDir: join(folder, 'web') });
  });
  afterAll(async () => {
    await server.close();
    await Promise.all([own.drop(), definitions.remove(), rm(folder, { recursive: true, force: true })]);
  });

  it('works off jobs under the role of the application', async () => {
    const { db } = server.services;
    await db.execute(`insert into sys_idempotency (key, body_hash, at) values ('old', '', '2020-01-01')`);
    await addJob(db, 'clean_up', null);
    await expect.poll(() => db.query('select 1 from sys_idempotency'), { timeout: 20_000 }).toEqual([]);
  });

  it('takes up a changed definition, whose table only its owner can make', async () => {
    await definitions.write('x/thing.json', {
      resource: 'thing',
      title: '物品',
      kind: 'master',
      label: 'name',
      fields: { name: { type: 'text', title: '名称' } },
      access: [{ role: 'AD', do: ['*'] }],
    });
    await expect
      .poll(() => server.services.db.query('select 1 from thing').catch(() => null), { timeout: 10_000 })
      .toEqual([]);
  });
});
