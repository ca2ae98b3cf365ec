import { finishElement, RICHTEXT_POLICY } from '#engine/fields/richtext-policy.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';

/**
 * Sanitises every richtext value of a record that is about to be written, in lines too. The browser did so already;
 * whoever calls directly did not.
 */
export async function cleanRichtext(resource: Resource, record: OpenRecord): Promise<OpenRecord> {
  const result: OpenRecord = { ...record };
  await cleanFields(resource.fields, result);
  for (const field of Object.values(resource.fields)) {
    if (!Object.values(field.fields ?? {}).some(({ type }) => type === 'richtext')) continue;
    const lines = linesOf(result[field.name]).map((line) => ({ ...line }));
    for (const line of lines) await cleanFields(field.fields ?? {}, line);
    result[field.name] = lines;
  }
  return result;
}

/** The HTML as it may be stored. */
export async function cleanHtml(html: string): Promise<string> {
  sanitizer ??= startSanitizer();
  return (await sanitizer)(html);
}

let sanitizer: Promise<(html: string) => string> | undefined;

/** A document model weighs much: it is loaded by the first save of a rich text. */
async function startSanitizer(): Promise<(html: string) => string> {
  const [{ JSDOM }, { default: createPurifier }] = await Promise.all([import('jsdom'), import('dompurify')]);
  const purifier = createPurifier(new JSDOM('').window);
  purifier.addHook('afterSanitizeAttributes', finishElement);
  return (html) => purifier.sanitize(html, RICHTEXT_POLICY);
}

async function cleanFields(fields: Readonly<Record<string, Field>>, record: OpenRecord): Promise<void> {
  for (const field of Object.values(fields)) {
    const value = record[field.name];
    if (field.type !== 'richtext' || typeof value !== 'string') continue;
    const html = await cleanHtml(value);
    record[field.name] = html === '' && !field.required ? null : html;
  }
}
