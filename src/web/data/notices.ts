import { useQuery, useQueryClient } from '@tanstack/react-query';
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

/** How many messages are unread. */
export function useUnreadCount(): number {
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
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['notices'] }),
      client.invalidateQueries({ queryKey: ['notice-unread'] }),
    ]);
  return {
    notices: data?.records ?? null,
    total: data?.total ?? 0,
    isFetching,
    fault: error?.message ?? null,
    reload: () => void refetch(),
    mark: async (id: string, what: 'read' | 'archive') => {
      await http.post(`/notice/${id}/${what}`);
      await refresh();
    },
    markAllRead: async () => {
      await http.post('/notice/readAll');
      await refresh();
    },
  };
}
