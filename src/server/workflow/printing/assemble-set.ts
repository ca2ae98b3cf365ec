import { createHash } from 'node:crypto';
import type { DocumentSet, SetPaper } from '#engine/print/document-set.ts';
import type { SetDifference } from '#engine/print/cross-check.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { AppError } from '#server/kernel/errors.ts';
import { standBehindWall } from '#server/records/call/behind-wall.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { checkSet } from './check-set.ts';
import { PathReader } from './print-paths.ts';
import { printRecord, type RecordPrint } from './print-record.ts';
import { relatedRows } from './related-rows.ts';

/** A paper of a set, filled in. */
export interface AssembledPaper {
  readonly title: string;
  /** What it is called abroad; its title where nothing says. */
  readonly english: string;
  /** What its record is called. */
  readonly number: string;
  readonly print: RecordPrint;
}

/** All papers of one moment, and where they do not agree. */
export interface AssembledSet {
  readonly papers: readonly AssembledPaper[];
  readonly differences: readonly SetDifference[];
  /** Changes with anything that stands on the papers. */
  readonly fingerprint: string;
}

/**
 * The papers of a set as one snapshot of the database shows them, through the eyes of the caller, and what does not
 * agree between the records that they come from.
 * @throws NOT_FOUND, FORBIDDEN for who may not print one of the papers
 */
export async function assembleSet(
  call: Call,
  { set, id }: { readonly set: DocumentSet; readonly id: string },
): Promise<AssembledSet> {
  return call.services.reader.transaction(
    async (tx) => {
      await standBehindWall(tx, call);
      const papers = await readPapers(call, { set, id, on: tx });
      const reader = new PathReader(call, tx);
      const head = await reader.open(call.resource.resource, id);
      if (head === null) throw new AppError('NOT_FOUND');
      return {
        papers,
        differences: await checkSet(reader, { call, set, head }),
        fingerprint: fingerprintOf(papers.map(({ print }) => print)),
      };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** What stands on papers, as a short text that changes with it. Who printed them when does not count. */
export function fingerprintOf(prints: readonly Pick<RecordPrint, 'filled'>[]): string {
  return createHash('sha256')
    .update(JSON.stringify(prints.map(({ filled }) => filled)))
    .digest('hex');
}

interface SetAsk {
  readonly set: DocumentSet;
  readonly id: string;
  readonly on: Reader;
}

async function readPapers(call: Call, asked: SetAsk): Promise<readonly AssembledPaper[]> {
  const papers: AssembledPaper[] = [];
  for (const paper of asked.set.papers)
    for (const { of, id } of await recordsOf(call, paper, asked)) {
      const print = await printRecord(of, { id, printId: paper.print }, asked.on);
      const { title } = print.definition;
      papers.push({ title, english: paper.english ?? title, number: print.number, print });
    }
  return papers;
}

/** The records that a paper is printed of: the head, or those that refer to it and have this print. */
async function recordsOf(
  call: Call,
  { of: resource, by, where, print }: SetPaper,
  { id, on }: SetAsk,
): Promise<readonly { readonly of: Call; readonly id: string }[]> {
  if (resource === undefined || by === undefined) return [{ of: call, id }];
  const of = openCall(call.services, call.caller, resource, 'print');
  const when = of.resource.print.find((definition) => definition.id === print)?.when;
  const from = { resource, by, ...(where === undefined ? {} : { where }) };
  const holders = await relatedRows(call, { from, id, period: null, on });
  return holders
    .filter(({ record }) => when === undefined || matchesFilter(when, recordScope(of, record)))
    .map(({ record }) => ({ of, id: String(record['id']) }));
}
