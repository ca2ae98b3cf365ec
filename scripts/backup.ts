/** Copies database and files while the app may run, to a new folder below ERP_BACKUP_URL: `npm run backup [-- <folder>]`. */
import { join } from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { backUp } from '#server/kernel/backup/backup.ts';
import { backupName, newBackup, UNSEALED_WARNING } from '#server/kernel/backup/named-backup.ts';
import { reachDatabase } from '#server/kernel/postgres/reach-database.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  const now = new Date();
  const place = newBackup(config.backup, { argument: process.argv[2], name: backupName(now) });
  const database = await reachDatabase(config);
  try {
    const { s3 } = config;
    const source = {
      url: database.url,
      dataDir: config.dataDir,
      filesFolder: s3 === null ? join(config.dataDir, 'files') : null,
      ...(s3 === null ? {} : { filesElsewhere: `${s3.url}/${s3.bucket}` }),
    };
    const { manifest, missingFiles } = await backUp(source, place, now);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `已备份到 ${place.name}：${manifest.tables.length} 张表，${rows} 行，${manifest.files.length} 个文件`,
    );
    if (manifest.filesElsewhere !== null)
      console.log(`附件在对象存储 ${manifest.filesElsewhere} 中，不在本备份内，请另行备份。`);
    if (config.backup.key === null) console.error(UNSEALED_WARNING);
    for (const path of missingFiles) console.error(`警告：附件 ${path} 不存在`);
  } finally {
    await database.release();
  }
});
