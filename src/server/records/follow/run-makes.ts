import { lockName } from '#server/kernel/db/lock-name.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { MakeDefinition } from '#engine/schema/effects-definition.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import {
  insertRecord,
  readRecord,
  runSystemAction,
  type SystemContext,
  updateRecordFields,
} from '#server/records/write/system-write.ts';
import { isFilled } from '#server/records/pick/filled-makes.ts';
import { keepChain, lineLinks, liveTargets, type MadeDocument, perKey } from './document-chain.ts';
import { findOthers, isStillMeant } from './find-others.ts';
import { type DraftDocument } from './make-documents.ts';
import { madeDocuments, remadeDocuments } from './find-made.ts';
import { remadeDrafts } from './remade-drafts.ts';
import { remadeLines } from './remade-lines.ts';
import { sessionOf } from './write-session.ts';

/** A make of a resource that runs on a record. */
interface Making {
  readonly key: string;
  readonly make: MakeDefinition;
  readonly scope: Scope;
  readonly created: CreatedRecord[];
}

/** Saves what a make gives of a record as unfinished documents, and remembers what came from what. */
export async function runMake(
  tx: Tx,
  call: Call,
  run: { readonly key: string; readonly scope: Scope; readonly created: CreatedRecord[] },
): Promise<void> {
  const make = requireMake(call, run.key);
  if (isFilled(tx, sourceOf(call, run.key, run.scope))) return;
  const making: Making = { ...run, make };
  const drafts = await madeDocuments(tx, call, make, run.scope);
  const open = make.once === true ? await withoutTarget(tx, call, making, drafts) : drafts;
  for (const draft of open) await saveDraft(tx, call, making, draft);
}

/** Maps again into the live documents that a make gave before. */
export async function runRemake(
  tx: Tx,
  call: Call,
  run: { readonly key: string; readonly scope: Scope; readonly created: CreatedRecord[] },
): Promise<void> {
  const make = requireMake(call, run.key);
  const from = sourceOf(call, run.key, run.scope);
  const [to = ''] = make.to.split('.');
  const made = make.per === undefined ? [] : await liveTargets(tx, call, { from, to, line: null });
  const before = [...new Set(made.flatMap(({ per }) => per ?? []))].map((per): unknown => JSON.parse(per));
  const drafts = await remadeDocuments(tx, call, make, { scope: run.scope, before });
  for (const { target, draft, links } of await remadeDrafts(tx, call, { from, drafts, per: make.per })) {
    const context = contextOf(tx, call, run.created);
    const current = await readRecord(context, draft.resource, target, true);
    const fields: OpenRecord = { ...draft.values };
    for (const [lines, sources] of Object.entries(draft.lineSources)) {
      const field = call.catalog.resources[draft.resource]?.fields[lines];
      const mapped = linesOf(draft.values[lines]);
      if (field !== undefined) fields[lines] = remadeLines(field, { mapped, sources, links, current });
    }
    const remade = await updateRecordFields(context, draft.resource, {
      id: target,
      fields,
      action: 'remake',
    });
    await keepChain(tx, { from, draft, made: remade, company: run.scope.record['co_code'] });
  }
}

function requireMake(call: Call, key: string): MakeDefinition {
  const make = Object.hasOwn(call.resource.makes, key) ? call.resource.makes[key] : undefined;
  if (make === undefined)
    throw new AppError('INTERNAL', {
      cause: new TypeError(`${call.resource.resource} has no make "${key}"`),
    });
  return make;
}

function sourceOf(
  call: Call,
  make: string,
  scope: Scope,
): { readonly resource: string; readonly id: string; readonly make: string } {
  return { resource: call.resource.resource, id: String(scope.record['id']), make };
}

function contextOf(tx: Tx, call: Call, created: CreatedRecord[]): SystemContext {
  return { tx, services: call.services, caller: call.caller, created };
}

/** Those of which nothing live was made before: of several by `per`, nothing for their value and of none of their lines. */
async function withoutTarget(
  tx: Tx,
  call: Call,
  { key, make, scope }: Making,
  drafts: readonly DraftDocument[],
): Promise<readonly DraftDocument[]> {
  const from = sourceOf(call, key, scope);
  const open: DraftDocument[] = [];
  for (const draft of drafts) {
    const live = await liveTargets(tx, call, { from, to: draft.resource, line: draft.line });
    const isMade =
      make.per === undefined
        ? live.length > 0
        : live.some(({ per }) => per === perKey(draft.per)) ||
          (await cameInto(tx, call, { from, draft, live }));
    if (!isMade) open.push(draft);
  }
  return open;
}

/**
 * Whether a line that a draft is of came into one of the documents and stands there; a draft of no lines is made by one of
 * which nobody knows what it is for.
 */
