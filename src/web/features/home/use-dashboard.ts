import { queryOptions, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Dashboard, ReportResult } from '#contract/reports.ts';
import { callApi } from '#web/data/http.ts';
import { useRead } from '#web/data/use-read.ts';

export type DashboardCard = Dashboard['cards'][number];
export type DashboardChart = Dashboard['charts'][number];

const FRESH_MS = 60_000;

/** The cards and charts of a page that are open to the role. */
export function useDashboard(name: string): Dashboard | undefined {
  return useRead(
    'GET /dashboard/:name',
    { params: { name } },
    { key: ['dashboard', name], staleTimeMs: FRESH_MS },
  ).data;
}

/** A report's answer for a card; of a card that shows only a total, one line. */
export function useCardReport(
  card: Pick<DashboardCard, 'report' | 'params'>,
  lines: number,
  isOn = true,
): { readonly result: ReportResult | undefined; readonly fault: string | null } {
  const { data, error } = useQuery({ ...cardQuery(card, lines), enabled: isOn });
  return { result: data, fault: error === null ? null : error.message };
}

/** The answers of several cards, in their order. */
export function useCardReports(
  cards: readonly Pick<DashboardCard, 'report' | 'params'>[],
  lines: number,
): readonly UseQueryResult<ReportResult>[] {
  return useQueries({ queries: cards.map((card) => cardQuery(card, lines)) });
}

function cardQuery({ report, params }: Pick<DashboardCard, 'report' | 'params'>, lines: number) {
  return queryOptions({
    queryKey: ['card-report', report, params, lines],
    staleTime: FRESH_MS,
    queryFn: ({ signal }) =>
      callApi('POST /report/:reportId/run', {
        params: { reportId: String(report) },
        body: { params, pageSize: lines },
        signal,
        timeoutMs: 75_000,
      }),
  });
}
