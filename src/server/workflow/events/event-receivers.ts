import { among } from '#server/kernel/db/among.ts';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { EventSource } from './event-source.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { partnerSubject } from '#server/records/call/partner-subject.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { readOnce } from '#server/records/call/read-once.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';

/** A record of which people are told. */
export interface ToldRecord {
  readonly record: OpenRecord;
  /** As it was, for the owner who lost it. */
  readonly previous?: OpenRecord;
  readonly company: string;
}

/** Ids of the people and partner accounts whom a source names for a record, each once. */
export async function receiversOf(
  tx: Tx,
  call: Call,
  { source, told }: { readonly source: EventSource; readonly told: ToldRecord },
): Promise<readonly string[]> {
  const { record, previous, company } = told;
  const roles = [...source.roles, ...standIns(call, source, record)];
  const ids = new Set(
    await readOnce(tx, `holders ${company} ${roles.join()}`, () => holdersOf(tx, company, roles)),
  );
  const add = (part: string, id: unknown): void => {
    if (source.parts.has(part) && typeof id === 'string') ids.add(id);
  };
  add('owner', record['sales_id']);
  add('previous_owner', previous?.['sales_id']);
  add('submitter', record['submitted_by']);
  add('service', record['service_id']);
  add('handler', record['handler_id']);
  if (source.parts.has('manager'))
    for (const id of await managersOf(tx, company, record['dept_code'])) ids.add(id);
  if (source.parts.has('partner')) for (const id of await partnerAccountsOf(tx, call, told)) ids.add(id);
  return [...ids];
}

/** Where nobody handles a record yet, all whose duty is service hear of it. */
function standIns(call: Call, { parts }: EventSource, record: OpenRecord): readonly string[] {
  if (!parts.has('handler') || typeof record['handler_id'] === 'string') return [];
  const role = roleWithDuty(currentCatalog(call.services).roles, 'service');
  return role === null ? [] : [role];
}

/** Ids of the active people of a company who hold one of these roles. */
export async function holdersOf(
  db: Reader,
  company: string,
  roles: readonly string[],
): Promise<readonly string[]> {
  if (roles.length === 0) return [];
  const rows = await db.query(
    `select p.id from person p where p.co_code = $1 and p.is_deleted = false and p.status = 'active'
       and exists (select 1 from role r where r.id = any(p.role_ids) and r.code = ${among('$2', 'text')} and r.is_deleted = false) order by p.id`,
    [company, roles],
    'holders',
  );
  return rows.map((row) => String(row['id']));
}

/** Codes of the companies that have active people. */
export async function companiesWithPeople(db: Reader): Promise<readonly string[]> {
  const rows = await db.query<{ co_code: string }>(
    `select distinct co_code from person where status = 'active' and is_deleted = false order by co_code`,
  );
  return rows.map(({ co_code: company }) => company);
}

async function managersOf(tx: Tx, company: string, department: unknown): Promise<readonly string[]> {
  if (typeof department !== 'string') return [];
  const rows = await tx.query(
    `select d.manager_id as id from department d where d.co_code = $1 and d.code = $2 and d.manager_id is not null and d.is_deleted = false`,
    [company, department],
    'managers',
  );
  return rows.map((row) => String(row['id']));
}

/** The accounts of the partner that a record belongs to, or is; nobody where the record is closed to the partner. */
async function partnerAccountsOf(tx: Tx, call: Call, told: ToldRecord): Promise<readonly string[]> {
  const { record, company } = told;
  const accounts = currentCatalog(call.services).resources['partner']?.fields['accounts'];
  if (accounts === undefined) return [];
  const partner = record['partner_id'] ?? (call.resource.resource === 'partner' ? record['id'] : null);
  if (typeof partner !== 'string' || !(await isOpenToPartner(tx, call, { record, partner, company })))
    return [];
  const rows = await tx.query(
    `select a.id from partner__accounts a where a.parent_id = $1::uuid and a.status = 'active'`,
    [partner],
    'partner_accounts',
  );
  return rows.map((row) => String(row['id']));
}

/** Whether the accounts of a partner may read a record as it is now: a refused rate, say, is the company's own affair. */
async function isOpenToPartner(
  tx: Tx,
  { services, caller, resource }: Call,
  asked: { readonly record: OpenRecord; readonly partner: string; readonly company: string },
): Promise<boolean> {
  const subject = partnerSubject(services.definitions.catalog(), asked.company, asked.partner);
  const context = services.definitions.contextFor(subject, services.clock());
  const call = openAnyCall(services, { ...caller, subject, context }, resource.resource);
  if (!call.access.operations.has('read')) return false;
  const values: unknown[] = [asked.record['id']];
  const conditions = ['t.id = $1::uuid', ...rowConditions(call, { alias: 't', values }, 'read')];
  const rows = await tx.query(
    `select 1 from ${tableOf(resource)} t where ${conditions.join(' and ')}`,
    values,
  );
  return rows.length > 0;
}
