import type { NewUploadLink, UploadLink } from '#contract/upload-links.ts';
import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { publicAddress } from '#server/records/definitions/regions.ts';
import { pageRoute } from '#server/records/definitions/page-route.ts';
import { AppError } from '#server/kernel/errors.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { Services } from '#server/records/services.ts';

/** The page that takes the images (spec section 2.7). */
const DAY_MS = 86_400_000;

/** A link as those see it who may make one. */
/** A link that may be used now, with the record that it fills. */
export interface OpenUpload {
  readonly link: string;
  /** Name of who made the link. */
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly call: Call;
  readonly resource: Resource;
  readonly uploads: NonNullable<Resource['uploads']>;
  readonly record: ErpRecord;
}

/**
 * Makes a link by which anybody may add images to a record. Its id is 128 random bits and shown once: only its hash is
 * stored.
 * @throws FORBIDDEN when the resource takes no images, NOT_FOUND, ACTION_NOT_ALLOWED in a state that takes none
 */
export async function createUploadLink(call: Call, recordId: string): Promise<NewUploadLink> {
  const { resource, services, caller } = call;
  const { uploads } = resource;
  if (uploads === undefined) throw new AppError('FORBIDDEN');
  const record = await readStored(services.db, call, recordId);
  if (record === null) throw new AppError('NOT_FOUND');
  if (!takesImages(call, record))
    throw new AppError('ACTION_NOT_ALLOWED', { message: '当前状态不能上传影像' });
  const token = randomBytes(16).toString('base64url');
  const id = uuid();
  const at = services.clock();
  const expiresAt = new Date(at.getTime() + uploads.days * DAY_MS).toISOString();
  const company = String(record['co_code'] ?? caller.subject.co_code);
  const address = publicAddress(services, company);
  await services.db.execute(
    `insert into sys_upload_link (id, token_hash, co_code, resource, record_id, created_by, created_by_name, created_at, expires_at)
     values ($1, $2, $3, $4, $5::uuid, $6, $7, $8, $9)`,
    [
      id,
      hashOf(token),
      company,
      resource.resource,
      recordId,
      caller.subject.id,
      caller.subject.name,
      at.toISOString(),
      expiresAt,
    ],
  );
  return { id, url: `${address}${pageRoute(services.definitions, 'fapiao')}?id=${token}`, expiresAt };
}

/** The links of a record, newest first. @throws NOT_FOUND */
export async function uploadLinksOf(call: Call, recordId: string): Promise<readonly UploadLink[]> {
  const { services, resource } = call;
  const record = await readStored(services.db, call, recordId);
  if (record === null) throw new AppError('NOT_FOUND');
  const rows = await services.db.query<LinkRow>(
    `select l.id, l.created_by_name, l.created_at, l.expires_at,
       l.revoked_at is null and l.expires_at > $3::timestamptz as is_open,
       (select count(distinct u.file)::int from sys_upload u
        where u.link = l.id and u.removed_at is null and u.file = any($4::uuid[])) as files
     from sys_upload_link l where l.resource = $1 and l.record_id = $2::uuid order by l.created_at desc limit 50`,
    [
      resource.resource,
      recordId,
      services.clock().toISOString(),
      resource.uploads === undefined ? [] : (record[resource.uploads.field] ?? []),
    ],
  );
  return rows.map((row) => ({
    id: row.id,
    createdBy: row.created_by_name,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    isOpen: row.is_open,
    files: row.files,
  }));
}

/** Closes a link of the record at once. @throws NOT_FOUND */
export async function revokeUploadLink(call: Call, recordId: string, linkId: string): Promise<void> {
  const { services, resource } = call;
  if ((await readStored(services.db, call, recordId)) === null) throw new AppError('NOT_FOUND');
  const revoked = await services.db.execute(
    `update sys_upload_link set revoked_at = coalesce(revoked_at, $4)
     where id = $1::uuid and resource = $2 and record_id = $3::uuid`,
    [linkId, resource.resource, recordId, services.clock().toISOString()],
  );
  if (revoked === 0) throw new AppError('NOT_FOUND');
}

/**
 * The upload that a capability opens, the link's and the record's rows locked when a transaction asks.
 * @throws UPLOAD_LINK_INVALID for an unknown, expired or revoked one and for a record that takes no images alike
 */
export async function openUpload(
  services: Services,
  on: Reader,
  given: { readonly applyId: string; readonly isLocking?: boolean },
): Promise<OpenUpload> {
  const lock = given.isLocking === true ? ' for update' : '';
  const [row] = await on.query<OpenRow>(
    `select id, co_code, resource, record_id, created_by_name, expires_at from sys_upload_link
     where token_hash = $1 and revoked_at is null and expires_at > $2::timestamptz${lock}`,
    [hashOf(given.applyId), services.clock().toISOString()],
  );
  const resource = row === undefined ? undefined : currentCatalog(services).resources[row.resource];
  if (row === undefined || resource?.uploads === undefined) throw new AppError('UPLOAD_LINK_INVALID');
  const call = openSystemCall(services, systemCaller(services, row.co_code ?? ''), row.resource);
  const record = await readStored(on, call, row.record_id, { isLocking: given.isLocking === true });
  if (record === null || !takesImages(call, record)) throw new AppError('UPLOAD_LINK_INVALID');
  return {
    link: row.id,
    createdBy: row.created_by_name,
    expiresAt: new Date(row.expires_at).toISOString(),
    call,
    resource,
    uploads: resource.uploads,
    record,
  };
}

/** What the page says the images are for: `业务发票 AAYF2026000001`. */
export function uploadTitle({ resource, record }: OpenUpload): string {
  return `${resource.title} ${recordLabel(resource, record)}`.trim();
}

function takesImages(call: Call, record: ErpRecord): boolean {
  const { uploads } = call.resource;
  return uploads?.when === undefined || matchesFilter(uploads.when, recordScope(call, record));
}

interface LinkRow extends Record<string, unknown> {
  readonly id: string;
  readonly created_by_name: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly is_open: boolean;
  readonly files: number;
}

interface OpenRow extends Record<string, unknown> {
  readonly id: string;
  readonly co_code: string | null;
  readonly resource: string;
  readonly record_id: string;
  readonly created_by_name: string;
  readonly expires_at: string;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
