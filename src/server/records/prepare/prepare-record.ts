import { canSee } from '#engine/access/resource-access.ts';
import { isRowOpen } from '#engine/lifecycle/action-states.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { checkRecord, type CheckOptions } from '#engine/record/check-record.ts';
import { mergeRecord, problemsAsSubmitted, unknownLines } from '#engine/record/merge-record.ts';
import { parseRecord } from '#engine/record/parse-record.ts';
import { withoutStaleFills } from '#engine/record/refilled.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { withLineDefaults } from './fill-new-lines.ts';
import { closedChanges, closedFields, dropClosed } from './closed-fields.ts';
import { closedByEntries } from '#server/records/ledger/posted-fields.ts';
import { checkReferencesOfMany } from './check-references.ts';
import { checkSecrets } from './check-secrets.ts';
import { claimProblems, withoutReadOnly } from './server-decided.ts';
import { completeChanges, completeDrafts, openCopy } from './complete-record.ts';
import { normaliseValues } from './fill-references.ts';
import { foreignProblems, type ForeignReference } from './foreign-references.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { type MadeValues, withMadeHead, withMadeLines } from '#server/records/pick/made-values.ts';
import { weightOf } from './record-weight.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import type { Reader } from '#server/records/call/statement.ts';

/** A record ready to be written, with everything that is wrong with it. */
export interface PreparedRecord {
  readonly record: OpenRecord;
  readonly problems: readonly FieldProblem[];
  /** The row would lie outside what the role may create. */
  readonly isOutside: boolean;
  /** References that were taken out of it; each has a problem. */
  readonly foreign: readonly ForeignReference[];
}

/** Parses, stamps, defaults, fills, computes and checks a new record. Nothing is written. */
export async function prepareNew(
  db: Reader,
  call: Call,
  body: unknown,
  made?: MadeValues,
): Promise<PreparedRecord> {
  return only(await prepareNewMany(db, call, [body], made === undefined ? [] : [made]));
}

/** The same for many new records, with as many statements as one needs. */
export async function prepareNewMany(
  db: Reader,
  call: Call,
  bodies: readonly unknown[],
  made: readonly MadeValues[] = [],
): Promise<readonly PreparedRecord[]> {
  const { resource } = call;
  const open = editableFields(resource, {}, call.access);
  const parsed = await mapInTurns(
    bodies,
    (body) => {
      const sent = parseRecord(resource, body, 'create', (path) => canSee(call.access, path));
      return { ...sent, ...withoutReadOnly(call, sent) };
    },
    weightOf,
  );
  const drafts = parsed.map(({ values }, index) => {
    const given = made[index];
    const own = given === undefined ? values : withMadeHead(withMadeLines(values, given), given);
    return stampNew(call, openCopy(call, own));
  });
  const completed = await completeDrafts(db, call, drafts);
  const references = await checkReferencesOfMany(
    db,
    call,
    completed.map(({ record }) => ({ record, previous: null })),
  );
  const secrets = await Promise.all(parsed.map(({ values }) => checkSecrets(resource, values)));
  const judge = ({ record, foreign }: (typeof completed)[number], index: number): PreparedRecord => ({
    record,
    foreign,
    problems: withoutRefused(parsed[index]?.problems ?? [], [
      ...(secrets[index] ?? []),
      ...claimProblems(call, parsed[index]?.claims ?? [], { before: null, after: record }),
      ...closedFields(call, parsed[index]?.values ?? {}, open),
      ...besides(foreign, checkRecord(resource, record, recordScope(call, record), MADE)),
      ...(references[index] ?? []),
    ]),
    isOutside: !isCreatable(call, record),
  });
  return mapInTurns(completed, judge, ({ record }) => weightOf(record));
}

const MADE: CheckOptions = { complete: false, isNew: true };

/** A stored record, read under a lock where it will be written, and the body of its PATCH. */
export interface Change {
  readonly current: OpenRecord;
  readonly body: unknown;
  /** What the sources of new lines give. */
  readonly made?: MadeValues;
}

/** Merges a PATCH into a stored record, computes and checks the result. Nothing is written. */
export async function prepareChange(db: Reader, call: Call, change: Change): Promise<PreparedRecord> {
  return only(await prepareChanges(db, call, [change]));
}

