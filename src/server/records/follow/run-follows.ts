import { AppError } from '#server/kernel/errors.ts';
import { evaluate } from '#engine/expression/evaluate.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { entryScopes, givenValues, isDue, isOwnWrite, withAdded } from '#engine/record/apply-own.ts';
import type { FollowDefinition } from '#engine/schema/effects-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { compareDecimals, isPlainDecimal, subtractDecimals } from '#engine/values/decimal.ts';
import { inputFields } from '#server/records/action/action-inputs.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { refuseProblems, runEffects } from '#server/records/rules/run-rules.ts';
import {
  readRecord,
  runSystemAction,
  type SystemContext,
  updateRecordFields,
} from '#server/records/write/system-write.ts';
import { type ChosenRecord, findOthers, isStillMeant, type OtherRecord } from './find-others.ts';
import { runMake, runRemake } from './run-makes.ts';

/** A write of which something follows. `record` is as stored now, with the values behind its references. */
export interface Followed {
  readonly record: ErpRecord;
  readonly previous: ErpRecord | null;
  readonly input?: ErpRecord;
  /** The action that ran; `create`, `update`, `delete`, `approved`, `released`. */
  readonly action: string;
  readonly created: CreatedRecord[];
}

/** Does what an ordered list says: makes documents, moves and changes other records, runs named effects. What it writes into its own record is part of that write already. */
export async function runFollows(
  tx: Tx,
  call: Call,
  entries: readonly FollowDefinition[],
  followed: Followed,
): Promise<void> {
  const scope: Scope = {
    ...recordScope(call, followed.record, followed.input),
    ...(followed.previous === null ? {} : { before: followed.previous }),
  };
  for (const entry of entries) {
    if (isOwnWrite(entry, call.resource)) continue;
    for (const here of entryScopes(entry, scope))
      if (isDue(entry, here)) await runEntry(tx, call, { entry, source: here, followed });
  }
}

interface Entry {
  readonly entry: FollowDefinition;
  readonly source: Scope;
  readonly followed: Followed;
}

async function runEntry(tx: Tx, call: Call, { entry, source, followed }: Entry): Promise<void> {
  const { created } = followed;
  if (entry.make !== undefined) return runMake(tx, call, { key: entry.make, scope: source, created });
  if (entry.remake !== undefined) return runRemake(tx, call, { key: entry.remake, scope: source, created });
  if (entry.effect !== undefined)
    return runEffects([entry.effect], {
      tx,
      call,
      record: followed.record,
      previous: followed.previous,
      ...(followed.input === undefined ? {} : { input: followed.input }),
      action: followed.action,
      created,
    });
  const targets = await targetsOf(tx, call, entry, source);
  if (entry.spread !== undefined) return spread(tx, call, { entry, source, targets, created });
  for (const target of targets) await runOn(tx, call, { entry, source, target, created, given: null });
}

async function targetsOf(
  tx: Tx,
  call: Call,
  entry: FollowDefinition,
  source: Scope,
): Promise<readonly ChosenRecord[]> {
  if (!isOwn(entry)) return findOthers(tx, call, { others: entry, source });
  return [
    {
      ...{ resource: call.resource.resource, id: String((source.parent ?? source.record)['id']) },
      ...{ label: '', version: null },
    },
  ];
}

/** An entry that names no others means the record itself; its `where` is asked of the record as it is by then. */
function isOwn(entry: FollowDefinition): boolean {
  return entry.to === undefined && entry.of === undefined;
}

interface OnTarget {
  readonly entry: FollowDefinition;
  readonly source: Scope;
  readonly target: ChosenRecord;
  readonly created: CreatedRecord[];
  readonly given: string | null;
}

