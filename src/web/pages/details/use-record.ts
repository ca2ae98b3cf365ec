import { useShow } from '@refinedev/core';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { faultText } from '#web/data/show-fault.ts';
import { refusalOf } from '../form/shown-error.ts';

/** One record with its labels, actions and lines, by refine's useShow; read again when the stream tells of something. */
export function useRecord(resource: string, id: string) {
  const { query } = useShow<ErpRecord & { id: string }>({
    errorNotification: false,
    resource,
    id,
    queryOptions: { retry: false, enabled: id !== '' },
    // A job has ended, somebody has decided: what is looked at is read again.
    liveMode: 'manual',
    onLiveEvent: () => void query.refetch(),
  });
  return {
    record: query.data?.data ?? null,
    isLoading: query.isLoading,
    fault: query.error === null ? null : faultText(query.error, '记录没有读到，请重试'),
    /** Deleted meanwhile, or not to be seen any more; what was read before may still stand. */
    isGone: refusalOf(query.error).status === 404,
    reload: () => void query.refetch(),
  };
}
