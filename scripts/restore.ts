/** Brings a backup (a folder, or a name below ERP_BACKUP_URL) into an empty database: `ERP_DATA_DIR=./data-new npm run restore -- <folder>`. */
import { join } from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { backupToRead } from '#server/kernel/backup/named-backup.ts';
import { restore } from '#server/kernel/backup/restore.ts';
import { startEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { runCommand } from './run-command.ts';

const MOST_NAMED = 20;

await runCommand(async () => {
  const config = readConfig(process.env);
  const named = process.argv[2];
  if (named === undefined)
    throw new StartRefusal('请指定备份：npm run restore -- <备份目录，或 ERP_BACKUP_URL 下的名字>');
  const place = await backupToRead(config.backup, named);
  const server = config.databaseUrl === null ? await startEmbeddedPostgres(config) : null;
  try {
    const url = server?.url ?? config.ownerDatabaseUrl ?? config.databaseUrl ?? '';
    const { dataDir } = config;
    const filesFolder = config.s3 === null ? join(dataDir, 'files') : null;
    const noting = { dataDir, at: new Date() };
    const restored = await restore(place, { url, filesFolder, noting });
    const { tables, files, createdAt, filesElsewhere, missingFiles } = restored;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`已恢复 ${createdAt} 的备份：${tables.length} 张表，${rows} 行，${files.length} 个文件`);
    if (filesElsewhere !== null) console.log(`附件不在本备份内（${filesElsewhere}），请另行恢复。`);
    for (const path of missingFiles.slice(0, MOST_NAMED)) console.error(`警告：附件 ${path} 不存在`);
    if (missingFiles.length > 0) {
      console.error(`警告：共${missingFiles.length}个附件不在 ${filesFolder ?? ''} 中`);
      process.exitCode = 1;
    }
  } finally {
    await server?.stop();
  }
});
