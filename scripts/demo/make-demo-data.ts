import type { Database } from '#server/kernel/db/database.ts';
import type { Services } from '#server/records/services.ts';
import { makeDemoCompany, SCALES } from '#demo/company/demo-company.ts';
import { demoProgress } from '#demo/company/demo-progress.ts';
import { wipeCompany } from '#demo/company/wipe-company.ts';
import type { Scale } from '#demo/company/world.ts';

const DONE = 'demo_company';
/** Without them there is no business to show (tests with definitions of their own). */
const NEEDED = ['partner', 'export_contract', 'shipment'] as const;

export interface DemoMaking {
  /** Takes away what was cut short, ledgers too. */
  readonly owner: Database;
  readonly scales?: Readonly<Record<string, Scale>>;
}

/**
 * The business of the demo companies, side by side: each waits for its own numbers. A company that is complete is left
 * alone, one that was cut short is made anew.
 */
export async function makeDemoData(
  services: Services,
  progress: (step: string) => void,
  making: DemoMaking,
): Promise<void> {
  const { owner, scales = SCALES } = making;
  const catalog = services.definitions.catalog();
  if (NEEDED.some((name) => catalog.resources[name] === undefined)) return;
  const onStep = demoProgress(scales, progress);
  const ends = await Promise.allSettled(
    Object.entries(scales).map(async ([code, scale]) => {
      if (await isComplete(services, code)) return;
      await wipeCompany(owner, catalog, code);
      await makeDemoCompany(services, { code, scale }, onStep);
      await services.db.execute(
        `insert into sys_setting (co_code, key, value) values ($1, $2, to_jsonb($3::text))
         on conflict (co_code, key) do update set value = excluded.value, updated_at = now()`,
        [code, DONE, services.clock().toISOString()],
      );
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function isComplete({ db }: Services, company: string): Promise<boolean> {
  const rows = await db.query('select 1 from sys_setting where co_code = $1 and key = $2', [company, DONE]);
  return rows.length > 0;
}
