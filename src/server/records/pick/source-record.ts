import { describeFilter } from '#engine/filter/describe-filter.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { entryScopes } from '#engine/record/apply-own.ts';
import { actionRefusal } from '#engine/lifecycle/action-states.ts';
import { offeredMakes, type OfferedMake } from '#engine/schema/offered-makes.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { accessTo, type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';

/** The call on the resource of a source, as whoever makes something of it may read it. @throws FORBIDDEN */
export function openSource(call: Call, key: string): Call {
  const source = openAnyCall(call.services, call.caller, key);
  if (!source.access.operations.has('read')) throw new AppError('FORBIDDEN');
  return source;
}

/**
 * Records that something is made from, with the values behind their references; without lines that the reader may not
 * see. @throws NOT_FOUND when one is not there or may not be read
 */
export async function readSources(
  db: Reader,
  source: Call,
  ids: readonly string[],
  isLocking: boolean,
): Promise<readonly OpenRecord[]> {
  const records = await readStoredMany(db, source, ids, { isLocking, isLimitingLines: true });
  const [first] = records;
  if (first === undefined || records.length < ids.length)
    throw new AppError('NOT_FOUND', { message: `来源${source.resource.title}不存在或无权查看` });
  await attachReferences(db, {
    catalog: source.catalog,
    resource: source.resource,
    records,
    withPaths: true,
    withLabels: true,
    company: textOf(first['co_code'] ?? source.caller.subject.co_code),
  });
  return records;
}

/** The make of a resource that a person may begin; null when there is none of that name. */
export function offeredMake(resource: Resource, key: string): OfferedMake | null {
  return offeredMakes(resource).find((offered) => offered.key === key) ?? null;
}

/** The makes that the caller may begin: whoever may create what they give, and run the action that makes it. */
export function openMakes({ services, caller, catalog, resource, access }: Call): readonly OfferedMake[] {
  return offeredMakes(resource).filter(({ make, action }) => {
    const target = catalog.resources[make.to];
    if (target === undefined || (action !== null && !access.operations.has(action.key))) return false;
    return accessTo(services, caller.subject, target).operations.has('create');
  });
}

/** Why a make's own `when`, or that of its action, refuses a record, in its own words where it has some; of a line or a state others speak. */
export function unfitReason(source: Call, { make, when }: OfferedMake, record: OpenRecord): string | null {
  const scope = recordScope(source, record);
  if (when !== null && !matchesFilter(when, scope)) return `须满足：${describeFilter(when, scope)}`;
  if (make.when === undefined) return null;
  const fits = entryScopes(make, scope).some((here) => matchesFilter(make.when, here));
  return fits ? null : (make.empty ?? `须满足：${describeFilter(make.when, scope)}`);
}

/** Why nothing may be made of a record now by an action; `isAsked`: whoever makes it needs the right to the action. */
export function sourceRefusal(
  source: Call,
  { action }: Pick<OfferedMake, 'action'>,
  { record, isAsked }: { readonly record: OpenRecord; readonly isAsked: boolean },
): string | null {
  if (action === null) return null;
  const { access } = source;
  const everybody = {
    ...access,
    operations: new Set([action.key]),
    rowsByOperation: { [action.key]: { rows: {}, companies: 'all' as const } },
  };
  return actionRefusal(source.resource, action.key, {
    record,
    scope: recordScope(source, record),
    access: isAsked ? access : everybody,
  });
}
