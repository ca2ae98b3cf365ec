import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { createS3Storage } from './s3-storage.ts';

/** Where the bytes of files lie. Keys are made by the server: `ab/abcdef...`. */
export interface FileStorage {
  readonly write: (key: string, bytes: Buffer, type: string) => Promise<void>;
  /** Takes over a file that lies on this machine. */
  readonly keep: (key: string, path: string, type: string) => Promise<void>;
  /** Null when there is no such file. */
  readonly read: (key: string) => Promise<Readable | null>;
  readonly remove: (key: string) => Promise<void>;
}

/** S3 when configured, else the folder `files` of the data directory. */
export function createFileStorage(config: Pick<Config, 's3' | 'dataDir'>): FileStorage {
  return config.s3 === null ? createLocalStorage(join(config.dataDir, 'files')) : createS3Storage(config.s3);
}

function createLocalStorage(folder: string): FileStorage {
  return {
    write: async (key, bytes) => {
      const path = join(folder, key);
      await mkdir(dirname(path), { recursive: true });
      // Readers never see half a file; two who store the same bytes at once do not share a draft.
      const draft = `${path}.${randomUUID()}.draft`;
      await writeFile(draft, bytes, { mode: 0o640 });
      await rename(draft, path);
    },
    keep: async (key, source) => {
      const path = join(folder, key);
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${randomUUID()}.draft`;
      await copyFile(source, draft);
      await rename(draft, path);
    },
    read: async (key) => {
      const path = join(folder, key);
      const found = await stat(path).catch(() => null);
      return found === null ? null : createReadStream(path);
    },
    remove: (key) => rm(join(folder, key), { force: true }),
  };
}
