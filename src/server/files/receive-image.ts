import { AppError } from '../errors.ts';
import type { Tx } from '../db/database.ts';
import { recordLabel } from '../operations/label-expression.ts';
import { insertRecord, updateRecordFields } from '../operations/system-write.ts';
import type { Services } from '../services.ts';
import type { StoredBytes, StoredFile } from './file-service.ts';
import { prepareImage } from './prepare-image.ts';
import { openUpload, type OpenUpload } from './upload-links.ts';

/** An image that came by a link. */
export interface LinkedImage {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/**
 * Takes one image into the record that the capability opens: the file, the record's field and the log are one
 * transaction. The same image again, after a broken connection or a second click, is the same file.
 * @throws UPLOAD_LINK_INVALID, IMAGE_UNREADABLE, IMAGE_TOO_LARGE, UPLOAD_FULL
 */
export async function receiveImage(
  services: Services,
  upload: { readonly applyId: string; readonly bytes: Buffer; readonly name: string; readonly by: string },
): Promise<LinkedImage> {
  // Before the picture is decoded: a stranger's bytes cost nothing.
  await openUpload(services, services.db, upload);
  const { bytes, extension } = await prepareImage(upload.bytes);
  const name = `${upload.name.replace(/\.[^.]*$/, '')}.${extension}`;
  const stored = await services.files.store({ bytes, name, imagesOnly: true });
  return services.db.transaction(async (tx) => {
    const open = await openUpload(services, tx, { applyId: upload.applyId, isLocking: true });
    const { uploads, record, call, resource } = open;
    const attached = idsOf(record[uploads.field]);
    const known = await sameFile(tx, stored, attached);
    if (known !== null) return known;
    if (attached.length >= uploads.max) throw new AppError('UPLOAD_FULL', { params: { max: uploads.max } });
    const file = await services.files.register(tx, stored, {
      coCode: String(record['co_code'] ?? ''),
      createdBy: null,
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
    await logImage(tx, services, { open, file, by: upload.by });
    return { id: file.id, name: file.name, size: file.size, type: file.type };
  });
}

/** The images that came by this link and are still attached. */
export async function imagesOfLink(services: Services, applyId: string): Promise<readonly LinkedImage[]> {
  const open = await openUpload(services, services.db, { applyId });
  const rows = await services.db.query<{ id: string; name: string; size: string; type: string }>(
    'select id, name, size, type from sys_file where upload_link = $1::uuid and id = any($2::uuid[]) order by created_at, id',
    [open.link, idsOf(open.record[open.uploads.field])],
  );
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Takes an image off again; only what came by the same link. @throws UPLOAD_LINK_INVALID, NOT_FOUND */
export async function removeImage(services: Services, applyId: string, fileId: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const open = await openUpload(services, tx, { applyId, isLocking: true });
    const { record, uploads, resource, call } = open;
    const attached = idsOf(record[uploads.field]);
    const [mine] = await tx.query('select 1 from sys_file where id = $1::uuid and upload_link = $2::uuid', [
      fileId,
      open.link,
    ]);
    if (mine === undefined || !attached.includes(fileId))
      throw new AppError('NOT_FOUND', { message: '图片不存在或已移除' });
    await updateRecordFields({ tx, services, caller: call.caller }, resource.resource, {
      id: String(record['id']),
      fields: { [uploads.field]: attached.filter((id) => id !== fileId) },
      action: 'upload_removed',
    });
  });
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

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}
