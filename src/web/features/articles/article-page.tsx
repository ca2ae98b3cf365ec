import { ADDRESS } from '#web/data/addresses.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Empty, Skeleton, Tag } from 'antd';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { companyTime } from '#engine/values/dates.ts';
import { useTab } from '#web/app/tab-context.ts';
import { callApi } from '#web/data/http.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { useRecordTitle } from '#web/data/record-title.ts';
import { isRefused, ReadFault } from '#web/faults/read-fault.tsx';
import { ExportPdfButton } from '#web/features/pdf/export-pdf-button.tsx';
import { FieldServicesProvider } from '#web/fields/field-services-provider.tsx';
import { FileList } from '#web/fields/file-list.tsx';
import { RichtextBlock } from '#web/fields/richtext-view.tsx';
import { recordActions } from '#web/pages/actions/record-action.ts';
import { useActionRunner } from '#web/pages/actions/use-action-runner.tsx';
import './articles.css';

const RESOURCE = 'news';
/** So many neighbours are known: nobody leafs further. */
const LEAVES = 200;

/** 新闻详情: one article to read, with its attachments and the ones before and after; who may write it finds the way to the form. */
export function ArticlePage() {
  const [params] = useSearchParams();
  const id = params.get('id');
  if (id === null) return <Empty description="请从新闻列表中打开" />;
  return <Article key={id} id={id} />;
}

function Article({ id }: { readonly id: string }) {
  const { openTab } = useTab();
  const client = useQueryClient();
  const shown = useRef<HTMLElement>(null);
  const { resource, operations } = usePageResource(RESOURCE);
  const article = useQuery({
    queryKey: [RESOURCE, 'article', id],
    queryFn: () => callApi('GET /data/:resource/:id', { params: { resource: RESOURCE, id } }),
    retry: false,
  });
  const runner = useActionRunner(RESOURCE, () => void client.invalidateQueries({ queryKey: [RESOURCE] }));
  const record = article.data;
  useRecordTitle(resource, record ?? null, true);
  const isPublished = record?.['status'] === 'published';
  useEffect(() => {
    if (!isPublished) return;
    callApi('POST /data/:resource/:id/read', { params: { resource: RESOURCE, id } }).then(
      () => client.invalidateQueries({ queryKey: [RESOURCE, 'reads'] }),
      () => undefined,
    );
  }, [client, id, isPublished]);
  if (article.isLoading) return <Skeleton active paragraph={{ rows: 12 }} className="page-skeleton" />;
  if (record === undefined && article.error !== null && !isRefused(article.error))
    return <ReadFault what="新闻" error={article.error} onRetry={() => void article.refetch()} />;
  if (record === undefined) return <Alert type="warning" showIcon message="这篇新闻不存在，或已撤回、过期" />;
  const files = Array.isArray(record['attachments']) ? record['attachments'].map(String) : [];
  const canWrite = operations.has('update');
  return (
    <article className="article" ref={shown}>
      {!canWrite && (
        <div className="article-actions">
          <ExportPdfButton title={String(record['title'])} within={shown} />
        </div>
      )}
      {canWrite && (
        <div className="article-actions">
          <Tag color={isPublished ? 'green' : 'default'}>
            {resource?.lifecycle?.states[String(record['status'])]?.title}
          </Tag>
          <Button onClick={() => openTab(`${ADDRESS.articleEdit}?id=${id}`)}>编辑</Button>
          {recordActions(record).map((action) => (
            <Button
              key={action.action}
              disabled={!action.allowed || runner.isRunning}
              onClick={() => runner.run(action, record)}
            >
              {action.title}
            </Button>
          ))}
          <ExportPdfButton title={String(record['title'])} within={shown} />
          {runner.dialog}
        </div>
      )}
      <header>
        <h1>{String(record['title'])}</h1>
        <p>
          <Tag>{String(record['category'] ?? '')}</Tag>
          {record['publish_at'] !== null && <time>{companyTime(String(record['publish_at']))}</time>}
          {record['read_count'] !== undefined && <span>{Number(record['read_count'] ?? 0)} 人已读</span>}
        </p>
      </header>
      <FieldServicesProvider>
        <RichtextBlock html={String(record['content'] ?? '')} />
        {files.length > 0 && (
          <section className="article-files">
            <h2>附件</h2>
            <FileList ids={files} />
          </section>
        )}
      </FieldServicesProvider>
      <Neighbours id={id} />
    </article>
  );
}

function Neighbours({ id }: { readonly id: string }) {
  const { openTab } = useTab();
  const { data } = useQuery({
    queryKey: [RESOURCE, 'leaves'],
    queryFn: () =>
      callApi('POST /data/:resource/query', {
        params: { resource: RESOURCE },
        body: {
          pageSize: LEAVES,
          sorters: ['-top', '-publish_at'],
          columns: ['title'],
          filters: { status: { eq: 'published' } },
        },
      }),
  });
  const records = data?.records ?? [];
  const place = records.findIndex((record) => record['id'] === id);
  if (place < 0) return null;
  const leaf = (label: string, record: ErpRecord | undefined) =>
    record !== undefined && (
      <button
        type="button"
        className="link-button"
        onClick={() => openTab(`${ADDRESS.article}?id=${String(record['id'])}`)}
      >
        {label}：{String(record['title'])}
      </button>
    );
  return (
    <nav className="article-leaves" aria-label="前后篇">
      {leaf('上一篇', records[place - 1])}
      {leaf('下一篇', records[place + 1])}
    </nav>
  );
}
