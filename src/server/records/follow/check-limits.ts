import type { Scope } from '#engine/filter/scope.ts';
import {
  isPushed,
  isWorse,
  limitBreach,
  limitCurrency,
  limitFigure,
  type LimitBreach,
  readsSame,
} from '#engine/record/check-limit.ts';
import { linesOf, lineScope } from '#engine/record/record-lines.ts';
import type { LimitDefinition } from '#engine/schema/effects-definition.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { labelKey, visibleLabels } from '#server/records/ledger/visible-labels.ts';
import { isRehearsal } from '#server/records/call/rehearsal.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { type States, statesOfAll } from './limited-states.ts';
import { approvedClaims } from './approved-claims.ts';
import { causeOf, type MovedRecord, recordKey, type WriteSession } from './write-session.ts';

/**
 * Every limit that the transaction breaks, or breaks worse than before, on the records that it moved. All of them were
 * locked before their figures were read, so two at once never both pass. `standing`: records that were read since the last
 * write of the transaction.
 */
export async function checkLimits(
  tx: Tx,
  session: WriteSession,
  standing: ReadonlyMap<string, OpenRecord> = new Map(),
): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const limited = [...session.moved.values()].filter(
    ({ resource, isGone }) => resource.limits.length > 0 && !isGone,
  );
  const all = await statesOfAll(tx, limited, (moved) => standing.get(keyOf(moved)));
  session.standing = {
    records: new Map([
      ...standing,
      ...all.map(({ moved, states }): [string, OpenRecord] => [keyOf(moved), states.after.record]),
    ]),
    since: tx.changes.moment(),
  };
  for (const { moved, states } of all) {
    const { record } = states.after;
    for (const limit of moved.resource.limits) {
      const claiming = await approvedClaims(tx, session, { moved, limit, record });
      for (const judged of judge(limit, states, mayPassOver(tx, session, { moved, limit }))) {
        const told = { moved, limit, judged, isClaimed: claiming.has(judged.line ?? moved.id) };
        if (isRehearsal(tx)) noteJudged(session, told);
        const problem = tell(session, { ...told, record });
        if (problem !== null) problems.push(problem);
      }
    }
  }
  return tellReadable(tx, problems, session);
}

/** Of a limited record that the caller may not read, only the message is told. */
async function tellReadable(
  tx: Tx,
  problems: readonly FieldProblem[],
  session: WriteSession,
): Promise<readonly FieldProblem[]> {
  const [first] = session.moved.values();
  if (problems.length === 0 || first === undefined) return problems;
  const about = problems.flatMap(({ detail }) => (detail !== undefined && 'id' in detail ? [detail] : []));
  const readable = await visibleLabels(tx, first.call, about);
  return problems.map((problem) => {
    const { detail, ...told } = problem;
    if (detail === undefined || !('id' in detail)) return problem;
    return readable.has(labelKey(detail.resource, detail.id)) ? problem : told;
  });
}

/** One limit of one record or line, as it is judged. */
interface JudgedClaim {
  readonly moved: MovedRecord;
  readonly limit: LimitDefinition;
  readonly judged: Judged;
  /** A document that its figure counts was approved by this write. */
  readonly isClaimed: boolean;
}

function noteJudged(session: WriteSession, told: JudgedClaim): void {
  const { moved, limit, judged } = told;
  const { now, scope, before, index } = judged;
  const shown = limitFigure(limit, scope);
  const old = before === null ? null : limitFigure(limit, before);
  const isMoved = old?.figure !== shown?.figure || old?.bound !== shown?.bound;
  if (now === null && (shown === null || !isMoved)) return;
  session.limits.push({
    limit,
    resource: moved.resource.resource,
    id: moved.id,
    line: judged.line === null ? null : index,
    field: shown?.field ?? now?.field ?? '',
    operator: shown?.operator ?? '',
    message: limit.message,
    figure: shown?.figure ?? now?.figure ?? null,
    bound: shown?.bound ?? now?.bound ?? null,
    currency: limitCurrency(limit, shown?.field ?? now?.field ?? '', scope),
    was: old?.figure ?? null,
    isWarning: limit.level === 'warning',
    isBroken: isRefused(session, told),
  });
}

interface Judged {
  readonly line: string | null;
  readonly index: number;
  readonly scope: Scope;
  /** The same line or head before the write. */
  readonly before: Scope | null;
  readonly now: LimitBreach | null;
  readonly was: LimitBreach | null;
}

/** Whether lines that are as they were need not be looked at: nothing that a line does not say itself counts. */
function mayPassOver(
  tx: Tx,
  session: WriteSession,
  { moved, limit }: { readonly moved: MovedRecord; readonly limit: LimitDefinition },
): boolean {
  return limit.claim !== true && !isRehearsal(tx) && !session.forced.has(keyOf(moved));
}

function keyOf({ resource, id }: MovedRecord): string {
  return recordKey(resource.resource, id);
}

function judge(limit: LimitDefinition, { after, before }: States, passesOver: boolean): readonly Judged[] {
  const { each } = limit;
  if (each === undefined) {
    const was = before === null ? null : limitBreach(limit, before);
    return [{ line: null, index: -1, scope: after, before, now: limitBreach(limit, after), was }];
  }
  const earlier = new Map(
    before === null ? [] : linesOf(before.record, each).map((line) => [line['id'], line] as const),
  );
  return linesOf(after.record, each).flatMap((line, index): readonly Judged[] => {
    const old: ErpRecord | undefined = earlier.get(line['id']);
    const scope = lineScope(after, each, line);
    const past = before === null || old === undefined ? null : lineScope(before, each, old);
    if (passesOver && past !== null && readsSame(limit, scope, past)) return [];
    const was = past === null ? null : limitBreach(limit, past);
    return [{ line: String(line['id']), index, scope, before: past, now: limitBreach(limit, scope), was }];
  });
}

function tell(
  session: WriteSession,
  told: JudgedClaim & { readonly record: ErpRecord },
): FieldProblem | null {
  const { moved, limit, judged, record } = told;
  const { now } = judged;
  if (now === null || !isRefused(session, told)) return null;
  const label = recordLabel(moved.resource, record);
  const about = { resource: moved.resource.resource, id: moved.id, label };
  return {
    path: pathOf(session, told),
    code: 'limit',
    message: limit.message,
    ...(limit.level === 'warning' ? { level: limit.level } : {}),
    detail: {
      ...about,
      figure: now.figure,
      bound: now.bound,
      currency: limitCurrency(limit, now.field, judged.scope),
    },
  };
}

/** Whether a breach is to be refused: it is new or worse, and of what is claimed, the claim itself grew or was approved. */
function isRefused(session: WriteSession, { moved, limit, judged, isClaimed }: JudgedClaim): boolean {
  const { now, was, scope, before } = judged;
  if (now === null) return false;
  if (isClaimed) return isWorse(now, null);
  if (limit.claim === true && !isPushed(limit, scope, before)) return false;
  const forced = session.forced.get(keyOf(moved)) ?? '0';
  return isWorse(now, was, forced);
}

/** Where the refusal stands: the column that was summed, or the own field where the record itself was written. */
function pathOf(session: WriteSession, { moved, limit, judged }: JudgedClaim): string {
  const figure = { resource: moved.resource.resource, id: moved.id, line: judged.line };
  const cause = causeOf(session, figure);
  if (cause !== '') return cause;
  const isOwn = session.origin?.resource === figure.resource && session.origin.id === figure.id;
  if (!isOwn || judged.now === null) return '';
  return limit.each === undefined ? judged.now.field : `${limit.each}.${judged.index}.${judged.now.field}`;
}
