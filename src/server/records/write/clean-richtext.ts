import type { Field, Resource } from '#engine/schema/resource.ts';
import { createAsideService } from '#server/kernel/aside-service.ts';
import { AppError } from '#server/kernel/errors.ts';
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

/** The HTML as it may be stored. @throws BODY_TOO_LARGE for what cannot be looked through in a few seconds */
export async function cleanHtml(html: string): Promise<string> {
  if (!/[<&]/.test(html)) return html;
  const clean = await sanitizer.ask(html);
  if (clean === null) throw new AppError('BODY_TOO_LARGE', { message: '正文的格式过于复杂，请简化后再保存' });
  return clean;
}

/**
 * A document model weighs much, and what somebody nested ten thousand times keeps it busy for minutes: both happen in a
 * thread of their own. A text of the greatest length takes a second and a half.
 */
const sanitizer = createAsideService(import.meta.url, './html-worker.ts', {
  heapMb: 256,
  timeMs: 10_000,
  idleMs: 300_000,
});

async function cleanFields(fields: Readonly<Record<string, Field>>, record: OpenRecord): Promise<void> {
  for (const field of Object.values(fields)) {
    const value = record[field.name];
    if (field.type !== 'richtext' || typeof value !== 'string') continue;
    const html = await cleanHtml(value);
    record[field.name] = html === '' && !field.required ? null : html;
  }
}
