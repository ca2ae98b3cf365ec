import type { Scope } from '#engine/filter/scope.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import { headPath } from '#engine/schema/formula-order.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import type { MovedRecord } from './write-session.ts';
import { writtenRecord } from './written-record.ts';

/** A record as a limit sees it, now and before the transaction; null for a new one. */
export interface States {
  readonly after: Scope;
  readonly before: Scope | null;
}

/** A record that was read since the last write of the transaction. */
type Standing = (moved: MovedRecord) => OpenRecord | undefined;

interface MovedStates {
  readonly moved: MovedRecord;
  readonly states: States;
}

/** Records now and before the transaction, each with the values behind its references, in the order given. */
export async function statesOfAll(
  tx: Tx,
  limited: readonly MovedRecord[],
  standing: Standing,
): Promise<readonly MovedStates[]> {
  const groups = new Map<string, MovedRecord[]>();
  for (const moved of limited) {
    const key = `${moved.resource.resource} ${moved.call.caller.subject.co_code}`;
    const group = groups.get(key) ?? [];
    group.push(moved);
    groups.set(key, group);
  }
  const states = new Map<MovedRecord, States>();
  for (const group of groups.values())
    for (const one of await statesOf(tx, group, standing)) states.set(one.moved, one.states);
  return limited.flatMap((moved) => {
    const found = states.get(moved);
    return found === undefined ? [] : [{ moved, states: found }];
  });
}

/** The same for records of one resource and company. */
async function statesOf(
  tx: Tx,
  group: readonly MovedRecord[],
  standing: Standing,
): Promise<readonly MovedStates[]> {
  const [first] = group;
  if (first === undefined) return [];
  const call = openSystemCall(first.call.services, first.call.caller, first.resource.resource);
  const open = { ...call, access: { ...call.access, companies: 'all' as const } };
  const known = new Map(group.map((moved) => [moved, standing(moved) ?? writtenRecord(tx, moved)]));
  const unread = group.filter((moved) => known.get(moved) === null).map(({ id }) => id);
  const read = unread.length === 0 ? [] : await readStoredMany(tx, open, unread);
  const byId = new Map(read.map((record) => [String(record['id']), record]));
  const found = group.flatMap((moved) => {
    const record = known.get(moved) ?? byId.get(moved.id);
    const before = moved.before === null ? null : { ...moved.before };
    return record === undefined ? [] : [{ moved, record, before }];
  });
  const { resource } = first;
  const paths = limitPaths(resource);
  // What has the name of another record is named by it in a refusal.
  const withLabels = resource.fields[resource.label]?.type === 'reference';
  if (paths.length > 0 || withLabels)
    for (const [company, records] of byCompany(call, found))
      await attachReferences(tx, {
        catalog: call.catalog,
        resource,
        records,
        withPaths: true,
        onlyPaths: paths,
        withLabels,
        company,
      });
  return found.map(({ moved, record, before }) => ({
    moved,
    states: { after: recordScope(call, record), before: before === null ? null : recordScope(call, before) },
  }));
}

/** The values behind references that the limits of a resource read. */
function limitPaths(resource: Resource): readonly string[] {
  const known = pathsOfLimits.get(resource);
  if (known !== undefined) return known;
  const read = new Set(
    resource.limits.flatMap(({ when, assert, each }) =>
      [when, assert].flatMap((filter) => {
        const { fields, values } = filterReads(filter);
        return [...fields, ...values].map((path) => headPath(path, each));
      }),
    ),
  );
  const paths = resource.paths.filter((path) => read.has(path));
  pathsOfLimits.set(resource, paths);
  return paths;
}

const pathsOfLimits = new WeakMap<Resource, readonly string[]>();

function byCompany(
  call: Call,
  found: readonly { readonly record: OpenRecord; readonly before: OpenRecord | null }[],
): ReadonlyMap<string, readonly OpenRecord[]> {
  const companies = new Map<string, OpenRecord[]>();
  for (const { record, before } of found) {
    const company = textOf(record['co_code'] ?? call.caller.subject.co_code);
    const records = companies.get(company) ?? [];
    records.push(record, ...(before === null ? [] : [before]));
    companies.set(company, records);
  }
  return companies;
}
