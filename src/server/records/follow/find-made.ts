import type { Scope } from '#engine/filter/scope.ts';
import { givenValues } from '#engine/record/apply-own.ts';
import type { MadeFind, MadeFinds, MakeDefinition } from '#engine/schema/effects-definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { findOthers } from './find-others.ts';
import { type DraftDocument, draftDocuments } from './make-documents.ts';

/**
 * What a make gives of a record, with the references that it looks for among other records: the first that fits, or, with
 * `only`, the one that fits alone.
 * @throws AppError with the make's `empty` when there are no lines to make
 */
export async function madeDocuments(
  db: Reader,
  call: Call,
  make: MakeDefinition,
  scope: Scope,
): Promise<readonly DraftDocument[]> {
  const drafts = draftDocuments(call, make, scope);
  const looksForMore =
    make.find !== undefined || Object.values(make.lines ?? {}).some(({ find }) => find !== undefined);
  if (!looksForMore) return drafts;
  const found: DraftDocument[] = [];
  for (const draft of drafts)
    found.push({ ...draft, values: await withFound(db, call, { make, draft }) });
  return found;
}

async function withFound(
  db: Reader,
  call: Call,
  { make, draft }: { readonly make: MakeDefinition; readonly draft: DraftDocument },
): Promise<OpenRecord> {
  const [, targetLines] = make.to.split('.');
  const target = call.catalog.resources[draft.resource];
  const fields = targetLines === undefined ? target?.fields : target?.fields[targetLines]?.fields;
  const values = { ...draft.values, ...(await foundFor(db, call, { finds: make.find, fields, source: draft.scope })) };
  for (const [lines, { find }] of Object.entries(make.lines ?? {})) {
    const made: OpenRecord[] = [];
    for (const [place, line] of linesOf(draft.values[lines]).entries()) {
      const source = draft.lineScopes[lines]?.[place] ?? draft.scope;
      const own = await foundFor(db, call, { finds: find, fields: target?.fields[lines]?.fields, source });
      made.push({ ...line, ...own });
    }
    values[lines] = made;
  }
  return values;
}

async function foundFor(
  db: Reader,
  call: Call,
  {
    finds = {},
    fields = {},
    source,
  }: {
    readonly finds: MadeFinds | undefined;
    readonly fields: Readonly<Record<string, Field>> | undefined;
    readonly source: Scope;
  },
): Promise<OpenRecord> {
  const values: OpenRecord = {};
  for (const [name, find] of Object.entries(finds)) {
    const to = fields[name]?.to;
    if (typeof to !== 'string') continue;
    const id = await foundBy(db, call, { find, to, source });
    values[name] = id;
    if (id === null) Object.assign(values, givenValues(fields, find.else ?? {}, source));
  }
  return values;
}

async function foundBy(
  db: Reader,
  call: Call,
  { find, to, source }: { readonly find: MadeFind; readonly to: string; readonly source: Scope },
): Promise<string | null> {
  const { where, order = [], only } = find;
  const found = await findOthers(db, call, { others: { of: to, by: {}, where, order }, source, limit: 2 });
  return only === true && found.length > 1 ? null : (found[0]?.id ?? null);
}
