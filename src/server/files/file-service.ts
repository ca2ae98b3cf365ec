import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { v7 as uuid } from 'uuid';
import type { Config } from '../config.ts';
import type { Database, Queryable, Row } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { createFileStorage, type FileStorage } from './file-storage.ts';
import { detectFileType, type FileType } from './file-type.ts';
import { rowText, rowTextOrNull } from '../db/row-text.ts';

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

export interface NewFile {
  readonly bytes: Buffer;
  readonly name: string;
  readonly coCode: string | null;
  readonly createdBy: string | null;
  readonly resource?: string | null;
  readonly recordId?: string | null;
  readonly field?: string | null;
  readonly imagesOnly?: boolean;
}

export interface FileService {
  /** Checks, stores and registers a file. @throws FILE_MISSING, FILE_TYPE, FILE_TOO_LARGE */
  readonly save: (on: Queryable, file: NewFile) => Promise<StoredFile>;
  readonly find: (id: string) => Promise<StoredFile | null>;
  /** @throws FILE_UNAVAILABLE when the bytes are gone */
  readonly open: (file: StoredFile) => Promise<Readable>;
  /** Files that the server makes itself (exports): no row, no limit; who may have them is for their maker to say. */
  readonly made: Pick<FileStorage, 'keep' | 'read' | 'remove'>;
}

/** Accepted size of one file; one byte more is refused (spec section 9). */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Files: rows in sys_file, bytes in the storage under the hash of their content. */
export function createFileService(config: Config, db: Database): FileService {
  const storage = createFileStorage(config);
  return {
    made: storage,
    save: async (on, file) => {
      const type = check(file);
      const sha256 = createHash('sha256').update(file.bytes).digest('hex');
      const stored: StoredFile = {
        id: uuid(),
        coCode: file.coCode,
        resource: file.resource ?? null,
        recordId: file.recordId ?? null,
        field: file.field ?? null,
        name: cleanName(file.name, type),
        size: file.bytes.length,
        type: type.mime,
        sha256,
        storageKey: `${sha256.slice(0, 2)}/${sha256}`,
        createdBy: file.createdBy,
      };
      await storage.write(stored.storageKey, file.bytes, type.mime);
      await insert(on, stored);
      return stored;
    },
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

function check({ bytes, imagesOnly }: NewFile): FileType {
  if (bytes.length === 0) throw new AppError('FILE_MISSING');
  if (bytes.length > MAX_FILE_BYTES)
    throw new AppError(imagesOnly === true ? 'IMAGE_TOO_LARGE' : 'FILE_TOO_LARGE');
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
  txt: ['txt', 'csv', 'md', 'log', 'json', 'xml', 'tsv'],
  zip: ['zip', 'ofd'],
};

async function insert(on: Queryable, file: StoredFile): Promise<void> {
  await on.execute(
    `insert into sys_file (id, co_code, resource, record_id, field, name, size, type, sha256, storage_key, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
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
    ],
  );
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
