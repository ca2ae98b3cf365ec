import { Button, Empty, Skeleton, Table, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PrintEntry } from '#contract/prints.ts';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import { SearchInput } from '#web/fields/search-input.tsx';
import { PageFault } from '#web/pages/page-fault.tsx';
import { TemplateEditor } from './template-editor.tsx';
import './print.css';

/** Every print of the house; each is edited beside a specimen, so that whoever writes templates needs no record. */
export function TemplatesPage() {
  const [params, setParams] = useSearchParams();
  const [keyword, setKeyword] = useState('');
  const { data, error, reload } = useRead('GET /prints', {}, { key: ['prints'], staleTimeMs: 0 });
  if (error !== null)
    return <PageFault error={error} message={faultText(error, '模板没有读到')} onRetry={reload} />;
  if (data === undefined) return <Skeleton active />;
  const edited = data.find(
    ({ resource, id }) => resource === params.get('resource') && id === params.get('print'),
  );
  if (edited !== undefined)
    return (
      <TemplateEditor
        key={`${edited.resource} ${edited.id}`}
        print={{ resource: edited.resource, id: null, printId: edited.id, title: edited.title }}
        onDone={() => {
          setParams({});
          reload();
        }}
      />
    );
  const shown = data.filter((print) => isFound(print, keyword.trim()));
  return (
    <div className="templates-page">
      <div className="templates-bar">
        <SearchInput
          allowClear
          aria-label="查找模板"
          placeholder="文件、单据或模板名称"
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
        <span>编辑时以样张预览：栏目名称代替内容，金额与数量为示例，抬头与印章为本公司的</span>
      </div>
      <Table<PrintEntry>
        size="small"
        rowKey={({ resource, id }) => `${resource} ${id}`}
        dataSource={[...shown]}
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: <Empty description="没有符合条件的模板" /> }}
        columns={[
          {
            title: '文件',
            render: (_, { resource, id, title }) => (
              <Button
                type="link"
                size="small"
                className="templates-name"
                aria-label={`编辑模板：${title}`}
                onClick={() => setParams({ resource, print: id })}
              >
                {title}
              </Button>
            ),
          },
          { title: '单据', dataIndex: 'resourceTitle' },
          {
            title: '来源',
            render: (_, { isOwn }) => (isOwn ? <Tag color="processing">本公司自定义</Tag> : '系统'),
          },
        ]}
      />
    </div>
  );
}

function isFound({ title, resourceTitle, template }: PrintEntry, keyword: string): boolean {
  return [title, resourceTitle, template].some((text) => text.toLowerCase().includes(keyword.toLowerCase()));
}
