import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import { sizeFault } from '#engine/fields/file-rules.ts';
import type { Config } from '#server/kernel/config.ts';
import type { Queryable, Row } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Services } from '#server/records/services.ts';
import { createFileStorage, type FileStorage } from './file-storage.ts';
import { detectFileType, type FileType } from './file-type.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

/** A stored file as its row says. */
export interface StoredFile {
  readonly id: string;
  readonly coCode: string | null;
  /** The record and field it belongs to; without a record only its creator reads it. */
  readonly resource: string | null;
  readonly recordId: string | null;
  readonly field: string | null;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly sha256: string;
  readonly storageKey: string;
  readonly createdBy: string | null;
}

export interface NewFile extends NewBytes, FileOwner {}

export interface NewBytes {
  readonly bytes: Buffer;
  readonly name: string;
  readonly imagesOnly?: boolean;
}

export interface FileOwner {
  readonly coCode: string | null;
  readonly createdBy: string | null;
  /** Who brought it, where no account tells that: as shown to people. */
  readonly uploadedBy?: string | null;
  readonly resource?: string | null;
  readonly recordId?: string | null;
  readonly field?: string | null;
  readonly uploadLink?: string | null;
  /** Default: now. */
  readonly at?: Date;
}

/** Bytes that lie in the storage and belong to no row yet: what nobody registers is swept away. */
export type StoredBytes = Pick<StoredFile, 'name' | 'size' | 'type' | 'sha256' | 'storageKey'>;

export interface FileService {
  /** Checks a file and stores its bytes; never inside a transaction. @throws FILE_MISSING, FILE_TYPE, FILE_TOO_LARGE */
  readonly store: (file: NewBytes) => Promise<StoredBytes>;
  /** Makes stored bytes a file, with whatever else the transaction writes. */
  readonly register: (on: Queryable, stored: StoredBytes, owner: FileOwner) => Promise<StoredFile>;
  /** Both at once. */
  readonly save: (file: NewFile) => Promise<StoredFile>;
  readonly find: (id: string) => Promise<StoredFile | null>;
  /** @throws FILE_UNAVAILABLE when the bytes are gone */
  readonly open: (file: StoredFile) => Promise<Readable>;
  /** The bytes alone: for files that the server makes itself (exports), without row and limit, and for the sweep. */
  readonly storage: Omit<FileStorage, 'write'>;
}

/**
 * Files: rows in sys_file, bytes in the storage under the hash of their content. A key is noted in sys_stored before its
 * bytes are written, so that bytes of a process that died, or of a transaction that was undone, are found again.
 */
export function createFileService(
  config: Config,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
): FileService {
  const storage = createFileStorage(config);
  const note = (key: string): Promise<unknown> =>
    db.execute(
      `insert into sys_stored (storage_key, at) values ($1, $2)
       on conflict (storage_key) do update set at = excluded.at`,
      [key, clock().toISOString()],
    );
  const store: FileService['store'] = async (file) => {
    const type = check(file);
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    const storageKey = `${sha256.slice(0, 2)}/${sha256}`;
    await note(storageKey);
    await storage.write(storageKey, file.bytes, type.mime);
    return {
      name: cleanName(file.name, type),
      size: file.bytes.length,
      type: type.mime,
      sha256,
      storageKey,
    };
  };
  return {
    storage: {
      ...storage,
      keep: async (key, path, type) => {
        await note(key);
        await storage.keep(key, path, type);
      },
    },
    store,
    register,
    save: async (file) => register(db, await store(file), file),
    find: async (id) => {
      const rows = await db.query('select * from sys_file where id = $1', [id], 'file_find');
      return rows[0] === undefined ? null : readFileRow(rows[0]);
    },
    open: async (file) => {
      const stream = await storage.read(file.storageKey);
      if (stream === null) throw new AppError('FILE_UNAVAILABLE');
      return stream;
    },
  };
}

function check({ bytes, imagesOnly }: NewBytes): FileType {
  const fault = sizeFault(bytes.length);
  if (fault === 'empty') throw new AppError('FILE_MISSING');
  if (fault === 'too_large') throw new AppError(imagesOnly === true ? 'IMAGE_TOO_LARGE' : 'FILE_TOO_LARGE');
  const type = detectFileType(bytes);
  if (type === null || (imagesOnly === true && !type.isImage)) throw new AppError('FILE_TYPE');
  return type;
}

/** The name people see; its extension says what the content is. */
function cleanName(name: string, type: FileType): string {
  const base = name
    .replace(/^.*[\\/]/, '')
    .replace(/[\p{Cc}<>:"|?*]/gu, '')
    .trim();
  const kept = base.replace(/^\.+/, '').slice(-150);
  const known = SAME_CONTENT[type.extension] ?? [type.extension];
  const extension = /\.([a-z0-9]{1,8})$/i.exec(kept)?.[1]?.toLowerCase() ?? '';
  if (kept === '') return `文件.${type.extension}`;
  return known.includes(extension) ? kept : `${kept}.${type.extension}`;
}

/** Extensions whose files look alike inside. */
const SAME_CONTENT: Readonly<Record<string, readonly string[]>> = {
  jpg: ['jpg', 'jpeg', 'jpe'],
  doc: ['doc', 'xls', 'ppt', 'msg', 'wps', 'et'],
  tif: ['tif', 'tiff'],
  heic: ['heic', 'heif'],
  txt: ['txt', 'csv', 'md', 'log', 'json', 'xml', 'tsv', 'sta', '940', '053', 'eml', 'edi', 'ics'],
  zip: ['zip', 'ofd'],
};

async function register(on: Queryable, stored: StoredBytes, owner: FileOwner): Promise<StoredFile> {
  const file: StoredFile = {
    ...stored,
    id: uuid(),
    coCode: owner.coCode,
    resource: owner.resource ?? null,
    recordId: owner.recordId ?? null,
    field: owner.field ?? null,
    createdBy: owner.createdBy,
  };
  await on.execute(
    `insert into sys_file (id, co_code, resource, record_id, field, name, size, type, sha256, storage_key, created_by,
       uploaded_by, upload_link, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, coalesce($14::timestamptz, now()))`,
    [
      file.id,
      file.coCode,
      file.resource,
      file.recordId,
      file.field,
      file.name,
      file.size,
      file.type,
      file.sha256,
      file.storageKey,
      file.createdBy,
      owner.uploadedBy ?? null,
      owner.uploadLink ?? null,
      owner.at?.toISOString() ?? null,
    ],
  );
  return file;
}

function readFileRow(row: Row): StoredFile {
  const text = (name: string): string | null => rowTextOrNull(row, name);
  return {
    id: rowText(row, 'id'),
    coCode: text('co_code'),
    resource: text('resource'),
    recordId: text('record_id'),
    field: text('field'),
    name: rowText(row, 'name'),
    size: Number(row['size']),
    type: rowText(row, 'type'),
    sha256: String(row['sha256']),
    storageKey: rowText(row, 'storage_key'),
    createdBy: text('created_by'),
  };
}
