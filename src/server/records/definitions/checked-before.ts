import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefinitionFile } from '#engine/schema/parse-files.ts';

/** What the data directory says of definition files. */
export interface CheckedBefore {
  /** True when exactly these files were found faultless by exactly this program. */
  readonly isFaultless: boolean;
  /** Notes that they are. */
  readonly keep: () => Promise<void>;
}

const NAME = 'definitions-checked';

/**
 * Reading and checking all definitions takes most of a warm start, and says the same as long as neither they nor the
 * program change. So the start notes one hash over both; a note of another program, of other files or half written is
 * simply another hash. Null as `program`: nothing is noted, everything is checked.
 */
export async function checkedBefore(
  at: { readonly folder: string; readonly program: string | null },
  files: readonly DefinitionFile[],
): Promise<CheckedBefore> {
  const { folder, program } = at;
  if (program === null) return { isFaultless: false, keep: async () => undefined };
  const note = join(folder, NAME);
  const hash = createHash('sha256').update(program);
  for (const { path, text } of files) hash.update(JSON.stringify([path, text]));
  const found = hash.digest('hex');
  return {
    isFaultless: (await readFile(note, 'utf8').catch(() => null)) === found,
    keep: () => writeFile(note, found),
  };
}

/** Hash of the built program; null when it runs from its sources, which change while it runs. */
export async function programHash(): Promise<string | null> {
  const file = fileURLToPath(import.meta.url);
  if (file.endsWith('.ts')) return null;
  const folder = dirname(file);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name))));
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}
