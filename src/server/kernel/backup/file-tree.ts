import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { type BackupPlace, isOfDisk } from './backup-place.ts';
import { hashing } from './hashing.ts';
import { type FileCopy, filePath } from './manifest.ts';

/**
 * Copies every complete file below `from` and tells what it copied; a missing folder is an empty one. The app runs
 * meanwhile and clears away exports and bytes that no row names: what is gone when its turn comes is left out.
 */
export async function copyFiles(from: string, place: BackupPlace): Promise<readonly FileCopy[]> {
  const copies: FileCopy[] = [];
  for (const path of await listFiles(from)) {
    // Once open it can be read to its end, though it be removed.
    const file = await open(join(from, path)).catch(nullWhenGone);
    if (file === null) continue;
    const hashed = hashing();
    await pipeline(file.createReadStream(), hashed.through, (source: AsyncIterable<Buffer>) =>
      place.write(filePath(path), source),
    );
    copies.push({ path, ...hashed.result() });
  }
  return copies;
}

function nullWhenGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** Brings copied files into an empty folder: all of them, or none. @throws StartRefusal when they cannot be written */
export async function bringFiles(
  files: readonly FileCopy[],
  folder: string,
  contentOf: (path: string) => Promise<AsyncIterable<Buffer>>,
): Promise<void> {
  try {
    for (const { path } of files) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await pipeline(await contentOf(path), createWriteStream(target, { mode: 0o600 }));
    }
  } catch (error) {
    await takeBack(files, folder);
    throw isOfDisk(error)
      ? new StartRefusal(`恢复失败：文件目录 ${folder} 无法写入（${error.code}）。数据库没有改动。`, error)
      : error;
  }
}

/** Removes what was brought. */
export async function takeBack(files: readonly FileCopy[], folder: string): Promise<void> {
  // What lies where none could be made cannot be removed either; why is told already.
  for (const { path } of files) await rm(join(folder, path), { force: true }).catch(() => undefined);
}

/** Files below a folder with `/` in their paths; drafts of running uploads are none. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.draft'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
