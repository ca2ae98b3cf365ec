/** Brings a backup (a folder, or a name below ERP_BACKUP_URL) into an empty database: `ERP_DATA_DIR=./data-new npm run restore -- <folder>`. */
import { join } from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { backupToRead } from '#server/kernel/backup/named-backup.ts';
import { restore } from '#server/kernel/backup/restore.ts';
import { startEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  const named = process.argv[2];
  if (named === undefined)
    throw new StartRefusal('请指定备份：npm run restore -- <备份目录，或 ERP_BACKUP_URL 下的名字>');
  const place = await backupToRead(config.backup, named);
  const server = config.databaseUrl === null ? await startEmbeddedPostgres(config) : null;
  try {
    const url = server?.url ?? config.ownerDatabaseUrl ?? config.databaseUrl ?? '';
    const filesFolder = config.s3 === null ? join(config.dataDir, 'files') : null;
    const { tables, files, createdAt } = await restore(place, { url, filesFolder });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`已恢复 ${createdAt} 的备份：${tables.length} 张表，${rows} 行，${files.length} 个文件`);
  } finally {
    await server?.stop();
  }
});
