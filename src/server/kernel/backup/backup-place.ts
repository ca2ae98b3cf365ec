import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { BackupAddress } from './backup-address.ts';
import { createS3Place } from './s3-place.ts';
import { createSealer, SealError } from './seal.ts';

/** Where the files of one backup lie: a folder, or objects under a common beginning of their keys. */
export interface BackupPlace {
  /** As the operator knows it. */
  readonly name: string;
  readonly isEmpty: () => Promise<boolean>;
  /** Null when there is no such file. Paths have `/`. */
  readonly read: (path: string) => Promise<Readable | null>;
  readonly write: (path: string, content: AsyncIterable<Buffer>) => Promise<void>;
}

/** What sealed files are called besides their name. */
const SEALED = '.enc';

/** The place of the backup `name` below an address. */
export function placeBelow(address: BackupAddress, name: string): BackupPlace {
  return address.kind === 'folder'
    ? createFolderPlace(join(address.folder, name))
    : createS3Place(address.s3, [address.prefix, name].filter((part) => part !== '').join('/'));
}

/** A folder of this machine; it is made when something is written. */
export function createFolderPlace(folder: string): BackupPlace {
  return {
    name: folder,
    isEmpty: async () => (await readdir(folder).catch(() => [])).length === 0,
    read: async (path) => {
      const found = await stat(join(folder, path)).catch(() => null);
      return found?.isFile() === true ? createReadStream(join(folder, path)) : null;
    },
    write: async (path, content) => {
      const target = join(folder, path);
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await pipeline(content, createWriteStream(target, { mode: 0o600 }));
      } catch (error) {
        throw isOfDisk(error)
          ? new StartRefusal(`备份目录 ${folder} 无法写入（${error.code}）。`, error)
          : error;
      }
    },
  };
}

const DISK_FAULTS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EEXIST',
]);

/** True for what the disk or its rights are to blame for. */
export function isOfDisk(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && DISK_FAULTS.has(error.code);
}

/** The place with everything in it sealed by the key; without a key as it is. */
export function sealedPlace(place: BackupPlace, key: string | null): BackupPlace {
  if (key === null) return place;
  const sealer = createSealer(key);
  return {
    ...place,
    read: async (path) => {
      const content = await place.read(`${path}${SEALED}`);
      return content === null
        ? null
        : Readable.from(refusing(sealer.open(path, content), `${place.name}/${path}${SEALED}`), {
            objectMode: false,
          });
    },
    write: (path, content) => place.write(`${path}${SEALED}`, sealer.seal(path, content)),
  };
}

/**
 * The place as its files are to be read, sealed or not: `first`, the file that is read before all others, tells.
 * @throws StartRefusal when it is sealed and there is no key
 */
export async function placeToRead(
  place: BackupPlace,
  { key, first }: { readonly key: string | null; readonly first: string },
): Promise<BackupPlace> {
  const sealed = await place.read(`${first}${SEALED}`);
  sealed?.destroy();
  if (sealed === null) return place;
  if (key === null)
    throw new StartRefusal(`备份 ${place.name} 已加密：请用 ERP_BACKUP_KEY 给出备份时的密钥。`);
  return sealedPlace(place, key);
}

async function* refusing(content: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new StartRefusal(
      error.fault === 'key'
        ? `ERP_BACKUP_KEY 不是这份备份的密钥：无法解密 ${name}。`
        : `备份已损坏：${name} 内容不符或不完整。`,
      error,
    );
  }
}
