import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { NoticeQuery } from '#contract/notices.ts';
import { callApi } from './http.ts';
import { faultText } from './show-fault.ts';

const CHANNEL = 'erp-notices';

/** Messages were read or archived: this window and the browser's others count again. */
export async function tellNoticesRead(client: QueryClient): Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('read');
  channel.close();
  await countAgain(client);
}

async function countAgain(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['notices'] }),
    client.invalidateQueries({ queryKey: ['notice-unread'] }),
  ]);
}

/** How many messages are unread; right in every window of the browser. */
export function useUnreadCount(): number {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void countAgain(client);
    return () => channel.close();
  }, [client]);
  const { data } = useQuery({
    queryKey: ['notice-unread'],
    queryFn: () => callApi('GET /notice/unread'),
    refetchInterval: 120_000,
  });
  return data?.total ?? 0;
}

/** One page of the messages, and what one may do with them. */
export function useNotices(query: NoticeQuery, isOn: boolean) {
  const client = useQueryClient();
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: ['notices', query],
    enabled: isOn,
    staleTime: 0,
    placeholderData: (previous) => previous,
    queryFn: () => callApi('POST /notice/query', { body: query }),
  });
  return {
    notices: data?.records ?? null,
    total: data?.total ?? 0,
    isFetching,
    fault: error === null ? null : faultText(error, '消息没有读到'),
    reload: () => void refetch(),
    mark: async (id: string, what: 'read' | 'archive') => {
      await callApi(`POST /notice/:id/${what}`, { params: { id } });
      await tellNoticesRead(client);
    },
    markAllRead: async () => {
      await callApi('POST /notice/readAll');
      await tellNoticesRead(client);
    },
  };
}
