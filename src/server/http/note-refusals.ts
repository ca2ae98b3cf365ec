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
/** So many a person and minute: records and resources of an address are made up at will. */
const MOST = 20;

export type NoteRefusal = (request: FastifyRequest, refusal: AppError) => void;

/** Keeps in the audit what a known person was refused for want of rights, with the address it came from. */
export function noteRefusals(services: AppServices): NoteRefusal {
  const known = new Map<string, number>();
  const counts = new Map<string, Count>();
  return (request, refusal) => {
    const subject = request.session?.subject ?? null;
    if (refusal.status !== 403 || subject === null || NO_TRY.has(refusal.code)) return;
    const { resource, id } = aboutOf(services, request);
    const call = `${request.method} ${request.routeOptions.url ?? ''}`;
    const nowMs = Date.now();
    const key = [subject.id, call, resource, id, refusal.code].join('|');
    if (nowMs - (known.get(key) ?? 0) < SAME_MS) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, nowMs);
    const count = countOf(counts, subject.id, nowMs);
    count.noted += 1;
    if (count.noted > MOST + 1) return;
    const more = count.noted > MOST ? '；以及更多' : '';
    writeAudit(
      services.db,
      { caller: { subject, requestId: request.id, address: request.ip }, at: services.clock() },
      {
        resource,
        record_id: id,
        co_code: subject.co_code,
        action: 'refused',
        opinion: `${refusal.message}（${call}）${more}`,
      },
    ).catch((error: unknown) => request.log.warn({ err: error }, 'a refusal cannot be noted'));
  };
}

interface Count {
  readonly sinceMs: number;
  noted: number;
}

/** What was noted of a person within the minute. */
function countOf(counts: Map<string, Count>, person: string, nowMs: number): Count {
  const known = counts.get(person);
  if (known !== undefined && nowMs - known.sinceMs < SAME_MS) return known;
  if (counts.size >= MAX_KNOWN) counts.clear();
  const count = { sinceMs: nowMs, noted: 0 };
  counts.set(person, count);
  return count;
}

/** The record in the call's address; the call's own group where it is about none that there is. */
function aboutOf(
  services: AppServices,
  request: FastifyRequest,
): { readonly resource: string; readonly id: string | null } {
  const { resource, id, taskId } = paramsOf(request.params);
  const record = id ?? taskId ?? '';
  const group = /^\/erp\/api\/([a-z_]+)/.exec(request.routeOptions.url ?? '')?.[1] ?? '';
  const isKnown = resource !== undefined && Object.hasOwn(services.definitions.catalog().resources, resource);
  return { resource: isKnown ? resource : group, id: isRecordId(record) ? record : null };
}

function paramsOf(params: unknown): { resource?: string; id?: string; taskId?: string } {
  if (typeof params !== 'object' || params === null) return {};
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
