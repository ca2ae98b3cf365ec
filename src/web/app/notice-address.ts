import type { ResourceEntry } from '#contract/meta.ts';
import type { Notice } from '#contract/notices.ts';
import { recordAddress } from '#web/data/open-record.ts';

/** Where a notice leads: to its record as the role sees it, else to its page; null where it leads nowhere. */
export function noticeAddress(
  entries: readonly ResourceEntry[],
  notice: Pick<Notice, 'resource' | 'record_id'> & { readonly link?: string | null },
): string | null {
  const { resource, record_id: recordId, link = null } = notice;
  if (resource !== null && recordId !== null) return recordAddress(entries, resource, recordId);
  return link !== null && /^\/(?!\/)/.test(link) ? link : null;
}
