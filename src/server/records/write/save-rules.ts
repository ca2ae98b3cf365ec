import { isOwnWrite } from '#engine/record/apply-own.ts';
import type { FollowDefinition } from '#engine/schema/effects-definition.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { followTarget, rehearseAmendment } from '#server/records/follow/amendment.ts';
import { runFollows } from '#server/records/follow/run-follows.ts';
import { canPostTogether, postTogether } from '#server/records/ledger/post-together.ts';
import { runPostings } from '#server/records/ledger/run-postings.ts';
import { runVouchers, vouchTogether } from '#server/records/ledger/run-vouchers.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { requireChecks, runEffects } from '#server/records/rules/run-rules.ts';

/** Something may have changed the record again after it was saved. */
export function hasSaveEffects({ resource }: Call, when: 'create' | 'update'): boolean {
  const { then, effects, lifecycle, postings, holds } = resource;
  if (resource.secondPerson !== undefined) return true;
  const movesItself = Object.values(lifecycle?.actions ?? {}).some(({ auto }) => auto === true);
  const following = [effects[when], then[when], then.save, postings, holds];
  return movesItself || following.some((list) => list.length > 0);
}

/** What a resource's `then`, named checks and effects do after a save, in its transaction. */
export async function runSaveRules(
  tx: Tx,
  call: Call,
  run: {
    readonly record: OpenRecord;
    readonly previous: OpenRecord | null;
    readonly action: 'create' | 'update';
    readonly created: CreatedRecord[];
  },
): Promise<void> {
  const { previous, action, created } = run;
  await requireChecks(call.resource.checks.save, { tx, call, ...run });
  const posted = await runPostings(tx, call, { before: previous, after: run.record, action: null });
  const record = posted.after;
  await runEffects(call.resource.effects[action], { tx, call, ...run, record });
  const { then, amendment } = call.resource;
  if (amendment !== undefined) {
    const context = { tx, services: call.services, caller: call.caller, created };
    await followTarget(context, call, { record, previous });
    await rehearseAmendment(tx, call, { record, isSubmission: false });
  }
  await runFollows(tx, call, [...then[action], ...then.save], { record, previous, action, created });
  await runVouchers(tx, call, posted);
}

/**
 * Whether what follows from new records of a resource may be done for many of them together: nothing of it asks or changes
 * anything that another of them moves.
 */
export function mayFollowTogether(call: Call): boolean {
  const { checks, amendment, effects, then, secondPerson } = call.resource;
  if (checks.save.length > 0 || amendment !== undefined || secondPerson !== undefined) return false;
  const named = [...then.create, ...then.save].map((entry) => {
    if (isOwnWrite(entry, call.resource) || onlyMarks(call, entry)) return [];
    return entry.effect === undefined ? null : [entry.effect];
  });
  const { writing } = call.services.rules;
  const isQuiet = [...effects.create, ...named.flatMap((names) => names ?? [])].every(
    (name) => !writing.has(name),
  );
  return isQuiet && !named.includes(null) && canPostTogether(call);
}

/** Whether an entry only marks what a reference names: no other record reads the mark, and nothing follows from it. */
function onlyMarks({ resource, catalog }: Call, { to, each, set }: FollowDefinition): boolean {
  const field = to === undefined || each !== undefined ? undefined : resource.fields[to];
  if (set === undefined || field?.type !== 'reference' || typeof field.to !== 'string') return false;
  const target = catalog.resources[field.to];
  if (target === undefined || target.resource === resource.resource) return false;
  const { account, checks, effects, then, postings, holds, vouchers } = target;
  const following = [checks.save, effects.update, postings, holds, vouchers];
  if (following.some((list) => list.length > 0) || account !== undefined) return false;
  const names = Object.keys(set);
  const isHeard = [...then.update, ...then.save].some(
    ({ changed }) => changed === undefined || changed.some((name) => names.includes(name)),
  );
  return !isHeard && names.every((name) => !resource.paths.includes(`${to}.${name}`));
}

/** The same as `runSaveRules` for many new records of one company; see `mayFollowTogether`. */
export async function runSaveRulesTogether(
  tx: Tx,
  call: Call,
  { records, created }: { readonly records: readonly OpenRecord[]; readonly created: CreatedRecord[] },
): Promise<void> {
  const { effects, then } = call.resource;
  const posted = await postTogether(tx, call, records);
  for (const { after: record } of posted) {
    const run = { record, previous: null, action: 'create', created };
    await runEffects(effects.create, { tx, call, ...run });
    await runFollows(tx, call, [...then.create, ...then.save], run);
  }
  await vouchTogether(tx, call, posted);
}
