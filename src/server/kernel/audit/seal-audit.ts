import { createHash } from 'node:crypto';
import type { Database, Queryable } from '#server/kernel/db/database.ts';

/** A place in the chain of the audit. */
export interface AuditHead {
  /** Decimal text: counts from 1. */
  readonly seq: string;
  /** Hex. */
  readonly hash: string;
}

/** What the first link hangs on. */
export const FIRST_HASH = '00'.repeat(32);

const LOCK = 7_316_004_425;
const BATCH = 2_000;

/**
 * Chains audit rows that were committed since: each link holds the hash of the one before and the digest that a trigger
 * made of the row when it was written. One process at a time does this, behind the writers, so that no write waits for
 * another's. Tells how many rows it chained.
 */
export async function sealAudit(db: Database): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await db.transaction(sealBatch);
    sealed += count;
    if (count < BATCH) return sealed;
  }
}

/** The newest link; null before the first. */
export async function readHead(on: Queryable): Promise<AuditHead | null> {
  const [head] = await on.query<AuditHead & Record<string, unknown>>(
    `select seq, encode(hash, 'hex') as hash from sys_audit_seal where seq is not null order by seq desc limit 1`,
  );
  return head ?? null;
}

/** The hash of a link, hex. All parts have a fixed length, so they need no separators. */
export function linkHash(before: string, link: { seq: bigint; auditId: string; digest: string }): string {
  const seq = Buffer.alloc(8);
  seq.writeBigUInt64BE(link.seq);
  return createHash('sha256')
    .update(Buffer.from(before, 'hex'))
    .update(seq)
    .update(Buffer.from(link.auditId.replaceAll('-', ''), 'hex'))
    .update(Buffer.from(link.digest, 'hex'))
    .digest('hex');
}

/** Begins the chain anew from the rows that are there: for a demo whose company was wiped, by the owner. */
export async function resealAudit(tx: Queryable): Promise<void> {
  await tx.execute('delete from sys_audit_seal');
  await tx.execute(
    `insert into sys_audit_seal (audit_id, digest) select a.id, ${AUDIT_DIGEST} from sys_audit a`,
  );
}

/** SQL: the digest of an audit row `a`. Empty members are left out, so that a column that comes later changes no old digest. */
export const AUDIT_DIGEST = `sha256(convert_to(jsonb_strip_nulls(to_jsonb(a))::text, 'UTF8'))`;

async function sealBatch(tx: Queryable): Promise<number> {
  const [lock] = await tx.query<{ ok: boolean }>('select pg_try_advisory_xact_lock($1) as ok', [LOCK]);
  if (lock?.ok !== true) return 0;
  const open = await tx.query<{ id: string; digest: string }>(
    `select audit_id as id, encode(digest, 'hex') as digest from sys_audit_seal where seq is null
     order by audit_id limit ${BATCH}`,
  );
  if (open.length === 0) return 0;
  const head = await readHead(tx);
  let seq = BigInt(head?.seq ?? '0');
  let hash = head?.hash ?? FIRST_HASH;
  const links = open.map(({ id, digest }) => {
    seq += 1n;
    hash = linkHash(hash, { seq, auditId: id, digest });
    return { id, seq: String(seq), hash };
  });
  await tx.execute(
    `update sys_audit_seal s set seq = l.seq, hash = decode(l.hash, 'hex')
     from unnest($1::uuid[], $2::bigint[], $3::text[]) l(id, seq, hash) where s.audit_id = l.id`,
    [links.map(({ id }) => id), links.map((link) => link.seq), links.map((link) => link.hash)],
  );
  return open.length;
}
