import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Drawer, Empty, Segmented } from 'antd';
import { useState } from 'react';
import { companyTime } from '#engine/values/dates.ts';
import { http } from '#web/data/http.ts';
import { useOpenRecord } from '#web/data/open-record.ts';

interface Notice {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly level: string;
  readonly resource: string | null;
  readonly record_id: string | null;
  readonly read_at: string | null;
  readonly created_at: string;
}

export interface NoticeDrawerProps {
  readonly isOpen: boolean;
  readonly onOpen: (address: string) => void;
  readonly onClose: () => void;
}

/** The messages: unread first, open what they speak of, archive what is done. */
export function NoticeDrawer({ isOpen, onClose }: NoticeDrawerProps) {
  const client = useQueryClient();
  const openRecord = useOpenRecord();
  const [kind, setKind] = useState<'unread' | 'all'>('unread');
  const { data, refetch } = useQuery({
    queryKey: ['notices', kind],
    enabled: isOpen,
    queryFn: () =>
      http.post<{ records: readonly Notice[]; total: number }>('/notice/query', {
        currentPage: 1,
        pageSize: 50,
        tab: kind,
      }),
  });
  const touch = async (notice: Notice, what: 'read' | 'archive') => {
    await http.post(`/notice/${notice.id}/${what}`);
    await Promise.all([refetch(), client.invalidateQueries({ queryKey: ['notice-unread'] })]);
  };
  const open = (notice: Notice) => {
    void touch(notice, 'read');
    if (notice.resource !== null && notice.record_id !== null) {
      openRecord.byResource(notice.resource, notice.record_id);
      onClose();
    }
  };
  return (
    <Drawer open={isOpen} title="消息" width={420} onClose={onClose}>
      <Segmented
        value={kind}
        options={[
          { label: '未读', value: 'unread' as const },
          { label: '全部', value: 'all' as const },
        ]}
        onChange={setKind}
      />
      <ul className="notices">
        {(data?.records ?? []).map((notice) => (
          <li key={notice.id} className={notice.read_at === null ? `unread ${notice.level}` : notice.level}>
            <button type="button" onClick={() => open(notice)}>
              <b>{notice.title}</b>
              <time dateTime={notice.created_at}>{companyTime(notice.created_at)}</time>
              <p>{notice.content}</p>
            </button>
            <Button size="small" type="link" onClick={() => void touch(notice, 'archive')}>
              归档
            </Button>
          </li>
        ))}
      </ul>
      {data?.records.length === 0 && <Empty description={kind === 'unread' ? '没有未读消息' : '没有消息'} />}
    </Drawer>
  );
}