/** The same for many stored records. */
export async function prepareChanges(
  db: Reader,
  call: Call,
  changes: readonly Change[],
): Promise<readonly PreparedRecord[]> {
  const { resource } = call;
  const merge = ({ current, body, made }: Change) => {
    const parsed = parseRecord(resource, body, 'update', (path) => canSee(call.access, path));
    const values = normaliseValues(resource, parsed.values);
    const problems = [
      ...parsed.problems,
      ...unknownLines(resource, current, values),
      ...closedChanges(call, current, values),
    ];
    const open = dropClosed(call, current, values);
    const patch = withDefaults(call, made === undefined ? open : withMadeLines(open, made), current);
    const merged = openCopy(call, withStaleEmptied(call, current, patch));
    return { current, patch, problems, values, merged, claims: parsed.claims };
  };
  const merges = await mapInTurns(changes, merge, ({ body }) => weightOf(body));
  const completed = await completeChanges(db, call, merges);
  const references = await checkReferencesOfMany(
    db,
    call,
    merges.map(({ current }, index) => ({ record: completed[index]?.record ?? current, previous: current })),
  );
  const secrets = await Promise.all(merges.map(({ values }) => checkSecrets(resource, values)));
  const posted = await closedByEntries(
    db,
    call,
    merges.map(({ current }, index) => ({ current, next: completed[index]?.record ?? current })),
  );
  const judge = (
    { current, patch, problems, claims }: ReturnType<typeof merge>,
    index: number,
  ): PreparedRecord => {
    const { record, foreign } = completed[index] ?? { record: current, foreign: [] };
    const scope = { ...recordScope(call, record), before: current };
    const broken = checkRecord(resource, record, scope, asked(call, record, current));
    const found = [
      ...besides(foreign, withoutOldGaps(call, current, { patch, problems: broken })),
      ...(references[index] ?? []),
      ...(posted[index] ?? []),
    ];
    const submitted = problemsAsSubmitted(resource, found, { current, patch });
    const claimed = claimProblems(call, claims, { before: current, after: record });
    return {
      record,
      foreign,
      problems: withoutRefused(problems, [...(secrets[index] ?? []), ...claimed, ...submitted]),
      isOutside: false,
    };
  };
  return mapInTurns(merges, judge, ({ merged }) => weightOf(merged));
}

/** The record after a person's PATCH. The program says itself what it writes. */
function withStaleEmptied(call: Call, current: OpenRecord, patch: OpenRecord): ErpRecord {
  const merged = mergeRecord(call.resource, current, patch);
  if (isSystemCall(call)) return merged;
  const open = editableFields(call.resource, current, call.access);
  return withoutStaleFills(call.resource, { current, patch, merged }, (path) => open.has(path));
}

/** The refusals of foreign references, and what else is wrong: of a place that was emptied not that it is empty. */
function besides(
  foreign: readonly ForeignReference[],
  problems: readonly FieldProblem[],
): readonly FieldProblem[] {
  if (foreign.length === 0) return problems;
  const emptied = new Set(foreign.map(({ path }) => path));
  return [...foreignProblems(foreign), ...problems.filter(({ path }) => !emptied.has(path))];
}

/** What was refused as it was sent, and what else is wrong: a value that was refused is neither said to be missing nor judged. */
function withoutRefused(
  refused: readonly FieldProblem[],
  found: readonly FieldProblem[],
): readonly FieldProblem[] {
  if (refused.length === 0) return found;
  const paths = new Set(refused.map(({ path }) => path));
  return [...refused, ...found.filter(({ path }) => !paths.has(path))];
}

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new AppError('INTERNAL', { cause: new TypeError('nothing was prepared') });
  return first;
}

/** What was complete must stay so, as far as the change goes: the agreement of a loan is filed when its day is long over. */
function asked(call: Call, record: OpenRecord, current: OpenRecord): CheckOptions {
  const complete = isBeyondDraft(call, record);
  return complete && isBeyondDraft(call, current) ? { complete, since: current } : { complete };
}

/** True once a document has left its initial state. */
function isBeyondDraft(call: Call, record: OpenRecord): boolean {
  const { lifecycle, kind } = call.resource;
  if (kind !== 'document' || lifecycle === undefined) return false;
  const status = record['status'];
  return status !== lifecycle.initial && status !== 'rejected';
}

/** A record submitted incomplete (`"complete": false`) may be filled in bit by bit, by several people: what was missing before is no fault of this change. */
function withoutOldGaps(
  call: Call,
  current: OpenRecord,
  found: { readonly patch: OpenRecord; readonly problems: readonly FieldProblem[] },
): readonly FieldProblem[] {
  const isGap = ({ code, path }: FieldProblem): boolean =>
    code === 'required' && !Object.hasOwn(found.patch, path);
  if (!isBeyondDraft(call, current) || !found.problems.some(isGap)) return found.problems;
  const before = checkRecord(call.resource, current, recordScope(call, current), { complete: true });
  const old = new Set(before.filter(isGap).map(({ path }) => path));
  return found.problems.filter((problem) => !isGap(problem) || !old.has(problem.path));
}

function isCreatable(call: Call, record: OpenRecord): boolean {
  return isRowOpen(recordScope(call, record), call.access, 'create');
}

/** A patch with the defaults of its new lines. */
function withDefaults(call: Call, values: OpenRecord, current: OpenRecord): OpenRecord {
  const filled = withLineDefaults(call, { ...current, ...values });
  return { ...values, ...Object.fromEntries(Object.keys(values).map((name) => [name, filled[name]])) };
}
