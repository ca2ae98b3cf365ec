import type { PrintData } from '#contract/records.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { AppError } from '#server/kernel/errors.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { presentRecord, presentRow } from './present-record.ts';
import { isRecordId, readStored } from './read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { OpenRecord } from './attach-references.ts';
import { visibleFields } from '#server/records/list/query-records.ts';
import { referenceColumns } from './referenced-records.ts';

/** The data of one of a record's prints; refused when the print's condition does not hold. */
export async function printData(
  call: Call,
  asked: { readonly id: string; readonly printId: string },
): Promise<PrintData> {
  const print = call.resource.print.find(({ id }) => id === asked.printId);
  if (print === undefined) throw new AppError('UNKNOWN_ACTION', { message: '没有这个打印模板' });
  const { db, clock } = call.services;
  const stored = isRecordId(asked.id)
    ? await readStored(callersReader(call), call, asked.id, { operation: 'print' })
    : null;
  if (stored === null) throw new AppError('NOT_FOUND');
  await attachFor(db, call, stored);
  const scope = recordScope(call, stored);
  if (print.when !== undefined && !matchesFilter(print.when, scope))
    throw new AppError('ACTION_NOT_ALLOWED', {
      message: `不能打印${print.title}，须满足：${describeFilter(print.when, scope)}`,
    });
  const record = await presentRecord(db, call, stored);
  return {
    print: { id: print.id, title: print.title, template: print.template },
    record,
    references: await referencesOf(call, record),
    printedBy: call.caller.subject.name,
    printedAt: clock().toISOString(),
  };
}

/** The referenced records as the role may see them; of those that it may not read nothing, not even that they are there. */
async function referencesOf(call: Call, record: OpenRecord): Promise<Readonly<Record<string, OpenRecord>>> {
  const references: Record<string, OpenRecord> = {};
  for (const { field, target } of referenceColumns(call.resource)) {
    const id = record[field];
    if (typeof id !== 'string') continue;
    const other = openAnyCall(call.services, call.caller, target);
    if (!other.access.operations.has('read') && !other.access.operations.has('list')) continue;
    const stored = await readStored(callersReader(other), other, id);
    if (stored !== null)
      references[field] = presentRow(other, stored, { fields: visibleFields(other, null) });
  }
  return references;
}
