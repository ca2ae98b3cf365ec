import { hashPassword } from '#server/kernel/passwords.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';

/**
 * Puts the argon2id hash in place of every secret that was given, in lines too; one that was not keeps its stored hash.
 */
export async function hashSecrets(
  resource: Resource,
  record: OpenRecord,
  previous: OpenRecord | null,
): Promise<OpenRecord> {
  await hashFields(resource.fields, record, previous);
  for (const field of Object.values(resource.fields)) {
    if (!Object.values(field.fields ?? {}).some((cell) => cell.type === 'secret')) continue;
    const stored = new Map(linesOf(previous?.[field.name]).map((line) => [line['id'], line]));
    const lines = linesOf(record[field.name]).map((line) => ({ ...line }));
    for (const line of lines) await hashFields(field.fields ?? {}, line, stored.get(line['id']) ?? null);
    record[field.name] = lines;
  }
  return record;
}

async function hashFields(
  fields: Readonly<Record<string, Field>>,
  record: OpenRecord,
  previous: OpenRecord | null,
): Promise<void> {
  for (const field of Object.values(fields)) {
    if (field.type !== 'secret') continue;
    const value = record[field.name];
    const stored = previous?.[field.name] ?? null;
    if (typeof value !== 'string' || value === '') record[field.name] = stored;
    else if (value !== stored && !value.startsWith('$argon2id$'))
      record[field.name] = await hashPassword(value);
  }
}
