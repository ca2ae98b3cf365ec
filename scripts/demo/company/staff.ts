import type { Subject } from '#engine/schema/resource.ts';
import { buildSubject } from '#server/auth/subject.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import type { Services } from '#server/records/services.ts';

/** A person of the demo by the part of the 工号 before the company: `sp`, `tm2`. */
export type Actor = string;

/** Everybody of a company in the role that comes first. */
export async function staffOf(services: Services, company: string): Promise<ReadonlyMap<Actor, Subject>> {
  const rows = await services.db.query(
    `select p.id, p.personid, r.code from person p join role r on r.id = p.default_role_id
     where p.co_code = $1 and not p.is_deleted order by p.personid`,
    [company],
  );
  const staff = new Map<Actor, Subject>();
  for (const row of rows) {
    const subject = await buildSubject(services, {
      candidate: { kind: 'staff', id: rowText(row, 'id'), coCode: company },
      roleCode: rowText(row, 'code'),
      roleCodes: [rowText(row, 'code')],
      salesId: null,
      now: services.clock(),
    });
    if (subject !== null) staff.set(rowText(row, 'personid').split('.')[0] ?? '', subject);
  }
  return staff;
}

/** Whoever keeps what all companies share, rates among them: the administrator of the group, of whichever company. */
export async function groupAdministrator(services: Services): Promise<Subject | null> {
  const [row] = await services.db.query<{ id: string; co_code: string; code: string }>(
    `select p.id, p.co_code, r.code from person p join role r on r.id = p.default_role_id
     where p.super_permission and not p.is_deleted order by p.co_code, p.personid limit 1`,
    [],
  );
  if (row === undefined) return null;
  return buildSubject(services, {
    candidate: { kind: 'staff', id: row.id, coCode: row.co_code },
    roleCode: row.code,
    roleCodes: [row.code],
    salesId: null,
    now: services.clock(),
  });
}

/** The first account of a partner. */
export async function partnerOf(services: Services, company: string, partnerId: string): Promise<Subject> {
  const [row] = await services.db.query<{ id: string }>(
    'select id from partner__accounts where parent_id = $1::uuid order by line_order limit 1',
    [partnerId],
  );
  const subject = await buildSubject(services, {
    candidate: { kind: 'partner', id: row?.id ?? '', coCode: company },
    roleCode: '',
    roleCodes: [],
    salesId: null,
    now: services.clock(),
  });
  if (subject === null) throw new RangeError(`no account of partner ${partnerId}`);
  return subject;
}
