import type { FastifyRequest } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import type { AppError, ErrorCode } from '#server/kernel/errors.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';

/** Nothing was tried: the person is only sent to another page first. */
const NO_TRY: ReadonlySet<ErrorCode> = new Set(['PASSWORD_DUE']);
/** The same refusal again within this is told once: a page that asks and asks must not fill the audit. */
const SAME_MS = 60_000;
const MAX_KNOWN = 5_000;

export type NoteRefusal = (request: FastifyRequest, refusal: AppError) => void;

/** Keeps in the audit what a known person was refused for want of rights, with the address it came from. */
export function noteRefusals(services: AppServices): NoteRefusal {
  const known = new Map<string, number>();
  return (request, refusal) => {
    const subject = request.session?.subject ?? null;
    if (refusal.status !== 403 || subject === null || NO_TRY.has(refusal.code)) return;
    const { resource, id } = aboutOf(request);
    const call = `${request.method} ${request.routeOptions.url ?? ''}`;
    const nowMs = Date.now();
    const key = [subject.id, call, resource, id, refusal.code].join('|');
    if (nowMs - (known.get(key) ?? 0) < SAME_MS) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, nowMs);
    writeAudit(
      services.db,
      { caller: { subject, requestId: request.id, address: request.ip }, at: services.clock() },
      {
        resource,
        record_id: id,
        co_code: subject.co_code,
        action: 'refused',
        opinion: `${refusal.message}（${call}）`,
      },
    ).catch((error: unknown) => request.log.warn({ err: error }, 'a refusal cannot be noted'));
  };
}

/** The record in the call's address; the call's own group where it is about none. */
function aboutOf(request: FastifyRequest): { readonly resource: string; readonly id: string | null } {
  const { resource, id, taskId } = paramsOf(request.params);
  const record = id ?? taskId ?? '';
  const group = /^\/erp\/api\/([a-z_]+)/.exec(request.routeOptions.url ?? '')?.[1] ?? '';
  return { resource: resource ?? group, id: isRecordId(record) ? record : null };
}

function paramsOf(params: unknown): { resource?: string; id?: string; taskId?: string } {
  if (typeof params !== 'object' || params === null) return {};
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
