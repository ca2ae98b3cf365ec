import { ADDRESS } from '#web/data/addresses.ts';
import { Alert, App, Button, Drawer, Empty, Segmented, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useNotices } from '#web/data/notices.ts';
import { showFault } from '#web/data/show-fault.ts';
import { NoticeList } from './notice-list.tsx';
import { TabContext, useTab } from './tab-context.ts';

export interface NoticeDrawerProps {
  readonly isOpen: boolean;
  readonly onOpen: (address: string) => void;
  readonly onClose: () => void;
}

/** The latest messages: unread first, open what they speak of, archive what is done. */
export function NoticeDrawer({ isOpen, onOpen, onClose }: NoticeDrawerProps) {
  const [tab, setTab] = useState<'unread' | 'all'>('unread');
  const { message } = App.useApp();
  const { notices, total, fault, reload, mark, markAllRead } = useNotices(
    { tab, currentPage: 1, pageSize: 50 },
    isOpen,
  );
  const readAll = () =>
    void markAllRead().catch((error: unknown) => showFault(message, error, '没有全部标为已读'));
  const outside = useTab();
  // The drawer stands in no tab: what is opened from it becomes one, without leaving the page.
  const handle = useMemo(() => ({ ...outside, openTab: onOpen }), [outside, onOpen]);
  return (
    <Drawer
      open={isOpen}
      title="消息"
      width={420}
      onClose={onClose}
      extra={
        <Button
          type="link"
          onClick={() => {
            onClose();
            onOpen(ADDRESS.messages);
          }}
        >
          消息中心
        </Button>
      }
    >
      <div className="notice-tabs">
        <Segmented
          value={tab}
          options={[
            { label: '未读', value: 'unread' as const },
            { label: '全部', value: 'all' as const },
          ]}
          onChange={setTab}
        />
        {tab === 'unread' && total > 0 && (
          <Button type="link" onClick={readAll}>
            全部已读
          </Button>
        )}
      </div>
      {fault !== null && (
        <Alert type="error" showIcon message={fault} action={<Button onClick={reload}>重试</Button>} />
      )}
      {fault === null && notices === null && <Skeleton active />}
      <TabContext value={handle}>
        {notices !== null && <NoticeList notices={notices} canArchive onMark={mark} onOpened={onClose} />}
      </TabContext>
      {fault === null && notices?.length === 0 && (
        <Empty description={tab === 'unread' ? '没有未读消息' : '没有消息'} />
      )}
    </Drawer>
  );
}
