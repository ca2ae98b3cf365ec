import type { LinkedImage } from '#contract/upload-links.ts';
import { v4 as uuid } from 'uuid';
import { AppError } from '#server/kernel/errors.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { insertRecord, updateRecordFields } from '#server/records/write/system-write.ts';
import type { Services } from '#server/records/services.ts';
import type { StoredBytes, StoredFile } from '#server/records/files/file-service.ts';
import {
  cancelUpload,
  dropFile,
  findUpload,
  isLetGo,
  noteUpload,
  requireRoom,
} from '#server/records/files/link-uploads.ts';
import { prepareImage } from '#server/records/files/prepare-image.ts';
import { openUpload, type OpenUpload } from '#server/records/files/upload-links.ts';

/** An image on its way in. */
export interface ImageUpload {
  readonly applyId: string;
  /** The id that the sender chose: by it the upload may be repeated, and cancelled while it runs. */
  readonly upload: string;
  readonly bytes: Buffer;
  readonly name: string;
  /** Name of the person who is logged in; empty for a visitor. */
  readonly by: string;
}

/**
 * Takes one image into the record that the capability opens: the file, the record's field and the log are one
 * transaction. The same image again, after a broken connection, a second click or by another link, is the same file.
 * @throws UPLOAD_LINK_INVALID, IMAGE_UNREADABLE, IMAGE_TOO_LARGE, UPLOAD_FULL, UPLOAD_SPENT, UPLOAD_CANCELLED
 */
export async function receiveImage(services: Services, upload: ImageUpload): Promise<LinkedImage> {
  // Before the picture is decoded: a stranger's bytes cost nothing.
  await requireRoom(services.db, await openUpload(services, services.db, upload), 0);
  const { bytes, extension } = await prepareImage(upload.bytes);
  const name = `${upload.name.replace(/\.[^.]*$/, '')}.${extension}`;
  const stored = await services.files.store({ bytes, name, imagesOnly: true });
  return services.db.transaction(async (tx) => {
    const open = await openUpload(services, tx, { applyId: upload.applyId, isLocking: true });
    const before = await findUpload(tx, open.link, upload.upload);
    if (before?.isRemoved === true) throw new AppError('UPLOAD_CANCELLED');
    const known = await sameFile(tx, stored, attachedTo(open));
    const taken = known ?? (await takeImage(tx, services, { open, stored, by: upload.by }));
    if (before?.file !== taken.id)
      await noteUpload(tx, {
        link: open.link,
        // One id is one upload: other bytes under it are another one.
        id: before === null ? upload.upload : uuid(),
        file: taken.id,
        size: known === null ? taken.size : 0,
        at: services.clock(),
      });
    return taken;
  });
}

async function takeImage(
  tx: Tx,
  services: Services,
  { open, stored, by }: { readonly open: OpenUpload; readonly stored: StoredBytes; readonly by: string },
): Promise<LinkedImage> {
  const { uploads, record, call, resource } = open;
  const attached = attachedTo(open);
  if (attached.length >= uploads.max) throw new AppError('UPLOAD_FULL', { params: { max: uploads.max } });
  await requireRoom(tx, open, stored.size);
  const file = await services.files.register(tx, stored, {
    coCode: String(record['co_code'] ?? ''),
    createdBy: null,
    uploadedBy: by === '' ? `${open.createdBy}的链接` : by,
    resource: resource.resource,
    recordId: String(record['id']),
    field: uploads.field,
    uploadLink: open.link,
  });
  await updateRecordFields({ tx, services, caller: call.caller }, resource.resource, {
    id: String(record['id']),
    fields: { [uploads.field]: [...attached, file.id] },
    action: 'upload',
  });
  await logImage(tx, services, { open, file, by });
  return { id: file.id, name: file.name, size: file.size, type: file.type };
}

/** The images that the link holds and that are still attached. */
export async function imagesOfLink(services: Services, applyId: string): Promise<readonly LinkedImage[]> {
  const open = await openUpload(services, services.db, { applyId });
  const rows = await services.db.query<{ id: string; name: string; size: string; type: string }>(
    `select id, name, size, type from sys_file where id = any($2::uuid[])
       and id in (select file from sys_upload where link = $1::uuid and removed_at is null) order by created_at, id`,
    [open.link, attachedTo(open)],
  );
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/**
 * Takes an image off a link again: by its file, or by the id of its upload, which may still be running. It leaves the
 * record when no link holds it any more.
 * @throws UPLOAD_LINK_INVALID, NOT_FOUND for a file that the link does not hold
 */
export async function removeImage(
  services: Services,
  applyId: string,
  removed: { readonly file: string } | { readonly upload: string },
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const open = await openUpload(services, tx, { applyId, isLocking: true });
    const file = 'file' in removed ? removed.file : await cancelled(tx, services, open, removed.upload);
    if (file === null) return;
    const attached = attachedTo(open);
    if ('file' in removed)
      if (!attached.includes(file) || !(await dropFile(tx, open.link, file, services.clock())))
        throw new AppError('NOT_FOUND', { message: '图片不存在或已移除' });
    if (!attached.includes(file) || !(await isLetGo(tx, file))) return;
    const { record, uploads, resource, call } = open;
    await updateRecordFields({ tx, services, caller: call.caller }, resource.resource, {
      id: String(record['id']),
      fields: { [uploads.field]: attached.filter((id) => id !== file) },
      action: 'upload_removed',
    });
  });
}

async function cancelled(
  tx: Tx,
  services: Services,
  open: OpenUpload,
  upload: string,
): Promise<string | null> {
  const before = await cancelUpload(tx, open.link, upload, services.clock());
  return before.isRemoved ? null : before.file;
}

async function sameFile(tx: Tx, file: StoredBytes, attached: readonly string[]): Promise<LinkedImage | null> {
  const [row] = await tx.query<{ id: string; name: string; size: string; type: string }>(
    'select id, name, size, type from sys_file where id = any($1::uuid[]) and sha256 = $2 limit 1',
    [attached, file.sha256],
  );
  return row === undefined ? null : { ...row, size: Number(row.size) };
}

async function logImage(
  tx: Tx,
  services: Services,
  taken: { readonly open: OpenUpload; readonly file: StoredFile; readonly by: string },
): Promise<void> {
  const { open, file, by } = taken;
  if (open.uploads.log === undefined) return;
  await insertRecord({ tx, services, caller: open.call.caller }, open.uploads.log, {
    co_code: open.record['co_code'],
    apply_id: open.link,
    record_type: open.resource.title,
    record_id: String(open.record['id']),
    record_no: recordLabel(open.resource, open.record),
    file: [file.id],
    file_name: file.name.slice(0, 120),
    uploaded_by: by,
  });
}

function attachedTo({ record, uploads }: OpenUpload): readonly string[] {
  const value = record[uploads.field];
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}
