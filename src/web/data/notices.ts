import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { http } from './http.ts';

/** A message to the person. */
export interface Notice {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly level: string;
  readonly resource: string | null;
  readonly record_id: string | null;
  readonly read_at: string | null;
  readonly created_at: string;
}

export type NoticeTab = 'unread' | 'read' | 'archived' | 'all';

export interface NoticeQuery {
  readonly tab: NoticeTab;
  readonly keyword?: string;
  readonly currentPage: number;
  readonly pageSize: number;
}

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
    queryFn: () => http.get<{ readonly total: number }>('/notice/unread'),
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
    queryFn: () => http.post<{ readonly records: readonly Notice[]; readonly total: number }>('/notice/query', query),
  });
  return {
    notices: data?.records ?? null,
    total: data?.total ?? 0,
    isFetching,
    fault: error?.message ?? null,
    reload: () => void refetch(),
    mark: async (id: string, what: 'read' | 'archive') => {
      await http.post(`/notice/${id}/${what}`);
      await tellNoticesRead(client);
    },
    markAllRead: async () => {
      await http.post('/notice/readAll');
      await tellNoticesRead(client);
    },
  };
}