async function cameInto(
  tx: Tx,
  call: Call,
  asked: {
    readonly from: ReturnType<typeof sourceOf>;
    readonly draft: DraftDocument;
    readonly live: readonly MadeDocument[];
  },
): Promise<boolean> {
  const { from, draft, live } = asked;
  const lines = Object.values(draft.lineSources)
    .flat()
    .filter((line) => line !== null);
  if (lines.length === 0) return live.some(({ per }) => per === null);
  for (const { id } of live) {
    const links = await lineLinks(tx, from, id);
    const came = new Set(lines.flatMap((line) => links.get(line) ?? []));
    if (came.size === 0) continue;
    const made = await readRecord(contextOf(tx, call, []), draft.resource, id);
    const names = Object.keys(draft.lineSources);
    if (names.some((name) => linesOf(made?.[name]).some((line) => came.has(String(line['id']))))) return true;
  }
  return false;
}

async function saveDraft(tx: Tx, call: Call, making: Making, draft: DraftDocument): Promise<void> {
  const { key, make, scope, created } = making;
  const from = sourceOf(call, key, scope);
  const [, targetLines] = make.to.split('.');
  const context = contextOf(tx, call, created);
  const into = make.into === undefined ? null : await lockedInto(context, call, make, draft.scope);
  if (targetLines !== undefined || into !== null)
    return appendTo(tx, call, { making, draft, into, lines: targetLines ?? null });
  const made = await insertRecord(context, draft.resource, draft.values, makerOf(tx));
  await keepChain(tx, { from, draft, made, company: scope.record['co_code'] });
  await begin(context, call, { making, key: draft.resource, made });
}

/** Tells of a new document, and runs the action of its make on it. */
async function begin(
  context: SystemContext,
  call: Call,
  { making, key, made }: { readonly making: Making; readonly key: string; readonly made: OpenRecord },
): Promise<void> {
  noteMade(context.tx, call, key, made);
  const { do: action } = making.make;
  if (action !== undefined) await runSystemAction(context, key, { id: String(made['id']), action });
}

/**
 * The document that lines are added to, locked and still one that takes them; null where a new one begins, which nobody
 * else begins at the same time.
 */
async function lockedInto(
  context: SystemContext,
  call: Call,
  make: MakeDefinition,
  scope: Scope,
): Promise<OpenRecord | null> {
  const { tx } = context;
  const [key = ''] = make.to.split('.');
  const others = { of: key, by: {}, ...(make.into === undefined ? {} : { where: make.into }) };
  let isAlone = false;
  for (;;) {
    const [chosen] = await findOthers(tx, call, { others, source: scope, limit: 1 });
    if (chosen === undefined && isAlone) return null;
    if (chosen === undefined) {
      const asked = bindFilter(make.into ?? {}, key, { ...scope, source: scope });
      const company = (scope.parent ?? scope.record)['co_code'] ?? '';
      await lockName(tx, JSON.stringify(['into', key, company, asked]));
      isAlone = true;
      continue;
    }
    // Whoever was waited for may have closed it; it is then not found again.
    const record = await readRecord(context, key, chosen.id, true);
    if (record !== null && (await isStillMeant(tx, call, { others, source: scope, chosen, record })))
      return record;
  }
}

/** Adds lines to a document that is there; without one a new one begins with them. */
async function appendTo(
  tx: Tx,
  call: Call,
  added: {
    readonly making: Making;
    readonly draft: DraftDocument;
    readonly into: OpenRecord | null;
    /** The lines that a make of lines gives. */
    readonly lines: string | null;
  },
): Promise<void> {
  const { making, draft, into, lines } = added;
  const context = contextOf(tx, call, making.created);
  const from = sourceOf(call, making.key, making.scope);
  const company = making.scope.record['co_code'];
  if (into === null) {
    const made = await insertRecord(
      context,
      draft.resource,
      lines === null ? draft.values : { [lines]: [draft.values] },
      makerOf(tx),
    );
    await keepChain(tx, { from, draft, made, company });
    return begin(context, call, { making, key: draft.resource, made });
  }
  const names = lines === null ? Object.keys(draft.lineSources) : [lines];
  const fields: OpenRecord = {};
  for (const name of names) {
    const more = lines === null ? linesOf(draft.values[name]) : [draft.values];
    fields[name] = [...linesOf(into[name]), ...more];
  }
  const made = await updateRecordFields(context, draft.resource, {
    id: String(into['id']),
    fields,
    action: 'add',
  });
  const offset = linesOf(into[names[0] ?? '']).length;
  // It may hold lines of several values of `per`: the lines tell of which it is.
  await keepChain(tx, { from, draft: { ...draft, per: null }, made, company, offset });
}

/** Whoever decides on a document has not made what follows from it, and may decide on that too. */
function makerOf(tx: Tx): 'create' | 'made' {
  return sessionOf(tx).isDecision ? 'made' : 'create';
}

function noteMade(tx: Tx, call: Call, key: string, made: OpenRecord): void {
  const resource = call.catalog.resources[key];
  if (resource === undefined) return;
  sessionOf(tx).made.push({ resource: key, id: String(made['id']), label: recordLabel(resource, made) });
}
