import { CREATION } from '../ledger/posting-moment.ts';
import type { ErpRecord, Resource } from '../schema/resource.ts';
import { statesOf } from '../schema/state-groups.ts';
import { stateTitle } from './action-states.ts';

/**
 * Why a record cannot be deleted as it stands, in Chinese; null when nothing in it speaks against it. What only the
 * database knows (others refer to it, a posting depended on its values) is asked when it is deleted.
 */
export function deleteRefusal(
  resource: Pick<Resource, 'kind' | 'lifecycle' | 'postings'>,
  record: ErpRecord,
): string | null {
  const { kind, lifecycle } = resource;
  if (postsWhenMade(resource)) return '登记时即已过账，不能删除';
  if (kind !== 'document' || lifecycle === undefined) return null;
  const wasSubmitted = (record['submitted_at'] ?? null) !== null;
  if (wasSubmitted) return '单据提交过审核，不能删除，请作废';
  if (record['status'] === lifecycle.initial) return null;
  return `当前状态为"${stateTitle(resource, record['status'])}"，不能删除`;
}

/** True where every new record posts, whatever it says: none of them is ever deleted. */
export function postsWhenMade({ lifecycle, postings }: Pick<Resource, 'lifecycle' | 'postings'>): boolean {
  return postings.some(
    ({ at, when, each, reverse }) =>
      when === undefined &&
      each === undefined &&
      reverse === undefined &&
      statesOf(at, lifecycle?.groups).includes(CREATION),
  );
}
