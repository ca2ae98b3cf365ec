import type { Queryable, Tx } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenUpload } from './upload-links.ts';

/** One upload by a link, under the id that its sender chose. */
export interface LinkUpload {
  /** Null: cancelled before anything came. */
  readonly file: string | null;
  readonly isRemoved: boolean;
}

const MIB = 1024 * 1024;

export async function findUpload(on: Queryable, link: string, id: string): Promise<LinkUpload | null> {
  const [row] = await on.query<{ file: string | null; is_removed: boolean }>(
    'select file, removed_at is not null as is_removed from sys_upload where link = $1::uuid and id = $2::uuid',
    [link, id],
  );
  return row === undefined ? null : { file: row.file, isRemoved: row.is_removed };
}

/** Notes that a link brought a file, another time if it holds it already: taking one back leaves the other. `size`: bytes that are new. */
export async function noteUpload(
  tx: Tx,
  upload: {
    readonly link: string;
    readonly id: string;
    readonly file: string;
    readonly size: number;
    readonly at: Date;
  },
): Promise<void> {
  await tx.execute(
    `insert into sys_upload (link, id, file, size, at) values ($1::uuid, $2::uuid, $3::uuid, $4, $5::timestamptz)
     on conflict (link, id) do nothing`,
    [upload.link, upload.id, upload.file, upload.size, upload.at.toISOString()],
  );
}

/** Marks an upload as taken back, before or after it came; gives what came. */
export async function cancelUpload(tx: Tx, link: string, id: string, at: Date): Promise<LinkUpload> {
  const before = await findUpload(tx, link, id);
  await tx.execute(
    `insert into sys_upload (link, id, at, removed_at) values ($1::uuid, $2::uuid, $3::timestamptz, $3::timestamptz)
     on conflict (link, id) do update set removed_at = coalesce(sys_upload.removed_at, excluded.removed_at)`,
    [link, id, at.toISOString()],
  );
  return before ?? { file: null, isRemoved: false };
}

/** Takes a file off a link; false when the link does not hold it. */
export async function dropFile(tx: Tx, link: string, file: string, at: Date): Promise<boolean> {
  const dropped = await tx.execute(
    `update sys_upload set removed_at = $3::timestamptz
     where link = $1::uuid and file = $2::uuid and removed_at is null`,
    [link, file, at.toISOString()],
  );
  return dropped > 0;
}

/** True when the file came by links alone and none of them holds it any more: the office's own files are not a link's to remove. */
export async function isLetGo(tx: Tx, file: string): Promise<boolean> {
  const [row] = await tx.query<{ is_let_go: boolean }>(
    `select f.upload_link is not null
       and not exists (select 1 from sys_upload u where u.file = f.id and u.removed_at is null) as is_let_go
     from sys_file f where f.id = $1::uuid`,
    [file],
  );
  return row?.is_let_go === true;
}

/** @throws UPLOAD_SPENT when the link has brought in so much that these bytes do not fit; what was removed counts. */
export async function requireRoom(
  on: Queryable,
  { link, uploads }: Pick<OpenUpload, 'link' | 'uploads'>,
  bytes: number,
): Promise<void> {
  const [row] = await on.query<{ total: string }>(
    'select coalesce(sum(size), 0)::text as total from sys_upload where link = $1::uuid',
    [link],
  );
  if (Number(row?.total ?? 0) + bytes > uploads.maxTotalMb * MIB)
    throw new AppError('UPLOAD_SPENT', { params: { max: uploads.maxTotalMb } });
}
