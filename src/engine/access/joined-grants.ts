import type { Filter } from '../schema/definition.ts';
import type { AccessDefinition } from '../schema/lifecycle-definition.ts';

/** What one line of a resource's access, or a row of permission_rule, opens to whoever has it. */
export type Grant = Omit<AccessDefinition, 'role'>;

/** Whether a grant opens records to be listed or read. */
export function showsRecords({ do: operations }: Pick<Grant, 'do'>): boolean {
  return operations.some((operation) => SEEING.has(operation));
}

/** What every grant that shows the resource tells. */
export function toldBy(grants: readonly Grant[]): ReadonlySet<string> {
  const seeing = grants.filter(showsRecords);
  return intersection(seeing.map(({ tell = [] }) => new Set(tell)));
}

/** The fields that every grant which writes keeps read-only. */
export function readOnlyBy(writing: readonly Grant[]): ReadonlySet<string> {
  return intersection(writing.map((grant) => new Set(grant.readOnly ?? [])));
}

/** The fields that grants which write name for it; null when one of them names none and so opens all. */
export function writtenFields(grants: readonly Grant[]): ReadonlySet<string> | null {
  if (grants.length === 0 || grants.some((grant) => grant.write === undefined)) return null;
  return new Set(grants.flatMap((grant) => grant.write ?? []));
}

/** Conditions on lines, by table: where every grant has one, a line that meets one of them is shown. */
export function lineFilters(grants: readonly Grant[]): Readonly<Record<string, Filter>> {
  const names = new Set(grants.flatMap((grant) => Object.keys(grant.lines ?? {})));
  const filters: Record<string, Filter> = {};
  for (const name of names) {
    const given = grants.map((grant) => grant.lines?.[name]);
    const limits = given.filter((filter) => filter !== undefined);
    if (limits.length < given.length) continue;
    const [first] = limits;
    if (first !== undefined) filters[name] = limits.length === 1 ? first : { or: limits };
  }
  return filters;
}

const SEEING: ReadonlySet<string> = new Set(['*', 'list', 'read']);

function intersection(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first, ...others] = sets;
  return new Set([...(first ?? [])].filter((name) => others.every((set) => set.has(name))));
}
