import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupPlace } from './backup-place.ts';
import { hashing } from './hashing.ts';
import { type FileCopy, filePath } from './manifest.ts';

/** Copies every complete file below `from` and tells what it copied; a missing folder is an empty one. */
export async function copyFiles(from: string, place: BackupPlace): Promise<readonly FileCopy[]> {
  const copies: FileCopy[] = [];
  for (const path of await listFiles(from)) {
    const hashed = hashing();
    await pipeline(createReadStream(join(from, path)), hashed.through, (source: AsyncIterable<Buffer>) =>
      place.write(filePath(path), source),
    );
    copies.push({ path, ...hashed.result() });
  }
  return copies;
}

/** Brings a copied file back. */
export async function bringFile(content: AsyncIterable<Buffer>, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await pipeline(content, createWriteStream(target, { mode: 0o600 }));
}

/** Files below a folder with `/` in their paths; drafts of running uploads are none. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.draft'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
