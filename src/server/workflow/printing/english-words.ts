import type { Field } from '#engine/schema/resource.ts';
import type { Services } from '#server/records/services.ts';

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What choices are called in English papers, from setup/english.json: by dictionary, or by `resource.field` for a field
 * with choices of its own. Null where the file has no word.
 */
export function englishWord(
  { definitions }: { readonly definitions: Pick<Services['definitions'], 'setup'> },
  { resource, field, value }: { readonly resource: string; readonly field: Field; readonly value: unknown },
): string | null {
  if (typeof value !== 'string') return null;
  // Checked against its schema when it was loaded.
  const words = (definitions.setup().files['english'] ?? {}) as Words;
  const name = field.dictionary ?? `${resource}.${field.name}`;
  return words[name]?.[value] ?? null;
}
