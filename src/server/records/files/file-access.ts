import { canSee } from '#engine/access/resource-access.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import type { Caller, Services } from '#server/records/services.ts';
import type { StoredFile } from './file-service.ts';

/** The file when the caller may read the record and field it belongs to. Before it belongs to one only its creator reads it. @throws NOT_FOUND */
export async function readableFile(services: Services, caller: Caller, id: string): Promise<StoredFile> {
  const file = isRecordId(id) ? await services.files.find(id) : null;
  if (file === null || !(await mayRead(services, caller, file))) throw new AppError('NOT_FOUND');
  return file;
}

/** Who brought a file, as shown to people, and when (ISO 8601). Empty where nobody is known. */
export interface FileOrigin {
  readonly uploadedBy: string;
  readonly uploadedAt: string;
}

export async function originOf({ db }: Services, file: StoredFile): Promise<FileOrigin> {
  const [row] = await db.query<{ uploaded_by: string; at: Date | string }>(
    `select coalesce(f.uploaded_by, p.name, '') as uploaded_by, f.created_at as at
     from sys_file f left join person p on p.id = f.created_by where f.id = $1::uuid`,
    [file.id],
  );
  if (row === undefined) throw new AppError('NOT_FOUND');
  return { uploadedBy: row.uploaded_by, uploadedAt: new Date(row.at).toISOString() };
}

async function mayRead(services: Services, caller: Caller, file: StoredFile): Promise<boolean> {
  if (file.resource === null || file.recordId === null) return file.createdBy === caller.subject.id;
  if (services.definitions.catalog().resources[file.resource] === undefined) return false;
  const call = openAnyCall(services, caller, file.resource);
  const field = file.field ?? 'attachments';
  if (!call.access.operations.has('read') || !canSee(call.access, field)) return false;
  const record = await readStored(callersReader(call), call, file.recordId, { isLimitingLines: true });
  if (record === null) return false;
  // A file of a line that the role does not see stays closed, and so does one that was taken off the record again.
  const [head = ''] = field.split('.');
  return JSON.stringify(record[head] ?? null).includes(file.id) || file.createdBy === caller.subject.id;
}

/**
 * May files be uploaded for this place, a field (`field`, `lines.field`) or what an action asks for (`action.input`)?
 * The record may not exist yet; rights on the resource decide.
 * @throws UNKNOWN_FIELD, FORBIDDEN
 */
export function requireUploadRight(
  services: Services,
  caller: Caller,
  place: { readonly resource: string; readonly field: string },
): void {
  const call = openAnyCall(services, caller, place.resource);
  const [head = '', input = ''] = place.field.split('.');
  if (!Object.hasOwn(call.resource.fields, head)) {
    const asked = call.resource.lifecycle?.actions[head]?.inputs ?? {};
    if (!Object.hasOwn(asked, input)) throw new AppError('UNKNOWN_FIELD', { params: { field: place.field } });
    if (!call.access.operations.has(head)) throw new AppError('FORBIDDEN');
    return;
  }
  const mayWrite = [...call.access.operations].some((operation) => !READING.has(operation));
  if (!mayWrite || !canSee(call.access, place.field)) throw new AppError('FORBIDDEN');
}

const READING: ReadonlySet<string> = new Set(['list', 'read', 'name', 'export', 'print']);
