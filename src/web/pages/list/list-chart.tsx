import { useQuery } from '@tanstack/react-query';
import type { Filter } from '#engine/schema/definition.ts';
import type { ListChartDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import { PointsChart } from '../report/report-chart.tsx';
import { listPoints } from './list-points.ts';

/** So many rows are summed, those with the last values of the axis. */
const MOST = 1000;

export interface ListChartProps {
  readonly resource: Resource;
  readonly chart: ListChartDefinition;
  /** What the list shows. */
  readonly filter: Filter | null;
  readonly keyword: string;
}

/** A picture of what the list shows, above it; nothing where there is only one point. */
export function ListChart({ resource, chart, filter, keyword }: ListChartProps) {
  const { data } = useQuery({
    queryKey: ['list-chart', resource.resource, filter, keyword],
    staleTime: 30_000,
    queryFn: () =>
      callApi('POST /data/:resource/query', {
        params: { resource: resource.resource },
        body: { currentPage: 1, pageSize: MOST, filters: filter, keyword, sorters: [`-${chart.by}`] },
      }),
  });
  if (data === undefined) return null;
  const points = listPoints(resource, chart, { rows: data.records, isCut: data.total > data.records.length });
  return points.names.length < 2 ? null : (
    <PointsChart title={resource.title} points={points} kind={chart.kind} />
  );
}
