import type { Catalog } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { searchedFields } from './search-index.ts';
import type { Reader } from '#server/records/call/statement.ts';

/** A resource and its reference whose text goes into the search. */
export interface SearchedReference {
  readonly resource: string;
  readonly field: string;
}

/**
 * Notes, in the transaction of the write, which records got another name: those that are found by that name are brought
 * up to date behind the write, since a partner may stand on a hundred thousand documents.
 */
export async function markRenamed(
  tx: Reader,
  call: Call,
  changes: readonly { readonly before: OpenRecord; readonly after: OpenRecord }[],
): Promise<void> {
  const { resource, catalog } = call;
  if (searchedReferencesTo(catalog, resource.resource).length === 0) return;
  const renamed = changes.filter(({ before, after }) => before[resource.label] !== after[resource.label]);
  await noteRenamed(
    tx,
    resource.resource,
    renamed.map(({ before }) => String(before['id'])),
  );
}

/** Puts records on the list of the renamed. A second renaming while the first waits begins its time anew. */
export async function noteRenamed(tx: Reader, resource: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(NOTE, [resource, [...ids].sort()], 'renamed_note');
}

/** The references to a resource whose labels other resources are searched by. */
export function searchedReferencesTo(catalog: Catalog, target: string): readonly SearchedReference[] {
  const byTarget = known.get(catalog) ?? collect(catalog);
  known.set(catalog, byTarget);
  return byTarget.get(target) ?? [];
}

const NOTE = `insert into sys_renamed (resource, record_id) select $1, x from unnest($2::uuid[]) x
  on conflict (resource, record_id) do update set at = clock_timestamp()`;

const known = new WeakMap<Catalog, ReadonlyMap<string, readonly SearchedReference[]>>();

function collect(catalog: Catalog): ReadonlyMap<string, readonly SearchedReference[]> {
  const byTarget = new Map<string, SearchedReference[]>();
  for (const resource of Object.values(catalog.resources)) {
    if (resource.kind === 'view') continue;
    for (const field of searchedFields(catalog, resource))
      if (field.type === 'reference' && typeof field.to === 'string')
        byTarget.set(field.to, [
          ...(byTarget.get(field.to) ?? []),
          { resource: resource.resource, field: field.name },
        ]);
  }
  return byTarget;
}
