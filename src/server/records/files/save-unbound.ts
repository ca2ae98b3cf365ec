import type { Queryable } from '#server/kernel/db/database.ts';
import { lockName } from '#server/kernel/db/lock-name.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Services } from '#server/records/services.ts';
import type { NewFile, StoredFile } from './file-service.ts';

const MIB = 1024 * 1024;
/** What the files of one person that no record has taken may be together; the sweep removes them after a month. */
const MAX_UNBOUND_BYTES = 500 * MIB;

/**
 * Keeps a file that somebody uploads before its record is saved.
 * @throws UPLOADS_UNSAVED when the person's others leave no room, FILE_MISSING, FILE_TYPE, FILE_TOO_LARGE
 */
export async function saveUnbound(
  { db, files }: Pick<Services, 'db' | 'files'>,
  file: NewFile,
): Promise<StoredFile> {
  // Asked before its bytes are written, and again with the row: files come at once.
  await requireRoom(db, file);
  const stored = await files.store(file);
  return db.transaction(async (tx) => {
    await lockName(tx, `unbound files ${file.createdBy ?? ''}`);
    await requireRoom(tx, file);
    return files.register(tx, stored, file);
  });
}

/** The same content counts once: it lies in the storage once. */
async function requireRoom(on: Queryable, { bytes, createdBy }: NewFile): Promise<void> {
  const [row] = await on.query<{ total: string }>(
    `select coalesce(sum(size), 0)::text as total from (
       select distinct storage_key, size from sys_file where record_id is null and created_by = $1::uuid) kept`,
    [createdBy],
    'unbound_files',
  );
  if (Number(row?.total ?? 0) + bytes.length > MAX_UNBOUND_BYTES)
    throw new AppError('UPLOADS_UNSAVED', { params: { max: MAX_UNBOUND_BYTES / MIB } });
}
