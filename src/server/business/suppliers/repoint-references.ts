import type { Field, Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { type SystemContext, readRecord, updateRecordFields } from '#server/records/write/system-write.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';

/** Which record gives way to which other of the same resource. */
export interface Replacement {
  readonly resource: string;
  readonly keep: string;
  readonly replaced: string;
}

/**
 * Points every reference of the company at the kept record, found from the definitions: heads, lines, multiple ones.
 * Logs keep what they said. Each record is written by the engine, so uniques, audit and search follow; a conflict is
 * refused with the unique's own message. Gives the ids of the records that changed.
 */
export async function repointReferences(
  context: SystemContext,
  replacement: Replacement,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const resource of Object.values(currentCatalog(context.services).resources)) {
    if (resource.kind === 'view' || resource.kind === 'log') continue;
    const ids = await referringIds(context, resource, replacement);
    for (const id of ids) await repointRecord(context, resource, { id, replacement });
    changed.push(...ids);
  }
  return changed;
}

async function referringIds(
  { tx, caller }: SystemContext,
  resource: Resource,
  { resource: target, replaced }: Replacement,
): Promise<readonly string[]> {
  const table = quoteName(resource.resource);
  const found = Object.values(resource.fields).flatMap((field) => {
    if (pointsAt(field, target)) return [holds(`t.${quoteName(field.name)}`, field)];
    const columns = Object.values(field.fields ?? {}).filter((column) => pointsAt(column, target));
    return columns.map(
      (column) =>
        `exists (select 1 from ${quoteName(`${resource.resource}__${field.name}`)} l where l.parent_id = t.id and ${holds(`l.${quoteName(column.name)}`, column)})`,
    );
  });
  if (found.length === 0) return [];
  const company = resource.scope === 'global' ? 'true or $2::text is null' : 't.co_code = $2';
  const rows = await tx.query<{ id: string }>(
    `select t.id from ${table} t where (${company}) and (${found.join(' or ')}) order by t.id`,
    [replaced, caller.subject.co_code],
  );
  return rows.map(({ id }) => id);
}

async function repointRecord(
  context: SystemContext,
  resource: Resource,
  { id, replacement }: { readonly id: string; readonly replacement: Replacement },
): Promise<void> {
  const record = await readRecord(context, resource.resource, id, true);
  if (record === null) return;
  await updateRecordFields(context, resource.resource, {
    id,
    fields: repointed(resource.fields, record, replacement),
    action: 'merge',
  });
}

function repointed(
  fields: Readonly<Record<string, Field>>,
  record: OpenRecord,
  replacement: Replacement,
): OpenRecord {
  const { resource, keep, replaced } = replacement;
  const changed: Record<string, unknown> = {};
  for (const field of Object.values(fields)) {
    const value = record[field.name];
    if (pointsAt(field, resource)) {
      if (value === replaced) changed[field.name] = keep;
      else if (Array.isArray(value) && value.includes(replaced))
        changed[field.name] = [...new Set(value.map((id: unknown) => (id === replaced ? keep : id)))];
    } else if (field.fields !== undefined && Array.isArray(value)) {
      const columns = field.fields;
      const lines = value.map((line: OpenRecord) => ({ ...line, ...repointed(columns, line, replacement) }));
      if (Object.values(columns).some((column) => pointsAt(column, resource))) changed[field.name] = lines;
    }
  }
  return changed;
}

function pointsAt(field: Field, target: string): boolean {
  return field.type === 'reference' && field.to === target;
}

function holds(column: string, field: Field): string {
  return field.multiple === true ? `$1::uuid = any(${column}::uuid[])` : `${column} = $1::uuid`;
}
