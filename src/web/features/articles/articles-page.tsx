import { pageItem } from '#web/app/page-item.tsx';
import { ADDRESS } from '#web/data/addresses.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Empty, Pagination, Segmented, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { companyTime } from '#engine/values/dates.ts';
import { useTab } from '#web/app/tab-context.ts';
import { callApi } from '#web/data/http.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { SearchInput } from '#web/fields/search-input.tsx';
import './articles.css';

const RESOURCE = 'news';
const CATEGORIES = ['全部', '公告', '政策法规', '汇率信息', '行业动态'] as const;
const PAGE_SIZE = 15;

/** 新闻列表: what is published for the reader, pinned first, with a dot at what is not read yet. */
export function ArticlesPage() {
  const { openTab } = useTab();
  const entry = useResourceList().find(({ resource }) => resource === RESOURCE);
  const [category, setCategory] = useState<(typeof CATEGORIES)[number]>('全部');
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState(1);
  const list = useQuery({
    queryKey: [RESOURCE, 'browse', category, keyword, page],
    queryFn: () =>
      callApi('POST /data/:resource/query', {
        params: { resource: RESOURCE },
        body: {
          pageSize: PAGE_SIZE,
          currentPage: page,
          keyword,
          sorters: ['-top', '-publish_at'],
          filters: {
            status: { eq: 'published' },
            ...(category === '全部' ? {} : { category: { eq: category } }),
          },
        },
      }),
  });
  const records = list.data?.records ?? [];
  const ids = records.map((record) => String(record['id']));
  const read = useQuery({
    queryKey: [RESOURCE, 'reads', ids.join()],
    queryFn: () => callApi('POST /data/:resource/reads', { params: { resource: RESOURCE }, body: { ids } }),
    enabled: ids.length > 0,
  });
  const isRead = new Set(read.data ?? ids);
  return (
    <div className="articles">
      <header className="articles-head">
        <Segmented
          value={category}
          options={[...CATEGORIES]}
          onChange={(value) => {
            setCategory(value);
            setPage(1);
          }}
        />
        <SearchInput
          allowClear
          placeholder="搜索标题"
          aria-label="搜索标题"
          className="articles-search"
          onSearch={(text) => {
            setKeyword(text.trim());
            setPage(1);
          }}
        />
        {entry?.operations.includes('create') === true && (
          <Button type="primary" onClick={() => openTab(ADDRESS.articleEdit)}>
            写新闻
          </Button>
        )}
      </header>
      {list.isLoading && <Skeleton active paragraph={{ rows: 8 }} />}
      {list.data === undefined && (
        <ReadFault what="新闻" error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data !== undefined && records.length === 0 && (
        <Empty description={keyword === '' ? '还没有发布的新闻' : '没有找到相符的新闻'} />
      )}
      <ul className="articles-list">
        {records.map((record) => (
          <li key={String(record['id'])}>
            <button type="button" onClick={() => openTab(`${ADDRESS.article}?id=${String(record['id'])}`)}>
              <span className="articles-title">
                {!isRead.has(String(record['id'])) && (
                  <i className="articles-dot" role="img" aria-label="未读" />
                )}
                {record['top'] === true && <Tag color="red">置顶</Tag>}
                <b>{String(record['title'])}</b>
              </span>
              <span className="articles-meta">
                <Tag>{String(record['category'] ?? '')}</Tag>
                <time>{companyTime(String(record['publish_at'] ?? '')).slice(0, 10)}</time>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {(list.data?.total ?? 0) > PAGE_SIZE && (
        <Pagination
          itemRender={pageItem}
          current={page}
          pageSize={PAGE_SIZE}
          total={list.data?.total ?? 0}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </div>
  );
}
