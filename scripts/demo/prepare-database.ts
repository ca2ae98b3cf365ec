import { growDemoCompanies, prepareDemo } from './prepare.ts';
import { prepareProduction } from '#server/business/setup/prepare-production.ts';
import type { Growth } from '#server/main.ts';
import type { Database } from '#server/kernel/db/database.ts';
import type { Services } from '#server/records/services.ts';

const DONE = 'database_prepared';

/**
 * Fills a database that has never been filled: reference data and the openings of the demo companies, or the first
 * administrator. Several processes may start at once on one database: one fills, the others wait. A start that died
 * half-way is taken up again, so what fills must leave alone what is there. The rest of the demo is given back, to grow
 * behind.
 */
export async function prepareDatabase(
  services: Services,
  progress: (step: string) => void,
  owner: Database,
): Promise<Growth | null> {
  const { db, config } = services;
  if (!(await isPrepared(services))) {
    const client = await db.pool.connect();
    try {
      await client.query('set statement_timeout = 0; set lock_timeout = 0');
      await client.query("select pg_advisory_lock(hashtext('erp prepare'))");
      if (!(await isPrepared(services))) {
        await (config.isDemo
          ? prepareDemo(services, progress, owner)
          : prepareProduction(services, progress));
        await db.execute(
          `insert into sys_setting (co_code, key, value) values ('', $1, to_jsonb($2::text))
           on conflict (co_code, key) do update set value = excluded.value, updated_at = now()`,
          [DONE, services.clock().toISOString()],
        );
      }
    } finally {
      // The connection carries the lock and other limits: it is not given back.
      client.release(true);
    }
  }
  return config.demoData === 'none' ? null : (life) => growDemoCompanies(services, life);
}

async function isPrepared({ db }: Services): Promise<boolean> {
  const rows = await db.query(`select 1 from sys_setting where co_code = '' and key = $1`, [DONE]);
  return rows.length > 0;
}
