/** Copies database and files while the app may run: `npm run backup [-- <folder>]`. */
import { join, resolve } from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { backUp } from '#server/kernel/backup/backup.ts';
import { reachDatabase } from '#server/kernel/postgres/reach-database.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  const now = new Date();
  const stamp = now.toISOString().replaceAll(':', '').slice(0, 17);
  const folder = resolve(process.argv[2] ?? join(config.dataDir, 'backups', stamp));
  const database = await reachDatabase(config);
  try {
    const { s3 } = config;
    const source = {
      url: database.url,
      filesFolder: s3 === null ? join(config.dataDir, 'files') : null,
      ...(s3 === null ? {} : { filesElsewhere: `${s3.url}/${s3.bucket}` }),
    };
    const { manifest, missingFiles } = await backUp(source, folder, now);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `已备份到 ${folder}：${manifest.tables.length} 张表，${rows} 行，${manifest.files.length} 个文件`,
    );
    if (manifest.filesElsewhere !== null)
      console.log(`附件在对象存储 ${manifest.filesElsewhere} 中，不在本备份内，请另行备份。`);
    for (const path of missingFiles) console.error(`警告：附件 ${path} 不存在`);
  } finally {
    await database.release();
  }
});
