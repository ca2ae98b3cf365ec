import { useQuery } from '@tanstack/react-query';
import { callApi } from '#web/data/http.ts';

/** Where people keep what they put aside. */
export const MUTE_RESOURCE = 'warning_mute';

/** Warnings that this person has put aside. */
export interface Muted {
  readonly has: (report: number, id: string) => boolean;
  readonly reload: () => void;
}

/** What was put aside and has not come back yet. */
export function useMuted(today: string): Muted {
  const { data, refetch } = useQuery({
    queryKey: ['muted-warnings', today],
    queryFn: () =>
      callApi('POST /data/:resource/query', {
        params: { resource: MUTE_RESOURCE },
        body: { filters: { until: { gte: today } }, pageSize: 1_000, columns: ['report', 'record_id'] },
      }),
  });
  const keys = new Set(
    (data?.records ?? []).map((record) => `${String(record['report'])} ${String(record['record_id'])}`),
  );
  return { has: (report, id) => keys.has(`${report} ${id}`), reload: () => void refetch() };
}
