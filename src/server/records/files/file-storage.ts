import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '#server/kernel/config.ts';
import { createS3Storage } from './s3-storage.ts';

/** Where the bytes of files lie. Keys are made by the server: `ab/abcdef...`. */
export interface FileStorage {
  readonly write: (key: string, bytes: Buffer, type: string) => Promise<void>;
  /** Takes over a file that lies on this machine. */
  readonly keep: (key: string, path: string, type: string) => Promise<void>;
  /** Null when there is no such file. */
  readonly read: (key: string) => Promise<Readable | null>;
  /** Nothing happens when it is gone already. */
  readonly remove: (key: string) => Promise<void>;
  /** Removes what writes that were cut off before then have left. */
  readonly removeDrafts: (before: Date) => Promise<void>;
}

/** S3 when configured, else the folder `files` of the data directory. */
export function createFileStorage(config: Pick<Config, 's3' | 'dataDir'>): FileStorage {
  return config.s3 === null ? createLocalStorage(join(config.dataDir, 'files')) : createS3Storage(config.s3);
}

function createLocalStorage(folder: string): FileStorage {
  const drafts = join(folder, 'drafts');
  /** Readers never see half a file; two who store the same bytes at once do not share a draft. */
  const place = async (key: string, fill: (draft: string) => Promise<void>): Promise<void> => {
    const path = join(folder, key);
    await Promise.all([dirname(path), drafts].map((name) => mkdir(name, { recursive: true })));
    const draft = join(drafts, `${randomUUID()}.draft`);
    await fill(draft);
    await rename(draft, path);
  };
  return {
    write: (key, bytes) => place(key, (draft) => writeFile(draft, bytes, { mode: 0o600 })),
    keep: (key, source) => place(key, (draft) => copyFile(source, draft)),
    read: async (key) => {
      const path = join(folder, key);
      const found = await stat(path).catch(() => null);
      return found === null ? null : createReadStream(path);
    },
    remove: (key) => rm(join(folder, key), { force: true }),
    removeDrafts: async (before) => {
      for (const name of await readdir(drafts).catch(() => [])) {
        const found = await stat(join(drafts, name)).catch(() => null);
        if (found !== null && found.mtime < before) await rm(join(drafts, name), { force: true });
      }
    },
  };
}
