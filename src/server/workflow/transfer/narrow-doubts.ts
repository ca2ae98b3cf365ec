import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { lineScope } from '#engine/record/record-lines.ts';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { ImportDocument, PlacedDoubt } from './group-documents.ts';

/**
 * Decides references whose text names several records by what else the document says: of all goods of one name those of
 * its customer. The field's own `where` tells, as it does where one picks; what stays undecided keeps its problem.
 */
export async function narrowDoubts(
  call: Call,
  documents: readonly ImportDocument[],
): Promise<readonly ImportDocument[]> {
  const known = new Map<string, readonly string[]>();
  const narrowed: ImportDocument[] = [];
  for (const document of documents) {
    const decided = new Set<unknown>();
    // What the head says, its lines are judged by.
    for (const doubt of document.doubts.toSorted(
      (a, b) => Number(a.line !== null) - Number(b.line !== null),
    )) {
      const [id, ...others] = await fitting(call, { document, doubt, known });
      if (id === undefined || others.length > 0) continue;
      const holder = doubt.line ?? document.body;
      holder[doubt.field.name] = id;
      decided.add(doubt.problem);
    }
    narrowed.push(
      decided.size === 0
        ? document
        : { ...document, problems: document.problems.filter((problem) => !decided.has(problem)) },
    );
  }
  return narrowed;
}

interface Asked {
  readonly document: ImportDocument;
  readonly doubt: PlacedDoubt;
  /** Answers by question: many lines ask the same. */
  readonly known: Map<string, readonly string[]>;
}

/** The head as it will be: what the file leaves out, defaults say. */
function begun(call: Call, body: OpenRecord): ErpRecord {
  const draft = stampNew(call, { ...body });
  return applyDefaults(call.resource, draft, recordScope(call, draft));
}

async function fitting(call: Call, { document, doubt, known }: Asked): Promise<readonly string[]> {
  const { field, line, lines, among } = doubt;
  const place = typeof field.to === 'string' ? targetPlace(field.to, call.catalog) : null;
  if (field.where === undefined || place === null || place.lines !== undefined) return [];
  const head = recordScope(call, begun(call, document.body));
  const scope = line === null || lines === null ? head : lineScope(head, lines, line);
  const where: Filter = bindFilter(field.where, place.resource.resource, scope);
  const question = JSON.stringify([field.to, where, among]);
  const answer = known.get(question);
  if (answer !== undefined) return answer;
  const values: unknown[] = [];
  const ids = bind(values, among);
  const condition = filterToSql(where, {
    resource: place.resource,
    catalog: call.catalog,
    alias: 't',
    context: call.caller.context,
    values,
  });
  const rows = await call.services.db.query<{ id: string }>(
    `select t.id::text as id from ${tableOf(place.resource)} t where t.id = any(${ids}::uuid[]) and (${condition}) limit 2`,
    values,
  );
  const found = rows.map(({ id }) => id);
  known.set(question, found);
  return found;
}