async function runOn(tx: Tx, call: Call, on: OnTarget): Promise<void> {
  const { entry, target, created } = on;
  const context: SystemContext = { tx, services: call.services, caller: withoutInput(call), created };
  const targetScope = await scopeOn(context, call, on);
  if (targetScope === null) return;
  if (entry.do !== undefined) {
    const action = targetScope.resource.lifecycle?.actions[entry.do];
    const fields = action === undefined ? {} : inputFields(action);
    const inputs = givenValues(fields, entry.inputs ?? {}, targetScope);
    await named(target, () =>
      runSystemAction(context, target.resource, { id: target.id, action: entry.do ?? '', inputs }),
    );
    return;
  }
  const { resource } = targetScope;
  const set = givenValues(resource.fields, entry.set ?? {}, targetScope);
  const added = withAdded(resource, entry.add ?? {}, { record: targetScope.record, scope: targetScope });
  const lists = Object.fromEntries(Object.keys(entry.add ?? {}).map((name) => [name, added[name]]));
  await named(target, () =>
    updateRecordFields(context, target.resource, { id: target.id, fields: { ...set, ...lists } }),
  );
}

/** The target, locked, with its references, `source` being the record that the entry stands in; null when it is gone or, by now, not meant. */
async function scopeOn(context: SystemContext, call: Call, on: OnTarget): Promise<Scope | null> {
  const { target, source, given } = on;
  const record = await readRecord(context, target.resource, target.id, true);
  if (record === null) return null;
  const { entry } = on;
  if (
    !isOwn(entry) &&
    !(await isStillMeant(context.tx, call, { others: entry, source, chosen: target, record }))
  )
    return null;
  const targetCall = openSystemCall(call.services, context.caller, target.resource);
  const scope = recordScope(targetCall, record);
  if (isOwn(entry) && entry.where !== undefined && !matchesFilter(entry.where, scope)) return null;
  const names = given === null ? {} : { given: { given } };
  return { ...scope, context: { ...scope.context, ...inputOf(source) }, source, ...names };
}

function inputOf(source: Scope): Pick<Scope['context'], 'input' | 'inputFields'> {
  const { input, inputFields } = source.context;
  return { ...(input === undefined ? {} : { input }), ...(inputFields === undefined ? {} : { inputFields }) };
}

/** Gives the chosen records in turn the smaller of what is left of a sum and what they take. */
async function spread(
  tx: Tx,
  call: Call,
  all: {
    readonly entry: FollowDefinition;
    readonly source: Scope;
    readonly targets: readonly ChosenRecord[];
    readonly created: CreatedRecord[];
  },
): Promise<void> {
  const { entry, source, targets, created } = all;
  const sum: unknown = evaluate(parseExpression(entry.spread ?? ''), source);
  let left = isPlainDecimal(sum) ? sum : '0';
  for (const target of targets) {
    if (compareDecimals(left, '0') <= 0) return;
    const context: SystemContext = { tx, services: call.services, caller: withoutInput(call), created };
    const scope = await scopeOn(context, call, { entry, source, target, created, given: null });
    if (scope === null) continue;
    const most: unknown = entry.take === undefined ? left : evaluate(parseExpression(entry.take), scope);
    const take = isPlainDecimal(most) && compareDecimals(most, left) < 0 ? most : left;
    if (compareDecimals(take, '0') <= 0) continue;
    left = subtractDecimals(left, take);
    await runOn(tx, call, { entry, source, target, created, given: take });
  }
  if (entry.rest !== undefined && compareDecimals(left, '0') > 0)
    refuseProblems([{ path: '', code: 'rule', message: entry.rest }], 'RULE_REFUSED');
}

function withoutInput(call: Call): Call['caller'] {
  const { input: _input, inputFields: _fields, ...context } = call.caller.context;
  return { ...call.caller, context };
}

/** A refusal of a record that another document moves names that record. */
async function named(target: OtherRecord, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || target.label === '') throw error;
    const problems = error.problems.map((problem) => ({ ...problem, path: '' }));
    throw new AppError(error.code, {
      message: `${target.label}：${error.message}`,
      problems,
      cause: error,
    });
  }
}
