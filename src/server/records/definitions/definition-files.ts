import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { DefinitionFile } from '#engine/schema/parse-files.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** Paths of a folder's definition files with a stamp each that changes when the file does. */
export type FileStamps = ReadonlyMap<string, string>;

/** Lists the definition files below a folder: every .json but what lies under reference-data. */
export async function stampFiles(folder: string): Promise<FileStamps> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).split(sep).includes('reference-data'))
    .sort();
  const stamps = await Promise.all(
    paths.map(async (path): Promise<[string, string] | null> => {
      const found = await stat(path).catch(() => null);
      // Gone between listing and looking: an editor replaces files.
      return found === null ? null : [path, `${found.mtimeMs}:${found.size}:${found.ino}`];
    }),
  );
  return new Map(stamps.filter((entry) => entry !== null));
}

/** Reads the files; their paths are told as people know them: `resources/sales/export_contract.json`. @throws StartRefusal when the folder is missing */
export async function readDefinitionFiles(
  folder: string,
  shownAs: string,
): Promise<readonly DefinitionFile[]> {
  const stamps = await stampFiles(folder).catch((error: unknown) => {
    throw new StartRefusal(`找不到定义目录 ${folder}，请检查 ERP_RESOURCES_DIR。`, error);
  });
  const files = await Promise.all(
    [...stamps.keys()].map(async (path) => {
      const text = await readFile(path, 'utf8').catch(() => null);
      return text === null
        ? null
        : { path: join(shownAs, relative(folder, path)).split(sep).join('/'), text };
    }),
  );
  return files.filter((file) => file !== null);
}

/** Short hash of a file's text: the part of an ETag that changes with it. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Short hash of all texts, in whatever order they were read. */
export function tagOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const path of [...texts.keys()].sort()) hash.update(`${path}\0${texts.get(path) ?? ''}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** True when both say the same of every file. */
export function areStampsEqual(left: FileStamps, right: FileStamps): boolean {
  return left.size === right.size && [...left].every(([path, stamp]) => right.get(path) === stamp);
}
