import type { ResourceAccess } from '#engine/access/resource-access.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { type Cursor, follow, openCursors } from './follow-paths.ts';
import { foreignRows } from './foreign-rows.ts';
import type { OpenRecord } from './open-record.ts';
import { putLabels } from './put-labels.ts';
import { type Eyes, eyesOn } from './reader-eyes.ts';
import { loadReferences, type ReferenceBook, type ReferenceNeed } from './reference-book.ts';
import { holdersOf } from './reference-holders.ts';
import { referencePlan } from './reference-plan.ts';
import { openAhead } from './rows-ahead.ts';

export { linesOf, type OpenRecord } from './open-record.ts';

export interface AttachRequest {
  readonly catalog: Catalog;
  readonly resource: Resource;
  readonly records: readonly OpenRecord[];
  /** Labels only of these head fields; default: all that the records have. */
  readonly access?: Pick<ResourceAccess, 'hidden'>;
  /** The records have no more than these head fields (a list that is kept: what they refer to is found once for it). */
  readonly fields?: readonly Field[];
  /** Labels for lists need no path values. */
  readonly withPaths: boolean;
  readonly withLabels: boolean;
  /** References to what is not there for the reader are looked for: of what was sent, before it is worked with. */
  readonly withForeign?: boolean;
  readonly company: string;
  /** Values wanted beside those that the resource's rules read. */
  readonly extraPaths?: readonly string[];
  /** These values alone instead of all that the resource's rules read. */
  readonly onlyPaths?: readonly string[];
  /** Who reads: labels show what this person may read; default: everything, for rules that run on the server. */
  readonly reader?: Call;
  /** The answer of a write, which may show what its transaction has read before: see `rememberedRows`. */
  readonly isAnswer?: boolean;
}

/** What is closed to the reader, by head or line. */
export interface Attached {
  /** Values in `_paths` that may not be sent: rules of the server read them all the same. */
  readonly closed: ReadonlyMap<OpenRecord, ReadonlySet<string>>;
  /** References to rows that the reader may neither read nor pick, or that do not exist; empty unless asked for. */
  readonly foreign: ReadonlyMap<OpenRecord, ReadonlySet<string>>;
}

/**
 * Puts `_labels` (texts of references and dictionaries) and `_paths` (values of referenced records that rules read) on
 * records and their lines: one statement for all references and the steps of paths beyond them (one more for a step
 * whose target only the record knows). Gives what is closed to the reader.
 */
export async function attachReferences(db: Reader, request: AttachRequest): Promise<Attached> {
  const { catalog, resource, reader } = request;
  const plan = request.withPaths ? referencePlan(resource, request) : null;
  const holders = holdersOf(resource, request.records, {
    plan,
    ...(request.fields === undefined ? {} : { fields: request.fields }),
  });
  const companies = companiesOf(request);
  const asked = {
    companies,
    ...(reader === undefined ? {} : { reader }),
    isAnswer: request.isAnswer === true,
    ahead: openAhead(),
  };
  const needs = new Map<string, ReferenceNeed>();
  const closed = new Map<OpenRecord, Set<string>>();
  let cursors: Cursor[] = [];
  for (const holder of holders) {
    if (request.withPaths) {
      holder.record['_paths'] = {};
      closed.set(holder.record, new Set());
    }
    openCursors(holder, { request, companies, closed, needs }, cursors);
  }
  const book = await loadReferences(db, catalog, { needs: needs.values(), ...asked });
  const eyesOf = eyesBook(reader);
  const foreign =
    reader === undefined || request.withForeign !== true
      ? new Map()
      : foreignRows(holders, { book, companies, reader, eyesOf });
  if (request.withLabels) putLabels(holders, { request, book, companies, eyesOf });
  let step: ReferenceBook = book;
  while (cursors.length > 0) {
    const next = new Map<string, ReferenceNeed>();
    cursors = cursors.flatMap((cursor) => follow(cursor, step, { request, next, eyesOf }));
    step = next.size === 0 ? step : await loadReferences(db, catalog, { needs: next.values(), ...asked });
  }
  return { closed, foreign };
}

/** What the reader sees of each target, found once; null when nobody in particular reads. */
function eyesBook(reader: Call | undefined): (target: string) => Eyes | null {
  const known = new Map<string, Eyes>();
  return (target) => {
    if (reader === undefined) return null;
    const eyes = known.get(target) ?? eyesOn(reader, target);
    known.set(target, eyes);
    return eyes;
  };
}

function companiesOf(request: AttachRequest): readonly string[] {
  const companies = new Set([request.company]);
  for (const record of request.records)
    if (typeof record['co_code'] === 'string' && request.resource.scope === 'company')
      companies.add(record['co_code']);
  return [...companies].sort();
}
