import { AppError } from '#server/kernel/errors.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readRecord, type SystemContext, updateRecordFields } from '#server/records/write/system-write.ts';

/**
 * Writes the record of whoever calls like any other: audited, with a new version, and what follows from it. The account
 * of a customer is a line of the partner's.
 * @throws NOT_FOUND
 */
export async function saveOwnRecord(
  context: SystemContext,
  fields: OpenRecord,
  opinion: string | null = null,
): Promise<void> {
  const { id, kind, partner_id: partner } = context.caller.subject;
  if (kind === 'staff') {
    await updateRecordFields(context, 'person', { id, fields, action: 'update', opinion });
    return;
  }
  const stored = await readRecord(context, 'partner', partner ?? '', true);
  if (stored === null) throw new AppError('NOT_FOUND');
  const accounts = linesOf(stored['accounts']).map((line) =>
    line['id'] === id ? { ...line, ...fields } : line,
  );
  await updateRecordFields(context, 'partner', {
    id: String(stored['id']),
    fields: { accounts },
    action: 'update',
    opinion,
  });
}
