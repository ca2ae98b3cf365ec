import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { tableName } from '#engine/filter/path-sql.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf } from './rule-values.ts';

/** States after which nothing more happens to a document. */
const FINAL = [
  'completed',
  'void',
  'cancelled',
  'terminated',
  'settled',
  'closed',
  'expired',
  'renewed',
  'superseded',
  'disabled',
  'converted',
] as const;

/** Open documents of one resource that a person or a party stands on. */
export interface OpenRecords {
  readonly resource: Resource;
  readonly ids: readonly string[];
}

/**
 * The records that are not final and hold an id in a field, of every document (and master, where asked) of the catalog
 * that has the field: what changes hands when a salesperson leaves or a partner is transferred.
 */
export async function openRecordsWith(
  call: RuleCall,
  asked: { readonly field: string; readonly id: string; readonly also?: string },
): Promise<readonly OpenRecords[]> {
  const found: OpenRecords[] = [];
  for (const resource of withFields(call.services.definitions.catalog(), [
    asked.field,
    ...(asked.also === undefined ? [] : [asked.also]),
  ])) {
    const rows = await call.tx.query<{ id: string }>(
      `select id from ${tableName(resource)} where co_code = $1 and ${asked.field} = $2::uuid and not is_deleted and (status is null or status <> all($3::text[])) order by id`,
      [companyOf(call), asked.id, FINAL],
    );
    if (rows.length > 0) found.push({ resource, ids: rows.map((row) => row.id) });
  }
  return found;
}

function withFields(catalog: Pick<Catalog, 'resources'>, names: readonly string[]): readonly Resource[] {
  return Object.values(catalog.resources).filter(
    (resource) =>
      resource.kind === 'document' &&
      resource.scope === 'company' &&
      names.every((name) => resource.fields[name]?.type === 'reference'),
  );
}
