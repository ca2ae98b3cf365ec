import type { ImportResult } from '#contract/transfer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { keepAnswer, keepGoing } from '#server/records/write/keep-answer.ts';
import { afterWrite, inTransaction, requireWritable } from '#server/records/write/save-record.ts';
import { tellGathered } from '#server/workflow/events/deliver-event.ts';
import { beginGathering, joinGathered, takeGathered } from '#server/workflow/events/gathered-events.ts';
import { auditImport } from './audit-transfer.ts';
import { shownRows } from './check-import.ts';
import { refusePastSecond } from './import-fault.ts';
import {
  type ClaimedImport,
  claimImport,
  endImport,
  type ImportProgress,
  noteStretch,
  releaseImport,
} from './import-progress.ts';
import { type KeptImport, type KeptRow, readImport } from './import-store.ts';
import { judgeRows, TakenKeys } from './judge-rows.ts';
import { writeJudged } from './write-judged.ts';
import { stretchesOf } from './writing-order.ts';

/** What a commit is answered with. */
export const IMPORTED = '导入完成';

/**
 * Writes the good rows of a checked file, each once, in stretches that are a transaction each: numbers and balances are
 * held for seconds, whatever the file's length. A try that fails leaves what its stretches have written, and the next
 * one goes on behind them. Every row is judged again: what changed since the check is skipped and told, never written
 * over.
 */
export async function commitImport(call: Call, id: string): Promise<ImportResult> {
  requireWritable(call);
  refusePastSecond(call);
  const writing: Writing = {
    call,
    requireSameDefinitions: definitionsGuard(call),
    taken: new TakenKeys(),
    claimed: await claimImport(call, id),
  };
  try {
    const kept = await readImport(call.services.db, call, id);
    const progress = await writeRows(writing, kept);
    return await inTransaction(call, (tx) => finish(tx, writing, { kept, progress }));
  } catch (error) {
    // A database that is away frees it by itself, a little later.
    await releaseImport(call, writing.claimed).catch(() => undefined);
    throw error;
  } finally {
    await afterWrite(call);
  }
}

interface Writing {
  readonly call: Call;
  readonly requireSameDefinitions: () => void;
  readonly taken: TakenKeys;
  readonly claimed: ClaimedImport;
}

/** A stretch that begins under other definitions than those of the call would be written as those before said. */
function definitionsGuard({ services: { definitions } }: Call): () => void {
  const catalog = definitions.catalog();
  return () => {
    if (definitions.catalog() !== catalog)
      throw new AppError('CONFLICT', { message: '写入期间系统定义已更新，请重试，将从中断处继续' });
  };
}

async function writeRows(writing: Writing, { rows }: KeptImport): Promise<ImportProgress> {
  const { call, claimed } = writing;
  let { progress } = claimed;
  const left = rows.filter(({ kind, row }) => kind !== 'error' && !claimed.done.has(row));
  for (const stretch of stretchesOf(call.resource, left)) {
    const before = progress;
    progress = await inTransaction(call, (tx) => writeStretch(tx, writing, { stretch, before }));
  }
  return progress;
}

async function writeStretch(
  tx: Tx,
  writing: Writing,
  { stretch, before }: { readonly stretch: readonly (readonly KeptRow[])[]; readonly before: ImportProgress },
): Promise<ImportProgress> {
  const { call, taken, claimed } = writing;
  writing.requireSameDefinitions();
  beginGathering(tx);
  const refused = new Map<number, KeptRow['errors']>();
  let { created, updated } = before;
  for (const batch of stretch) {
    const rows = batch.map(({ row, body, id, version }) => ({ row, body, id, version, problems: [] }));
    const judging = { taken, isLocking: true, withChecks: false };
    const written = await writeJudged(tx, call, await judgeRows(tx, call, { rows, judging }));
    created += written.created;
    updated += written.updated;
    for (const [row, problems] of written.refused) refused.set(row, problems);
    await letOthers();
  }
  const rows = stretch.flatMap((batch) => batch.map(({ row }) => row));
  const progress: ImportProgress = {
    created,
    updated,
    refused: new Map([...before.refused, ...refused]),
    told: joinGathered(before.told, takeGathered(tx)),
  };
  await keepGoing(tx, call.caller);
  await noteStretch(tx, claimed, { rows, progress, refused });
  return progress;
}

async function finish(
  tx: Tx,
  { call, claimed }: Writing,
  { kept, progress }: { readonly kept: KeptImport; readonly progress: ImportProgress },
): Promise<ImportResult> {
  const { created, updated, refused, told } = progress;
  const rows = kept.rows.map((row): KeptRow => {
    const errors = refused.get(row.row);
    return errors === undefined ? row : { ...row, kind: 'error', errors };
  });
  await endImport(tx, claimed, { ...kept, rows });
  await tellGathered(tx, call.services, told);
  const counts = { created, updated, skipped: rows.length - created - updated };
  await auditImport(tx, call, { fileName: claimed.fileName, ...counts });
  const result = { ...counts, rows: shownRows(rows.filter(({ row }) => refused.has(row))) };
  await keepAnswer(tx, call.caller, result, IMPORTED);
  return result;
}
