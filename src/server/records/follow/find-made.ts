import type { Filter } from '#engine/schema/definition.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { givenValues } from '#engine/record/apply-own.ts';
import type { MadeFind, MadeFinds, MakeDefinition } from '#engine/schema/effects-definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { findOthers } from './find-others.ts';
import { allDrafts, type DraftDocument, draftDocuments } from './make-documents.ts';

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
  return withAllFound(db, call, make, draftDocuments(call, make, scope));
}

/** The same for documents that were made before, for these values of `per`, also for those of which no line is left. */
export async function remadeDocuments(
  db: Reader,
  call: Call,
  make: MakeDefinition,
  { scope, before }: { readonly scope: Scope; readonly before: readonly unknown[] },
): Promise<readonly DraftDocument[]> {
  return withAllFound(db, call, make, allDrafts(call, make, scope, before));
}

async function withAllFound(
  db: Reader,
  call: Call,
  make: MakeDefinition,
  drafts: readonly DraftDocument[],
): Promise<readonly DraftDocument[]> {
  const looksForMore =
    make.find !== undefined || Object.values(make.lines ?? {}).some(({ find }) => find !== undefined);
  if (!looksForMore) return drafts;
  const found: DraftDocument[] = [];
  for (const draft of drafts) found.push({ ...draft, values: await withFound(db, call, { make, draft }) });
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
  const [head = {}] = await foundFor(db, call, { finds: make.find, fields, sources: [draft.scope] });
  const values = { ...draft.values, ...head };
  for (const [lines, { find }] of Object.entries(make.lines ?? {})) {
    const made = linesOf(draft.values[lines]);
    const sources = made.map((_, place) => draft.lineScopes[lines]?.[place] ?? draft.scope);
    const own = await foundFor(db, call, { finds: find, fields: target?.fields[lines]?.fields, sources });
    values[lines] = made.map((line, place) => ({ ...line, ...own[place] }));
  }
  return values;
}

/** What is found for each of the sources, in their order. */
async function foundFor(
  db: Reader,
  call: Call,
  {
    finds = {},
    fields = {},
    sources,
  }: {
    readonly finds: MadeFinds | undefined;
    readonly fields: Readonly<Record<string, Field>> | undefined;
    readonly sources: readonly Scope[];
  },
): Promise<readonly OpenRecord[]> {
  const found = sources.map((): OpenRecord => ({}));
  for (const [name, find] of Object.entries(finds)) {
    const to = fields[name]?.to;
    if (typeof to !== 'string') continue;
    const ids = await foundBy(db, call, { find, to, sources });
    for (const [place, source] of sources.entries()) {
      const id = ids[place] ?? null;
      const otherwise = id === null ? givenValues(fields, find.else ?? {}, source) : {};
      Object.assign(found[place] ?? {}, { [name]: id }, otherwise);
    }
  }
  return found;
}

/** Asked once by what the sources ask for, and not at all where nothing fits what they all ask for. */
async function foundBy(
  db: Reader,
  call: Call,
  { find, to, sources }: { readonly find: MadeFind; readonly to: string; readonly sources: readonly Scope[] },
): Promise<readonly (string | null)[]> {
  const { order = [], only } = find;
  const wheres = sources.map((source) => bindFilter(find.where, to, { ...source, source }));
  const findBy = (where: Filter, source: Scope, limit: number): Promise<readonly { readonly id: string }[]> =>
    findOthers(db, call, { others: { of: to, by: {}, where, order }, source, limit });
  const [first] = sources;
  if (first === undefined) return [];
  if (wheres.length > 1 && (await findBy(sharedBy(wheres), first, 1)).length === 0)
    return sources.map(() => null);
  const known = new Map<string, string | null>();
  const ids: (string | null)[] = [];
  for (const [place, where] of wheres.entries()) {
    const key = JSON.stringify(where);
    if (!known.has(key)) {
      const found = await findBy(where, sources[place] ?? first, 2);
      known.set(key, only === true && found.length > 1 ? null : (found[0]?.id ?? null));
    }
    ids.push(known.get(key) ?? null);
  }
  return ids;
}

/** The conditions that all have in common. */
function sharedBy([first = {}, ...others]: readonly Filter[]): Filter {
  return Object.fromEntries(
    Object.entries(first).filter(([name, condition]) => {
      const text = JSON.stringify(condition);
      return others.every((other) => JSON.stringify(other[name]) === text);
    }),
  );
}
