import { App, Button } from 'antd';
import { companyTime } from '#engine/values/dates.ts';
import type { Notice } from '#contract/notices.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { showFault } from '#web/data/show-fault.ts';
import { noticeAddress } from './notice-address.ts';
import { useTab } from './tab-context.ts';

export interface NoticeListProps {
  readonly notices: readonly Notice[];
  readonly canArchive: boolean;
  readonly onMark: (id: string, what: 'read' | 'archive') => Promise<void>;
  readonly onOpened?: () => void;
}

/** Messages one below the other; a click reads one and opens the record, list or report it speaks of. */
export function NoticeList({ notices, canArchive, onMark, onOpened }: NoticeListProps) {
  const { message } = App.useApp();
  const { openTab } = useTab();
  const entries = useResourceList();
  const archive = (notice: Notice) =>
    void onMark(notice.id, 'archive').catch((error: unknown) => showFault(message, error, '没有归档'));
  const open = (notice: Notice) => {
    if (notice.read_at === null) onMark(notice.id, 'read').catch(() => undefined);
    const address = noticeAddress(entries, notice);
    if (address === null) return;
    openTab(address);
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
            <Button size="small" type="link" onClick={() => archive(notice)}>
              归档
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
