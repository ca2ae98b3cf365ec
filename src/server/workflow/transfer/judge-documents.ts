import type { ImportProblem } from '#contract/transfer.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { tryOut } from '#server/records/rehearse/rehearse.ts';
import { inTransaction } from '#server/records/write/save-record.ts';
import { beginGathering } from '#server/workflow/events/gathered-events.ts';
import type { ImportDocument } from './group-documents.ts';
import { GROUP_TITLE } from './import-fields.ts';
import type { KeptRow } from './import-store.ts';
import { type Candidate, type JudgedRow, judgeRows, type TakenKeys } from './judge-rows.ts';
import { type Match, matchExisting } from './match-existing.ts';
import { narrowDoubts } from './narrow-doubts.ts';
import { writeJudged } from './write-judged.ts';
import { writingBatches } from './writing-order.ts';

/** Documents that are judged at once: as many statements as one takes, and nobody waits long for their turn. */
export const JUDGED_AT_ONCE = 200;

/** Judges a batch of documents, as many statements as one would need. Nothing is written. */
export async function judgeBatch(
  call: Call,
  documents: readonly ImportDocument[],
  taken: TakenKeys,
): Promise<readonly KeptRow[]> {
  const read = await narrowDoubts(call, documents);
  const rows = await candidatesOf(call, read);
  const judged = await inTransaction(call, (tx) =>
    judgeRows(tx, call, { rows, judging: { taken, isLocking: false, withChecks: true } }),
  );
  return judged.map((row, index) => keptRow(row, read[index]));
}

/**
 * Judges documents that look for others of their kind: they are written as the commit would, each when those that it may find
 * are there, and all is undone.
 */
export async function judgeInOrder(
  call: Call,
  documents: readonly ImportDocument[],
  taken: TakenKeys,
): Promise<readonly KeptRow[]> {
  const read: ImportDocument[] = [];
  const rows: Candidate[] = [];
  for (let at = 0; at < documents.length; at += JUDGED_AT_ONCE) {
    const batch = await narrowDoubts(call, documents.slice(at, at + JUDGED_AT_ONCE));
    read.push(...batch);
    rows.push(...(await candidatesOf(call, batch)));
    await letOthers();
  }
  const kept = new Map<number, KeptRow>();
  const sources = new Map(read.map((document) => [document.row, document]));
  await tryOut(call, async (tx) => {
    beginGathering(tx);
    for (const batch of writingBatches(call.resource, rows)) {
      const judging = { taken, isLocking: true, withChecks: false };
      const judged = await judgeRows(tx, call, { rows: batch, judging });
      const { refused } = await writeJudged(tx, call, judged);
      for (const row of judged) {
        const problems = refused.get(row.row) ?? row.problems;
        kept.set(row.row, keptRow({ ...row, problems }, sources.get(row.row)));
      }
      await letOthers();
    }
  });
  return read.flatMap(({ row }) => kept.get(row) ?? []);
}

async function candidatesOf(call: Call, read: readonly ImportDocument[]): Promise<readonly Candidate[]> {
  const matches = await matchExisting(call.services.db, call, read);
  return read.map(({ row, body, problems, placeOf }, index) => {
    const match = matches[index] ?? 'new';
    return {
      row,
      body,
      id: typeof match === 'object' ? match.id : null,
      version: null,
      problems: [...problems, ...matchProblems(call, match)],
      placeOf,
    };
  });
}

function keptRow(row: JudgedRow, source: ImportDocument | undefined): KeptRow {
  const isBad = row.problems.length > 0;
  const version = row.current?.['version'];
  return {
    row: row.row,
    kind: isBad ? 'error' : row.id === null ? 'create' : 'update',
    label: row.label,
    id: row.id,
    version: typeof version === 'number' ? version : null,
    body: isBad ? {} : (source?.body ?? {}),
    texts: source?.texts ?? [],
    errors: row.problems,
    ...(source === undefined || source.more.length === 0 ? {} : { more: source.more }),
  };
}

function matchProblems(call: Call, match: Match): readonly ImportProblem[] {
  const { number, fields, unique } = call.resource;
  const titleOf = (name: string | undefined): string => fields[name ?? '']?.title ?? '';
  const hasLines = Object.values(fields).some(({ type }) => type === 'lines');
  const apart = hasLines ? `，各单可用“${GROUP_TITLE}”列区分` : '';
  if (match === 'missing')
    return [{ column: titleOf(number?.field), message: `没有这个编号的记录；新增请留空${apart}` }];
  if (match === 'several')
    return [{ column: titleOf(unique[0]?.fields[0]), message: '系统中有多条相同的记录，无法确定更新哪一条' }];
  return [];
}
