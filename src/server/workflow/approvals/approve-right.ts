import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { peopleWithRight, type AccountState } from './people-with-right.ts';

/** Who of these people may approve a record at this moment, or could if the account were not closed. */
export function approversAmong(
  db: Reader,
  call: Call,
  asked: { readonly record: OpenRecord; readonly people: readonly string[]; readonly account?: AccountState },
): Promise<ReadonlySet<string>> {
  return peopleWithRight(db, call, { ...asked, operation: 'approve' });
}
