import { Alert, App, Button, Empty, Pagination, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { pageItem } from '#web/app/page-item.tsx';
import { NoticeList } from '#web/app/notice-list.tsx';
import type { NoticeTab } from '#contract/notices.ts';
import { useNotices } from '#web/data/notices.ts';
import { useLastPage } from '#web/pages/table/use-last-page.ts';
import { showFault } from '#web/data/show-fault.ts';
import { SearchInput } from '#web/fields/search-input.tsx';
import './home.css';

const PAGE_SIZE = 20;
const TABS: readonly { readonly label: string; readonly value: NoticeTab }[] = [
  { label: '未读', value: 'unread' },
  { label: '已读', value: 'read' },
  { label: '已归档', value: 'archived' },
  { label: '全部', value: 'all' },
];

/** 消息中心: all messages of the person, by state and keyword. */
export function MessagesPage() {
  const [tab, setTab] = useState<NoticeTab>('unread');
  const [keyword, setKeyword] = useState('');
  const [currentPage, setCurrentPage] = useState(1);
  const { notices, total, isFetching, fault, reload, mark, markAllRead } = useNotices(
    { tab, keyword, currentPage, pageSize: PAGE_SIZE },
    true,
  );
  useLastPage({ page: currentPage, pageSize: PAGE_SIZE, total, isSettled: !isFetching }, setCurrentPage);
  const { message } = App.useApp();
  const readAll = () =>
    void markAllRead().catch((error: unknown) => showFault(message, error, '没有全部标为已读'));
  return (
    <div className="home">
      <h1>消息中心</h1>
      <div className="message-tools">
        <Segmented
          value={tab}
          options={[...TABS]}
          onChange={(next) => {
            setTab(next);
            setCurrentPage(1);
          }}
        />
        <SearchInput
          allowClear
          aria-label="查找消息"
          placeholder="标题或内容"
          maxLength={100}
          onSearch={(text) => {
            setKeyword(text.trim());
            setCurrentPage(1);
          }}
        />
        <span className="message-space" />
        <Button disabled={tab !== 'unread' || total === 0} onClick={readAll}>
          全部已读
        </Button>
      </div>
      {fault !== null && (
        <Alert type="error" showIcon message={fault} action={<Button onClick={reload}>重试</Button>} />
      )}
      {fault === null && (
        <section className="home-list">
          {notices === null && <Skeleton active />}
          {notices !== null && <NoticeList notices={notices} canArchive={tab !== 'archived'} onMark={mark} />}
          {notices?.length === 0 && <Empty description="没有消息" />}
        </section>
      )}
      <Pagination
        itemRender={pageItem}
        className="message-pager"
        align="end"
        hideOnSinglePage
        showSizeChanger={false}
        current={currentPage}
        pageSize={PAGE_SIZE}
        total={total}
        onChange={setCurrentPage}
      />
    </div>
  );
}
