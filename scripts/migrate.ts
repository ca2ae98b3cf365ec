/**
 * What the definitions still want of the tables, and what the start leaves to the operator: changed types, stricter
 * rules that rows break, drops. `npm run migrate` shows the plan, `-- --apply` does what runs by itself,
 * `-- --only note.drop_amount` shows one step, with `--apply` does it.
 */
import { parseArgs } from 'node:util';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readConfig } from '#server/kernel/config.ts';
import { backUp } from '#server/kernel/backup/backup.ts';
import { backupName, newBackup, UNSEALED_WARNING } from '#server/kernel/backup/named-backup.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { announce } from '#server/kernel/db/message-bus.ts';
import { applyStep, migrate, planMigration } from '#server/kernel/migrations/migrate.ts';
import { describeStep, type Step, type StepKind, stepId } from '#server/kernel/migrations/migration-step.ts';
import { hashText, readDefinitionFiles } from '#server/records/definitions/definition-files.ts';
import { DEFINITIONS_CHANGED } from '#server/records/definitions/definition-store.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { reachDatabase } from '#server/kernel/postgres/reach-database.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { runCommand } from './run-command.ts';

const KINDS: Readonly<Record<StepKind, string>> = {
  additive: '自动执行的步骤（启动时也会执行）',
  explicit: '须逐个确认的步骤，执行之前该资源沿用上一版本',
  blocked: '有记录或定义妨碍的步骤，须先处理',
  optional: '定义不再使用的表与列，可移入隔离区（保留30天）',
};

await runCommand(async () => {
  const { only, apply } = readArguments();
  const config = readConfig(process.env);
  const catalog = await readCatalog(config.resourcesDir);
  const database = await reachDatabase(config);
  const db = openDatabase({ url: database.url, poolSize: 2 });
  try {
    const plan = await planMigration(db, catalog);
    if (only === undefined) showPlan(plan);
    else showStep(findStep(plan, only));
    if (!apply) return;
    if (only === undefined)
      await migrate(db, catalog, { onResource: (resource) => console.log(`执行 ${resource}`) });
    else {
      const now = new Date();
      const place = newBackup(config.backup, { name: `${backupName(now)}-before-migration` });
      // Files are not touched by a migration.
      const { dataDir } = config;
      await backUp({ url: database.url, filesFolder: null, filesElsewhere: '未备份', dataDir }, place, now);
      console.log(`已备份数据库到 ${place.name}`);
      if (config.backup.key === null) console.error(UNSEALED_WARNING);
      await applyStep(db, catalog, only);
    }
    await tellServers(db);
    console.log('已完成');
  } finally {
    await db.close();
    await database.release();
  }
});

function readArguments(): { readonly only: string | undefined; readonly apply: boolean } {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, apply: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    });
    return { only: values.only, apply: values.apply === true && values['dry-run'] !== true };
  } catch (error) {
    throw new StartRefusal('用法：npm run migrate [-- [--only <资源>.<步骤>] [--apply]]', error);
  }
}

async function readCatalog(folder: string): Promise<Catalog> {
  registerTradeFunctions();
  const files = await readDefinitionFiles(folder, 'resources');
  const { catalog, faults } = loadDefinitions(files, hashText, lintExtras());
  if (catalog === null) throw new StartRefusal(faults.map(formatFault).join('\n'));
  return catalog;
}

function findStep(plan: readonly Step[], id: string): Step {
  const found = plan.find((step) => stepId(step) === id);
  if (found !== undefined) return found;
  throw new StartRefusal(`没有待执行的步骤 ${id}；用 npm run migrate 查看全部。`);
}

function showPlan(plan: readonly Step[]): void {
  if (plan.length === 0) console.log('数据表与定义一致。');
  for (const [kind, title] of Object.entries(KINDS)) {
    const steps = plan.filter((step) => step.kind === kind);
    if (steps.length === 0) continue;
    console.log(`${title}：`);
    for (const step of steps) console.log(`  ${stepId(step)}  ${describeStep(step)}`);
  }
}

function showStep(step: Step): void {
  console.log(`${stepId(step)}  ${describeStep(step)}`);
  for (const { sql } of step.statements) console.log(`    ${sql.replaceAll('\n', '\n    ')}`);
  if (step.quarantine !== undefined) console.log('    原有内容先移入 quarantine，保留30天');
}

/** Running servers look at their files again: what waited for this step may be served now. */
async function tellServers(db: Database): Promise<void> {
  await announce(db, { topic: DEFINITIONS_CHANGED, ids: [], from: 'migrate' });
}
