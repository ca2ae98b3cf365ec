import { AppError } from '#server/kernel/errors.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { FINANCE, type World } from '../data/world.ts';

/** A record that a test made. */
export interface Made {
  readonly resource: string;
  readonly id: string;
}

export async function make(world: World, resource: string, body: object): Promise<Made> {
  const saved = await createRecord(world.open(FINANCE, resource, 'create'), body);
  return { resource, id: String(saved['id']) };
}

export async function owner(world: World): Promise<string> {
  return (await make(world, 'owner', { name: '甲' })).id;
}

/** Runs an action on the record as it is now. */
export async function act(world: World, made: Made, action: string, inputs?: object) {
  const call = openAnyCall(world.services, world.callerOf(FINANCE), made.resource);
  const [row] = await world.db.query(`select version from ${made.resource} where id = $1`, [made.id]);
  return runAction(
    call,
    { id: made.id, action },
    { version: Number(row?.['version']), ...(inputs === undefined ? {} : { inputs }) },
  );
}

export interface Purse {
  readonly id: string;
  readonly balance: string;
}

export async function purseOf(world: World, ownerId: string, kind: string): Promise<Purse> {
  const [row] = await world.db.query<Record<string, unknown>>(
    `select id, balance::text, held::text, available::text, fees::text, live_count from purse where owner_id = $1 and kind = $2`,
    [ownerId, kind],
  );
  return { ...row, live_count: Number(row?.['live_count']) } as unknown as Purse;
}

/** Type, amount, balance and note of an account's entries, in the order in which they were posted. */
export async function entriesIn(world: World, purse: string): Promise<(string | null)[][]> {
  const rows = await world.db.query<Record<string, string | null>>(
    `select entry_type, amount::text as amount, balance_after::text as after, note from purse_entry where purse_id = $1 order by posted_seq`,
    [purse],
  );
  return rows.map((row) => [
    row['entry_type'] ?? null,
    row['amount'] ?? null,
    row['after'] ?? null,
    row['note'] ?? null,
  ]);
}

/** The refusal of a write that must be refused. */
export async function refusal(work: Promise<unknown>): Promise<AppError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('was not refused');
}
