import { compareDecimals } from '#engine/values/decimal.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { recordKey, type WriteSession } from '#server/records/follow/write-session.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { amountOf } from './account-rows.ts';

/** Raises the event of each account whose available money this write has brought below zero, once a write. */
export async function tellOverdrawn(tx: Tx, session: WriteSession): Promise<void> {
  for (const { resource, id, before, call, isGone } of session.moved.values()) {
    const { account } = resource;
    const event = account?.overdrawn;
    const key = `overdrawn:${recordKey(resource.resource, id)}`;
    if (account === undefined || event === undefined || isGone || session.ran.has(key)) continue;
    const figure = account.available ?? account.balance;
    if (before !== null && compareDecimals(amountOf(before, figure), '0') < 0) continue;
    const own = openSystemCall(call.services, call.caller, resource.resource);
    const record = await readStored(tx, own, id);
    if (record === null || compareDecimals(amountOf(record, figure), '0') >= 0) continue;
    session.ran.add(key);
    await attachFor(tx, own, record);
    await call.services.following.emitEvent(tx, own, { event, record });
  }
}
