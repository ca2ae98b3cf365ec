import { growDemoCompanies, prepareDemo } from './prepare.ts';
import { prepareProduction } from '#server/business/setup/prepare-production.ts';
import type { Growth } from '#server/main.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { keepSetting, readSetting } from '#server/kernel/db/settings.ts';
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
        await keepSetting(db, DONE, services.clock().toISOString());
      }
    } finally {
      // The connection carries the lock and other limits: it is not given back.
      client.release(true);
    }
  }
  return config.demoData === 'none' ? null : (life) => growDemoCompanies(services, life);
}

async function isPrepared({ db }: Services): Promise<boolean> {
  return (await readSetting(db, DONE)) !== null;
}
