import { Button } from 'antd';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useTab } from '#web/app/tab-context.ts';
import { type ListOrigin, readListOrigin } from '#web/data/list-origin.ts';
import { useRead } from '#web/data/use-read.ts';

/** Previous and next record of the list one came from, in the same tab: the list and other pages keep their room. */
export function NeighbourButtons({ resource, id }: { readonly resource: string; readonly id: string }) {
  const { goOn } = useTab();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const origin = readListOrigin(params.get('from'));
  const { data } = useRead(
    'GET /data/:resource/:id/neighbours',
    { params: { resource, id }, query: originQuery(origin) },
    { key: ['neighbours', resource, id, origin], isEnabled: origin !== null },
  );
  if (origin === null) return null;
  const go = (target: string | null | undefined) => {
    if (target == null) return;
    const next = new URLSearchParams(params);
    next.set('id', target);
    goOn(`${pathname}?${next.toString()}`);
  };
  return (
    <span className="details-neighbours">
      <Button size="small" disabled={data?.previous == null} onClick={() => go(data?.previous)}>
        上一条
      </Button>
      <Button size="small" disabled={data?.next == null} onClick={() => go(data?.next)}>
        下一条
      </Button>
    </span>
  );
}

function originQuery(origin: ListOrigin | null) {
  if (origin === null) return {};
  return {
    ...(origin.keyword === '' ? {} : { keyword: origin.keyword }),
    ...(origin.filter === null ? {} : { filters: JSON.stringify(origin.filter) }),
    ...(origin.sorters.length === 0 ? {} : { sorters: JSON.stringify(origin.sorters) }),
  };
}
