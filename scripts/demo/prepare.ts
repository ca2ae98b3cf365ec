import { hashPassword } from '#server/kernel/passwords.ts';
import { DEMO_PASSWORD } from '#server/kernel/config.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import type { Services } from '#server/records/services.ts';
import { importHelp, makeDemoNews } from '#server/business/setup/import-articles.ts';
import { importCompany, importRoles } from '#server/business/setup/import-organisation.ts';
import { importReferenceData } from '#server/business/setup/import-reference-data.ts';
import { makeDemoData } from './make-demo-data.ts';
import { companiesOf, demoStaff } from '#server/business/setup/organisation.ts';

/** The demo: reference data, organisation and accounts of all companies, then the business of some (design section 6). */
export async function prepareDemo(
  services: Services,
  progress: (step: string) => void,
  owner: Database,
): Promise<void> {
  const { url, role } = services.db;
  const db = openDatabase({ url, role, poolSize: 12, settings: SETTINGS });
  const swift = { ...services, db };
  try {
    progress('导入国别、港口、HS 编码与汇率');
    await importReferenceData(swift);
    progress('导入组织与账号');
    // One hash for everybody: a hundred would take seconds.
    const password = await hashPassword(DEMO_PASSWORD);
    await importRoles(swift);
    await Promise.all(
      companiesOf(swift).map((company) =>
        importCompany(swift, { company, staff: demoStaff(swift, company.code), password }),
      ),
    );
    await importHelp(swift);
    if (services.config.hasDemoData) {
      await makeDemoData(swift, progress, { owner });
      // What the nights of two years would have done: agreements expire, idle partners may be claimed.
      await runDailyActions(swift);
      await makeDemoNews(swift);
    }
  } finally {
    await db.close();
  }
}

/**
 * Losing the last milliseconds at a power cut does no harm here: what is incomplete is made again. The same statements
 * come thousands of times: they are planned once a connection.
 */
const SETTINGS = '-c synchronous_commit=off -c plan_cache_mode=force_generic_plan';
