import type { Field, Resource } from '#engine/schema/resource.ts';
import { isSpokenOfNames } from './named-choices.ts';
import { linesOf, type OpenRecord } from './open-record.ts';
import type { PathNode, ReferencePlan } from './reference-plan.ts';

/** A head or a line, with what its fields refer to. */
export interface Holder {
  readonly record: OpenRecord;
  readonly links: HolderLinks;
  readonly tree: ReadonlyMap<string, PathNode> | undefined;
  readonly prefix: string;
  /** Of a line: what it belongs to. */
  readonly head?: OpenRecord;
}

/** The fields of a head or of lines that lead to a text or to another record, in their order: the others need no look. */
export interface HolderLinks {
  readonly references: readonly Field[];
  /** References and dictionaries. */
  readonly linked: readonly Field[];
  /** What has a text beside its value. */
  readonly worded: readonly Field[];
}

/** The heads and lines of records; of records that have these fields only no line and no other field is looked at. */
export function holdersOf(
  resource: Resource,
  records: readonly OpenRecord[],
  { plan, fields: some }: { readonly plan: ReferencePlan | null; readonly fields?: readonly Field[] },
): readonly Holder[] {
  const head = { links: linksOf(some ?? resource.fields), tree: plan?.head, prefix: '' };
  if (some !== undefined) return records.map((record) => ({ record, ...head }));
  const holders: Holder[] = [];
  const lineFields = Object.values(resource.fields).filter((field) => field.type === 'lines');
  for (const record of records) {
    holders.push({ record, ...head });
    for (const { name, fields } of lineFields) {
      const links = linksOf(fields ?? NO_FIELDS);
      const tree = plan?.lines[name];
      for (const line of linesOf(record[name]))
        holders.push({ record: line, links, tree, prefix: `${name}.`, head: record });
    }
  }
  return holders;
}

const NO_FIELDS: Readonly<Record<string, Field>> = {};
const known = new WeakMap<object, HolderLinks>();

/** Found once for the fields of a definition, or for a list of some that is kept by whoever asks. */
function linksOf(fields: Readonly<Record<string, Field>> | readonly Field[]): HolderLinks {
  const remembered = known.get(fields);
  if (remembered !== undefined) return remembered;
  const all = Object.values(fields);
  const links = {
    references: all.filter(({ type }) => type === 'reference'),
    linked: all.filter(({ type }) => type === 'reference' || type === 'dictionary'),
    worded: all.filter((field) => isSpokenOfNames(field) || hasLabel(field)),
  };
  known.set(fields, links);
  return links;
}

function hasLabel(field: Field): boolean {
  return field.type === 'reference' || field.type === 'dictionary' || field.options !== undefined;
}
