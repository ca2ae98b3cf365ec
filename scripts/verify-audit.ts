/** Goes over the whole audit and names what was changed: `npm run verify-audit`; exit code 1 when anything was. */
import { readConfig } from '#server/kernel/config.ts';
import { notedHeads } from '#server/kernel/audit/noted-heads.ts';
import { sealAudit } from '#server/kernel/audit/seal-audit.ts';
import { verifyAudit } from '#server/kernel/audit/verify-audit.ts';
import { openDatabase } from '#server/kernel/db/database.ts';
import { reachDatabase } from '#server/kernel/postgres/reach-database.ts';
import { describeFault } from '#server/workflow/jobs/verify-audit.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  const database = await reachDatabase(config);
  const db = openDatabase({ url: database.url, poolSize: 2 });
  try {
    await sealAudit(db);
    const noted = await notedHeads(config.dataDir).read();
    const { links, head, faults, total, restoredAt } = await verifyAudit(db, noted);
    for (const fault of faults) console.error(describeFault(fault, (key) => key));
    if (total > faults.length) console.error(`……共${total}处`);
    console.log(`已核对 ${links} 条操作记录${head === null ? '' : `，链头 ${head.seq} ${head.hash}`}`);
    if (restoredAt !== null) console.log(`数据曾于 ${restoredAt} 由备份恢复，操作记录从备份的链头接续。`);
    if (total > 0) process.exitCode = 1;
  } finally {
    await db.close();
    await database.release();
  }
});
