import { hashPassword } from '#server/auth/passwords.ts';
import type { Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from './attach-references.ts';

/** Puts the argon2id hash in place of every secret that was given; one that was not keeps its stored hash. */
export async function hashSecrets(
  resource: Resource,
  record: OpenRecord,
  previous: OpenRecord | null,
): Promise<OpenRecord> {
  for (const field of Object.values(resource.fields)) {
    if (field.type !== 'secret') continue;
    const value = record[field.name];
    const stored = previous?.[field.name] ?? null;
    if (typeof value !== 'string' || value === '') record[field.name] = stored;
    else if (value !== stored && !value.startsWith('$argon2id$'))
      record[field.name] = await hashPassword(value);
  }
  return record;
}
