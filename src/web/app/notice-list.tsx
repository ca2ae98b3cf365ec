import { Button } from 'antd';
import { companyTime } from '#engine/values/dates.ts';
import type { Notice } from '#contract/notices.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useTab } from './tab-context.ts';

export interface NoticeListProps {
  readonly notices: readonly Notice[];
  readonly canArchive: boolean;
  readonly onMark: (id: string, what: 'read' | 'archive') => Promise<void>;
  readonly onOpened?: () => void;
}

/** Messages one below the other; a click reads one and opens the record or page it speaks of. */
export function NoticeList({ notices, canArchive, onMark, onOpened }: NoticeListProps) {
  const openRecord = useOpenRecord();
  const { openTab } = useTab();
  const open = (notice: Notice) => {
    if (notice.read_at === null) onMark(notice.id, 'read').catch(() => undefined);
    if (notice.resource !== null && notice.record_id !== null)
      openRecord.byResource(notice.resource, notice.record_id);
    else if (notice.link !== null) openTab(notice.link);
    else return;
    onOpened?.();
  };
  return (
    <ul className="notices">
      {notices.map((notice) => (
        <li key={notice.id} className={`${notice.read_at === null ? 'unread ' : ''}${notice.level ?? ''}`}>
          <button type="button" onClick={() => open(notice)}>
            <b>{notice.title}</b>
            <time dateTime={notice.created_at}>{companyTime(notice.created_at)}</time>
            <p>{notice.content}</p>
          </button>
          {canArchive && (
            <Button size="small" type="link" onClick={() => void onMark(notice.id, 'archive')}>
              归档
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
