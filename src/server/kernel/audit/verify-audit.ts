import type { Database, Queryable } from '#server/kernel/db/database.ts';
import type { NotedChain } from './noted-heads.ts';
import { AUDIT_DIGEST, type AuditHead, FIRST_HASH, linkHash } from './seal-audit.ts';

/**
 * What is wrong with a row of the audit.
 * - `changed`: it says something else than when it was written.
 * - `missing`: it was there and is gone.
 * - `unsealed`: it was put in past the trigger that seals.
 * - `broken`: its link does not hang on the one before.
 * - `rewritten`: the chain was another one when its head was last noted outside of the database.
 */
export type AuditFaultKind = 'changed' | 'missing' | 'unsealed' | 'broken' | 'rewritten';

export interface AuditFault {
  readonly kind: AuditFaultKind;
  readonly seq: string | null;
  readonly audit_id: string | null;
  readonly at: string | null;
  readonly co_code: string | null;
  readonly resource: string | null;
  readonly record_id: string | null;
  readonly person_name: string | null;
  readonly action: string | null;
}

export interface AuditVerdict {
  /** Links looked at. */
  readonly links: number;
  readonly head: AuditHead | null;
  /** The first of what was found. */
  readonly faults: readonly AuditFault[];
  readonly total: number;
  /** When a backup was last brought back (ISO 8601), as noted outside of the database. */
  readonly restoredAt: string | null;
}

const PAGE = 2_000;
const MAX_TOLD = 50;

/**
 * Goes over the whole audit: every row against its digest, every link against the one before, and the heads that were
 * noted outside of the database against the links of their numbers.
 */
export function verifyAudit(db: Database, noted: NotedChain): Promise<AuditVerdict> {
  return db.transaction((tx) => verifyIn(tx, noted), { isolation: 'repeatable read', readOnly: true });
}

async function verifyIn(tx: Queryable, { heads, restoredAt }: NotedChain): Promise<AuditVerdict> {
  const found = new Faults();
  const open = new Map(heads.map(({ seq, hash }) => [seq, hash]));
  let head: AuditHead | null = null;
  let links = 0;
  for (;;) {
    const page: readonly Link[] = await tx.query<Link>(LINKS, [head?.seq ?? '0', PAGE], 'audit_links');
    for (const link of page) {
      for (const kind of faultsOf(link, head)) found.add(kind, link);
      const outside = open.get(link.seq);
      if (outside !== undefined && outside !== link.hash) found.add('rewritten', link);
      open.delete(link.seq);
      head = { seq: link.seq, hash: link.hash };
    }
    links += page.length;
    if (page.length < PAGE) break;
  }
  for (const seq of open.keys()) found.add('rewritten', { ...NOWHERE, seq });
  for (const row of await tx.query<Row>(UNSEALED)) found.add('unsealed', { ...row, seq: null });
  return { links, head, faults: found.told, total: found.total, restoredAt };
}

class Faults {
  readonly told: AuditFault[] = [];
  total = 0;

  add(kind: AuditFaultKind, row: Row & { readonly seq: string | null }): void {
    this.total += 1;
    if (this.told.length >= MAX_TOLD) return;
    const { seq, audit_id, co_code, resource, record_id, person_name, action } = row;
    const at = row.at ?? writtenAt(audit_id);
    this.told.push({ kind, seq, audit_id, at, co_code, resource, record_id, person_name, action });
  }
}

interface Row extends Record<string, unknown>, Omit<AuditFault, 'kind' | 'seq'> {}

interface Link extends Row {
  readonly seq: string;
  readonly audit_id: string;
  readonly hash: string;
  readonly digest: string;
  /** Of the row as it is; null when it is gone. */
  readonly actual: string | null;
}

function faultsOf(link: Link, before: AuditHead | null): readonly AuditFaultKind[] {
  const faults: AuditFaultKind[] = [];
  if (link.actual === null) faults.push('missing');
  else if (link.actual !== link.digest) faults.push('changed');
  const seq = BigInt(link.seq);
  const isNext = seq === BigInt(before?.seq ?? '0') + 1n;
  const hash = linkHash(before?.hash ?? FIRST_HASH, { seq, auditId: link.audit_id, digest: link.digest });
  if (!isNext || hash !== link.hash) faults.push('broken');
  return faults;
}

/** The instant in an id of version 7: of a row that is gone nothing else is known. */
function writtenAt(id: string | null): string | null {
  if (id === null || id[14] !== '7') return null;
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
}

const NOWHERE: Row = {
  audit_id: null,
  at: null,
  co_code: null,
  resource: null,
  record_id: null,
  person_name: null,
  action: null,
};

const TOLD = 'a.at, a.co_code, a.resource, a.record_id, a.person_name, a.action';
const LINKS = `select s.seq, s.audit_id, encode(s.hash, 'hex') as hash, encode(s.digest, 'hex') as digest,
    case when a.id is not null then encode(${AUDIT_DIGEST}, 'hex') end as actual, ${TOLD}
  from sys_audit_seal s left join sys_audit a on a.id = s.audit_id
  where s.seq > $1::bigint order by s.seq limit $2`;
const UNSEALED = `select a.id as audit_id, ${TOLD} from sys_audit a
  where not exists (select 1 from sys_audit_seal s where s.audit_id = a.id) order by a.at limit ${MAX_TOLD + 1}`;
