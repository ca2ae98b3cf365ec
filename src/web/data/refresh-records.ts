import { useInvalidate } from '@refinedev/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { liveProvider } from './live-provider.ts';

/** After a write: what is shown of a resource anywhere is read again. */
export function useRefreshRecords(): (resource: string) => Promise<void> {
  const invalidate = useInvalidate();
  const client = useQueryClient();
  return useCallback(
    async (resource: string) => {
      liveProvider.publish?.({
        channel: `resources/${resource}`,
        type: 'updated',
        payload: {},
        date: new Date(),
      });
      await Promise.all([
        invalidate({ resource, invalidates: ['resourceAll'] }),
        client.invalidateQueries({ queryKey: ['audit', resource] }),
        client.invalidateQueries({ queryKey: ['approval', resource] }),
        client.invalidateQueries({ queryKey: ['mails', resource] }),
        client.invalidateQueries({ queryKey: ['approval-counts'] }),
        // A decision settles what its people were told.
        client.invalidateQueries({ queryKey: ['notice-unread'] }),
        client.invalidateQueries({ queryKey: ['approval-tasks'] }),
      ]);
    },
    [invalidate, client],
  );
}
