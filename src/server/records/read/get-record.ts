import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from './attach-references.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { presentRecord } from './present-record.ts';
import { isRecordId, readStored } from './read-stored.ts';

/** One record with lines, texts, actions and what may be edited; 404 for whatever the caller may not see. */
export async function getRecord(call: Call, id: string): Promise<OpenRecord> {
  const { db } = call.services;
  const stored = isRecordId(id) ? await readStored(callersReader(call), call, id) : null;
  if (stored === null) throw new AppError('NOT_FOUND');
  return presentRecord(db, call, stored);
}
