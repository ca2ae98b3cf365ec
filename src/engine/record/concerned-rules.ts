import { filterReads } from '../schema/filter-reads.ts';
import { headPath } from '../schema/formula-order.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import type { ErpRecord, Resource } from '../schema/resource.ts';
import { diffRecords } from './diff-records.ts';

/** Tells whether what a rule reads of its record is another one since an earlier state of it. */
export function concernedRules(
  resource: Resource,
  before: ErpRecord,
  after: ErpRecord,
): (rule: RuleDefinition) => boolean {
  const changed = new Set(diffRecords(resource, before, after).map(({ field }) => headOf(field)));
  return (rule) => [...readNames(resource, rule)].some((name) => changed.has(name));
}

/** The fields that a rule reads, and through fields that are not stored what those are made of. */
function readNames(resource: Resource, { when, assert, holds, each }: RuleDefinition): ReadonlySet<string> {
  const filters = [filterReads(when), filterReads(assert)];
  const paths = [
    ...filters.flatMap(({ fields, values }) => [...fields, ...values]),
    ...(holds === undefined ? [] : formulaReads(holds)),
  ];
  const names = new Set<string>();
  const add = (path: string): void => {
    const name = headOf(path);
    if (names.has(name)) return;
    names.add(name);
    const field = resource.fields[name];
    if (field?.stored === false) for (const read of formulaReads(field.formula ?? '')) add(headPath(read, undefined)); // prettier-ignore
  };
  for (const path of paths) add(headPath(path, each));
  return names;
}

function headOf(path: string): string {
  return path.split('.')[0] ?? path;
}
