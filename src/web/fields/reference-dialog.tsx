import { Button, type InputRef, Modal, Table } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { useFieldServices } from './field-services.ts';
import type { FieldPlace, PickedRecord } from './field-view.ts';
import { useLookup } from './use-lookup.ts';
import { SearchInput } from './search-input.tsx';

interface ReferenceDialogProps {
  readonly field: Field;
  readonly place: FieldPlace;
  readonly onPick: (records: readonly PickedRecord[]) => void;
  readonly onClose: () => void;
}

const PAGE_SIZE = 20;

/** The candidates as a table: keyword, pages, arrows and Enter; several at once where the field takes a list. */
export function ReferenceDialog({ field, place, onPick, onClose }: ReferenceDialogProps) {
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState(1);
  const [active, setActive] = useState(0);
  const [chosen, setChosen] = useState<ReadonlyMap<string, PickedRecord>>(new Map());
  const { answer, isLoading, problem } = useLookup(place, keyword, true, { currentPage: page });
  const titles = useTargetTitles(field);
  const isMultiple = field.multiple === true;
  const { records } = answer;
  const search = useRef<InputRef>(null);
  useEffect(() => setActive(0), [records]);

  const confirm = (): void => {
    // What stands there still is of an earlier text.
    if (isLoading && chosen.size === 0) return;
    const one = records[active];
    if (isMultiple && chosen.size > 0) onPick([...chosen.values()]);
    else if (one !== undefined) onPick([one]);
  };
  const columns = useMemo(
    () => [{ title: titles[0] ?? '名称', dataIndex: 'label' }, ...captionColumns(records, titles.slice(1))],
    [records, titles],
  );
  return (
    <Modal
      open
      title={`选择${field.title}`}
      width={820}
      onCancel={onClose}
      // The window takes the focus while it opens; the keyword box gets it afterwards.
      afterOpenChange={() => search.current?.focus()}
      footer={
        <>
          <span className="field-hint picker-keys">↑↓ 移动，Enter 选中，Esc 关闭</span>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" onClick={confirm} disabled={records.length === 0 || isLoading}>
            确定{isMultiple && chosen.size > 0 ? `（${chosen.size}）` : ''}
          </Button>
        </>
      }
    >
      <div
        role="presentation"
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step !== 0) {
            event.preventDefault();
            setActive(Math.max(0, Math.min(records.length - 1, active + step)));
          } else if (event.key === 'Enter') {
            event.preventDefault();
            confirm();
          }
        }}
      >
        <SearchInput
          ref={search}
          autoFocus
          allowClear
          placeholder="编号、名称或拼音"
          value={keyword}
          onChange={(event) => {
            setKeyword(event.target.value);
            setPage(1);
          }}
        />
        <Table<PickedRecord>
          size="small"
          rowKey="id"
          loading={isLoading}
          dataSource={[...records]}
          columns={columns}
          style={{ marginTop: 8 }}
          scroll={{ y: 420 }}
          locale={{ emptyText: problem ?? '没有可选的记录' }}
          rowClassName={(_, index) => (index === active ? 'picker-active-row' : '')}
          onRow={(record, index) => ({
            onClick: () => setActive(index ?? 0),
            onDoubleClick: () => onPick([record]),
          })}
          {...(isMultiple
            ? {
                rowSelection: {
                  selectedRowKeys: [...chosen.keys()],
                  preserveSelectedRowKeys: true,
                  onChange: (_: unknown, rows: (PickedRecord | undefined)[]) =>
                    setChosen(new Map(rows.filter((row) => row !== undefined).map((row) => [row.id, row]))),
                },
              }
            : {})}
          pagination={{
            itemRender: pageItem,
            current: page,
            pageSize: PAGE_SIZE,
            total: answer.total,
            showSizeChanger: false,
            showLessItems: true,
            showTotal: (total) => `共 ${total} 条`,
            onChange: setPage,
          }}
        />
      </div>
    </Modal>
  );
}

function captionColumns(records: readonly PickedRecord[], titles: readonly string[]) {
  const count = Math.max(titles.length, 0, ...records.map((record) => record.caption.length));
  return Array.from({ length: count }, (_, index) => ({
    title: titles[index] ?? '',
    key: `caption${index}`,
    render: (_: unknown, record: PickedRecord) => record.caption[index] ?? '',
  }));
}

/** Titles of the target's label and captions, where the role may see its definition. */
function useTargetTitles(field: Field): readonly string[] {
  const services = useFieldServices();
  const [titles, setTitles] = useState<readonly string[]>([]);
  const target = typeof field.to === 'string' ? field.to : null;
  useEffect(() => {
    if (services === null || target === null || target.includes('.')) return undefined;
    let isGone = false;
    services.resource(target).then(
      (resource) => {
        if (!isGone && resource !== null) setTitles(titlesOf(resource));
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [services, target]);
  return titles;
}

function titlesOf(resource: Resource): readonly string[] {
  return [resource.label, ...resource.caption].map((name) => resource.fields[name]?.title ?? '');
}
