import { keepSetting, readSetting } from '#server/kernel/db/settings.ts';
import type { Services } from '#server/records/services.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { emitSystemEvent } from '#server/workflow/events/emit-event.ts';
import { companiesWithPeople } from '#server/workflow/events/event-receivers.ts';
import { notedHeads } from '#server/kernel/audit/noted-heads.ts';
import { sealAudit } from '#server/kernel/audit/seal-audit.ts';
import {
  type AuditFault,
  type AuditFaultKind,
  type AuditVerdict,
  verifyAudit,
} from '#server/kernel/audit/verify-audit.ts';
import type { JobTask } from '#server/kernel/worker.ts';

const SEAL_TASK = 'seal_audit';
/** Also queued by an administrator's call. */
export const VERIFY_TASK = 'verify_audit';
const EVENT = 'AUDIT_FAULT';
const SETTING = 'audit_verification';
const MAX_NAMED = 3;

/** Chains the audit every minute and goes over all of it every night. */
export function auditTasks(services: Services): Readonly<Record<string, JobTask>> {
  return {
    [SEAL_TASK]: async () => void (await sealAudit(services.db)),
    [VERIFY_TASK]: async () => void (await checkAudit(services)),
  };
}

/** In UTC: every minute, and 03:50 in Shanghai. */
export const AUDIT_SCHEDULE = [
  { task: SEAL_TASK, pattern: '* * * * *', isMadeUpFor: false, isAlone: true },
  { task: VERIFY_TASK, pattern: '50 19 * * *', isAlone: true },
] as const;

/** What the last look found; null before the first. */
export interface AuditVerification extends AuditVerdict {
  readonly at: string;
}

/** Verifies the audit, keeps the verdict, notes the head outside of the database when all is well, and tells the administrators when not. */
export async function checkAudit(services: Services): Promise<AuditVerification> {
  const { db, reader, config, clock, log } = services;
  await sealAudit(db);
  const heads = notedHeads(config.dataDir);
  const verdict = await verifyAudit(reader, await heads.read());
  const verification = { ...verdict, at: clock().toISOString() };
  await keepSetting(db, SETTING, verification);
  if (verdict.total > 0) await tellFaults(services, verdict);
  else if (verdict.head !== null) {
    await heads.note(verdict.head, clock());
    log.info({ head: verdict.head, links: verdict.links }, 'the audit is whole');
  }
  return verification;
}

/** The verdict of the last look. */
export function lastVerification({ db }: Pick<Services, 'db'>): Promise<AuditVerification | null> {
  return readSetting(db, SETTING);
}

/** A fault in a sentence that names the row. */
export function describeFault(fault: AuditFault, titleOf: (resource: string) => string): string {
  const { kind, seq, audit_id, at, resource, record_id, person_name } = fault;
  const about = [
    resource === null ? null : titleOf(resource),
    record_id,
    person_name,
    at === null ? null : at.slice(0, 19).replace('T', ' '),
  ].filter((part) => part !== null);
  const place = [seq === null ? '' : `第${seq}号`, about.length === 0 ? (audit_id ?? '') : about.join(' ')];
  return `${FAULTS[kind]}：${place.filter((part) => part !== '').join(' ')}`;
}

const FAULTS = {
  changed: '操作记录被修改',
  missing: '操作记录被删除',
  unsealed: '操作记录未经正常途径写入',
  broken: '操作记录链被改动',
  rewritten: '操作记录链被整体重写',
} as const satisfies Record<AuditFaultKind, string>;

async function tellFaults(services: Services, { faults, total }: AuditVerdict): Promise<void> {
  services.log.error({ faults, total }, 'the audit was tampered with');
  const { resources } = currentCatalog(services);
  const titleOf = (key: string): string => resources[key]?.title ?? key;
  for (const company of await companiesWithPeople(services.db)) {
    // Whose row is gone cannot be told: every company's administrators hear of that.
    const own = faults.filter(({ co_code }) => co_code === null || co_code === company);
    if (own.length === 0) continue;
    const named = own.slice(0, MAX_NAMED).map((fault) => describeFault(fault, titleOf));
    const opinion = [...named, ...(own.length > MAX_NAMED ? [`共${own.length}处`] : [])].join('；');
    await services.db.transaction((tx) =>
      emitSystemEvent(tx, services, { event: EVENT, companies: [company], words: { opinion } }),
    );
  }
}
