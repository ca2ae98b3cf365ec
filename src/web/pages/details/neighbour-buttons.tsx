import { Button } from 'antd';
import { useSearchParams } from 'react-router-dom';
import { type ListOrigin, readListOrigin } from '#web/data/list-origin.ts';
import { useRead } from '#web/data/use-read.ts';

/** Previous and next record of the list one came from. */
export function NeighbourButtons({ resource, id }: { readonly resource: string; readonly id: string }) {
  const [params, setParams] = useSearchParams();
  const origin = readListOrigin(params.get('from'));
  const { data } = useRead(
    'GET /data/:resource/:id/neighbours',
    { params: { resource, id }, query: originQuery(origin) },
    { key: ['neighbours', resource, id, origin], isEnabled: origin !== null },
  );
  if (origin === null) return null;
  const go = (target: string | null | undefined) => {
    if (target != null)
      setParams((current) => {
        const next = new URLSearchParams(current);
        next.set('id', target);
        return next;
      });
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
