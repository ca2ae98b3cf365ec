import { EVERYBODY, type Wall } from '#server/kernel/db/walled-database.ts';
import { type Call, isSystemCall } from './open-call.ts';
import type { Reader, Tx } from './statement.ts';

/**
 * What a caller's own reads go through: the rows of the own company, a partner's the own ones, even where a statement
 * asks for more. The second wall: what the role opens is in the statement itself.
 */
export function callersReader(call: Call): Reader {
  const wall = wallOf(call);
  return wall === null ? call.services.db : call.services.walled.behind(wall);
}

/** The wall that a caller's own reads stand behind; for who sees every company one that is open. */
export function callersWall(call: Call): Wall {
  return wallOf(call) ?? OPEN;
}

/** The same for a transaction of the reader, until its end. */
export async function standBehindWall(tx: Tx, call: Call): Promise<void> {
  const { company, partner } = wallOf(call) ?? OPEN;
  await tx.query(`select set_config('erp.company', $1, true), set_config('erp.partner', $2, true)`, [
    company,
    partner,
  ]);
}

const OPEN: Wall = { company: EVERYBODY, partner: EVERYBODY };

/** Null for the system and for who administers the group: they see every company. */
function wallOf(call: Call): Wall | null {
  const { subject } = call.caller;
  if (isSystemCall(call) || subject.super_permission) return null;
  // A partner without one would be nobody: no row has this id.
  const partner = subject.kind === 'partner' ? (subject.partner_id ?? NOBODY) : EVERYBODY;
  return { company: subject.co_code, partner };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
