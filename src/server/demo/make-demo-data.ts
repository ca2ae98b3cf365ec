import { type Database, openDatabase } from '../db/database.ts';
import type { Services } from '../services.ts';
import { makeDemoCompany, SCALES } from './demo-company/demo-company.ts';
import { wipeCompany } from './demo-company/wipe-company.ts';
import type { Scale } from './demo-company/world.ts';

const DONE = 'demo_company';
/** Without them there is no business to show (tests with definitions of their own). */
const NEEDED = ['partner', 'export_contract', 'shipment'] as const;

/** The business of the demo companies. A company that is complete is left alone, one that was cut short is made anew. */
export async function makeDemoData(
  services: Services,
  progress: (step: string) => void,
  scales: Readonly<Record<string, Scale>> = SCALES,
): Promise<void> {
  const catalog = services.definitions.catalog();
  if (NEEDED.some((name) => catalog.resources[name] === undefined)) return;
  // Losing the last milliseconds at a power cut does no harm here: an incomplete company is made again.
  const db = openDatabase({ url: services.db.url, poolSize: 10, settings: '-c synchronous_commit=off' });
  try {
    for (const [code, scale] of Object.entries(scales)) {
      if (await isComplete(db, code)) continue;
      await wipeCompany(db, catalog, code);
      await makeDemoCompany({ ...services, db }, { code, scale }, progress);
      await db.execute(
        `insert into sys_setting (co_code, key, value) values ($1, $2, to_jsonb($3::text))
         on conflict (co_code, key) do update set value = excluded.value, updated_at = now()`,
        [code, DONE, services.clock().toISOString()],
      );
    }
  } finally {
    await db.close();
  }
}

async function isComplete(db: Database, company: string): Promise<boolean> {
  const rows = await db.query('select 1 from sys_setting where co_code = $1 and key = $2', [company, DONE]);
  return rows.length > 0;
}
