import { Alert, Empty, Table, Tag } from 'antd';
import { useState } from 'react';
import type { PersonPreview } from '#contract/person-preview.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { useRead } from '#web/data/use-read.ts';
import { fieldText, labelsOf } from '#web/fields/field-text.ts';
import { shownColumns } from '#web/pages/table/list-column.ts';
import { faultText } from '#web/data/show-fault.ts';
import { SearchInput } from '#web/fields/search-input.tsx';
import { SeenForm } from './seen-form.tsx';

type SeenResource = PersonPreview['resources'][number];

/** The rows of a list as the employee has it; one of them opens as its form. */
export function SeenList(props: {
  readonly person: string;
  readonly role: string;
  readonly resource: SeenResource;
}) {
  const { person, role, resource } = props;
  const [currentPage, setPage] = useState(1);
  const [keyword, setKeyword] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  const list = useRead(
    'POST /person-preview/:id/:resource',
    { params: { id: person, resource: resource.resource }, body: { role, currentPage, keyword } },
    {
      key: ['person-preview-list', person, role, resource.resource, currentPage, keyword],
      isEnabled: resource.mayList,
      keepsLast: true,
    },
  );
  const { definition, page, pageSize } = list.data ?? {};
  const columns = definition === undefined ? [] : shownColumns(definition, definition.list.columns, {});
  return (
    <section className="person-preview-list" aria-label={resource.title}>
      <h2>{resource.title}</h2>
      <p>
        可以：
        {resource.operations.map((title) => (
          <Tag key={title}>{title}</Tag>
        ))}
      </p>
      {resource.hidden.length > 0 && <p>看不到的字段：{resource.hidden.join('、')}</p>}
      {list.error !== null && <Alert type="error" showIcon message={faultText(list.error, '列表没有读到')} />}
      {resource.mayList ? (
        <>
          <SearchInput
            aria-label="关键字"
            placeholder="关键字"
            allowClear
            onSearch={(text) => {
              setKeyword(text);
              setPage(1);
            }}
            style={{ width: 260, marginBottom: 8 }}
          />
          <Table
            size="small"
            rowKey={(record) => String(record['id'])}
            loading={list.isFetching}
            dataSource={[...(page?.records ?? [])]}
            columns={[
              {
                key: 'form',
                title: '表单',
                width: 64,
                render: (_, record) => (
                  <button
                    type="button"
                    className="cell-link"
                    disabled={!resource.mayRead}
                    onClick={() => setOpened(String(record['id']))}
                  >
                    查看
                  </button>
                ),
              },
              ...columns.map(({ name, title, field }) => ({
                key: name,
                title,
                ellipsis: true,
                render: (_: unknown, record: ErpRecord) =>
                  fieldText(field, record[name], labelsOf(record)[name], definition?.dictionaries),
              })),
            ]}
            scroll={{ x: columns.reduce((sum, { width }) => sum + width, 64) }}
            pagination={{
              itemRender: pageItem,
              current: currentPage,
              pageSize: pageSize ?? 20,
              total: page?.total ?? 0,
              showSizeChanger: false,
              showTotal: (total) => `此人可见 ${total}${page?.totalIsCapped === true ? '+' : ''} 条`,
              onChange: setPage,
            }}
            locale={{ emptyText: '此人在这里看不到任何记录' }}
          />
        </>
      ) : (
        <Empty description="没有列表权限" />
      )}
      {opened !== null && definition !== undefined && (
        <SeenForm
          person={person}
          role={role}
          definition={definition}
          record={opened}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}
