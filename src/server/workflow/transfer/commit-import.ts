import type { ImportResult } from '#contract/transfer.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { afterWrite, inTransaction, requireWritable } from '#server/records/write/save-record.ts';
import { tellGathered } from '#server/workflow/events/deliver-event.ts';
import { beginGathering } from '#server/workflow/events/gathered-events.ts';
import { auditImport } from './audit-transfer.ts';
import { shownRows } from './check-import.ts';
import { refusePastSecond } from './import-fault.ts';
import { claimImport, type KeptRow, readImport, updateImport } from './import-store.ts';
import { judgeRows, TakenKeys } from './judge-rows.ts';
import { writeJudged } from './write-judged.ts';
import { writingBatches } from './writing-order.ts';

/**
 * Writes the good rows of a checked file, in one transaction and once. Every row is judged again: what changed since
 * the check is skipped and told, never written over.
 */
export async function commitImport(call: Call, id: string): Promise<ImportResult> {
  requireWritable(call);
  refusePastSecond(call);
  const result = await inTransaction(call, async (tx) => {
    const { titles, lineTitles = null, rows } = await readImport(tx, call, id);
    const fileName = await claimImport(tx, call, id);
    beginGathering(tx);
    const taken = new TakenKeys();
    const refused = new Map<number, KeptRow['errors']>();
    let created = 0;
    let updated = 0;
    const good = rows.filter(({ kind }) => kind !== 'error');
    for (const batch of writingBatches(call.resource, good)) {
      const candidates = batch.map(({ row, body, id: record, version }) => ({
        row,
        body,
        id: record,
        version,
        problems: [],
      }));
      const judged = await judgeRows(tx, call, {
        rows: candidates,
        judging: { taken, isLocking: true, withChecks: false },
      });
      const written = await writeJudged(tx, call, judged);
      created += written.created;
      updated += written.updated;
      for (const [row, problems] of written.refused) refused.set(row, problems);
      await letOthers();
    }
    const content = {
      titles,
      lineTitles,
      rows: rows.map((row): KeptRow => {
        const errors = refused.get(row.row);
        return errors === undefined ? row : { ...row, kind: 'error', errors };
      }),
    };
    await updateImport(tx, id, content);
    await tellGathered(tx, call.services);
    const lost = content.rows.filter(({ row }) => refused.has(row));
    const counts = { created, updated, skipped: rows.length - created - updated };
    await auditImport(tx, call, { fileName, ...counts });
    return { ...counts, rows: shownRows(lost) };
  });
  await afterWrite(call);
  return result;
}
