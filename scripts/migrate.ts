/**
 * The explicit migration: what the start refuses to do by itself (drop, narrow, retype).
 * `npm run migrate -- --dry-run` shows it, `--apply` does it after a backup.
 */
import { join } from 'node:path';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readConfig } from '#server/kernel/config.ts';
import { backUp } from '#server/kernel/backup/backup.ts';
import { openDatabase } from '#server/kernel/db/database.ts';
import { migrateDestructively, previewMigration, type Step } from '#server/kernel/migrations/migrate.ts';
import { hashText, readDefinitionFiles } from '#server/records/definitions/definition-files.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { reachDatabase } from '#server/kernel/postgres/reach-database.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const mode = process.argv[2];
  if (mode !== '--dry-run' && mode !== '--apply')
    throw new StartRefusal('用法：npm run migrate -- --dry-run 或 npm run migrate -- --apply');
  const config = readConfig(process.env);
  const catalog = await readCatalog(config.resourcesDir);
  const database = await reachDatabase(config);
  const db = openDatabase({ url: database.url, poolSize: 2 });
  try {
    const { additive, destructive } = await previewMigration(db, catalog);
    show('不丢失数据的改动', additive);
    show('可能丢失数据的改动', destructive);
    if (mode === '--dry-run' || additive.length + destructive.length === 0) return;
    const stamp = new Date().toISOString().replaceAll(':', '').slice(0, 17);
    const folder = join(config.dataDir, 'backups', `${stamp}-before-migration`);
    // Files are not touched by a migration.
    await backUp({ url: database.url, filesFolder: null, filesElsewhere: '未备份' }, folder, new Date());
    console.log(`已备份数据库到 ${folder}`);
    await migrateDestructively(db, catalog);
    console.log('已完成');
  } finally {
    await db.close();
    await database.release();
  }
});

async function readCatalog(folder: string): Promise<Catalog> {
  registerTradeFunctions();
  const files = await readDefinitionFiles(folder, 'resources');
  const { catalog, faults } = loadDefinitions(files, hashText, lintExtras());
  if (catalog === null) throw new StartRefusal(faults.map(formatFault).join('\n'));
  return catalog;
}

function show(title: string, steps: readonly Step[]): void {
  console.log(`${title}：${steps.length === 0 ? '无' : ''}`);
  for (const { says, sql } of steps) console.log(`  ${says}\n    ${sql.replaceAll('\n', '\n    ')}`);
}
