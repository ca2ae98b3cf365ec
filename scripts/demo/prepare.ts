import { hashPassword } from '#server/kernel/passwords.ts';
import { DEMO_PASSWORD } from '#server/kernel/config.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import type { Growth } from '#server/main.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import type { Services } from '#server/records/services.ts';
import { importHelp, makeDemoNews } from '#server/business/setup/import-articles.ts';
import { importCompany, importRoles } from '#server/business/setup/import-organisation.ts';
import { importSettings } from '#server/business/setup/import-settings.ts';
import { importReferenceData } from '#server/business/setup/import-reference-data.ts';
import { companiesOf, demoStaff } from '#server/business/setup/organisation.ts';
import { demoChapters } from '#demo/company/chapters.ts';
import { type Chapters, growDemo, openDemo } from './make-demo-data.ts';

/**
 * What a first user finds: reference data, organisation and accounts of all companies, and the first documents of one
 * (design section 6).
 */
export async function prepareDemo(
  services: Services,
  progress: (step: string) => void,
  owner: Database,
): Promise<void> {
  progress('导入国别、港口、HS 编码与汇率，组织与账号');
  await prepareGround(services);
  if (services.config.demoData === 'none') return;
  await withSwiftPool(services, NOBODY_WORKS, async (swift) => {
    const chapters = demoChapters();
    await openDemo(swift, {
      owner,
      chapters,
      tell: (percent, at) => progress(`建立首批示例单据 ${bar(percent)} ${percent}% ${at}`),
      // A start that is given up ends by its progress.
      signal: new AbortController().signal,
    });
    await makeDemoNews(swift);
  });
}

/**
 * Reference data, organisation, accounts and help of the demo. What is there stays, so that a first start passes over what
 * installation has prepared.
 */
export async function prepareGround(services: Services): Promise<void> {
  await withSwiftPool(services, NOBODY_WORKS, async (swift) => {
    // Neither needs the other: the database writes codes while accounts are made here.
    await Promise.all([importReferenceData(swift), importOrganisation(swift, demoChapters())]);
    await importHelp(swift);
  });
}

/** On a slow machine one part of the import may hold another up for long. */
const NOBODY_WORKS = { poolSize: 12, lockTimeoutMs: 0 };

/** Roles, companies, their people, and the settings of those that have documents at once. */
async function importOrganisation(swift: Services, chapters: Chapters): Promise<void> {
  // One hash for everybody: a hundred would take seconds.
  const password = await hashPassword(DEMO_PASSWORD);
  await importRoles(swift);
  await Promise.all(
    companiesOf(swift).map(async (company) => {
      await importCompany(swift, { company, staff: demoStaff(swift, company.code), password });
      // Until there are rows the shipped settings are in force: where nobody works yet they may come later.
      if (swift.config.demoData === 'none' || chapters[company.code]?.[0]?.isOpening === true)
        await importSettings(swift, company.code);
    }),
  );
}

/** The rest of the demo companies, behind people's work: by one process of those that serve a database. */
export async function growDemoCompanies(
  services: Services,
  { signal, tell }: Parameters<Growth>[0],
): Promise<void> {
  const client = await services.db.pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('erp demo')) as locked",
    );
    if (rows[0]?.locked !== true) return;
    await withSwiftPool(services, { poolSize: 6 }, async (swift) => {
      for (const { code } of companiesOf(swift)) await importSettings(swift, code);
      if (services.config.demoData !== 'full') return;
      const isGrown = await growDemo(swift, { chapters: demoChapters(), tell, signal });
      // What the nights of two years would have done: agreements expire, idle partners may be claimed.
      if (isGrown) await runDailyActions(swift);
    });
  } finally {
    client.release(true);
  }
}

async function withSwiftPool(
  services: Services,
  limits: { readonly poolSize: number; readonly lockTimeoutMs?: number },
  work: (swift: Services) => Promise<void>,
): Promise<void> {
  const { url, role } = services.db;
  const db = openDatabase({ url, role, ...limits, settings: SETTINGS });
  try {
    await work({ ...services, db });
  } finally {
    await db.close();
  }
}

const BAR = 24;

function bar(percent: number): string {
  const filled = Math.round((percent / 100) * BAR);
  return '█'.repeat(filled) + '░'.repeat(BAR - filled);
}

/**
 * Losing the last milliseconds at a power cut does no harm here: what is incomplete is made again. The same statements
 * come thousands of times: they are planned once a connection.
 */
const SETTINGS = '-c synchronous_commit=off -c plan_cache_mode=force_generic_plan';
