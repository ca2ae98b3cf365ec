import './pick-dialog.css';
import { Button, type InputRef, Modal, Select, Table } from 'antd';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PickAnswer } from '#contract/pick.ts';
import type { Field } from '#engine/schema/resource.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { SearchInput } from '#web/fields/search-input.tsx';
import type { FormStore } from '../form/form-store.ts';
import { pickColumns } from './pick-columns.tsx';
import { PickFilters } from './pick-filters.tsx';
import { PickSum } from './pick-sum.tsx';
import { takePicked } from './take-picked.ts';
import { type PickAsked, usePickLines } from './use-pick-lines.ts';

export type PickedLine = PickAnswer['records'][number];

interface PickDialogProps {
  readonly store: FormStore;
  readonly field: Field;
  readonly columns: readonly Field[];
  readonly totals: ReadonlySet<string>;
  readonly onClose: () => void;
}

const PAGE_SIZE = 50;
const OWN_KEYS = '.pick-filters, .ant-pagination, .ant-select, button';

/** Open lines of other documents with what is left of them: searched, narrowed, marked by mouse or keys, taken together. */
export function PickDialog({ store, field, columns, totals, onClose }: PickDialogProps) {
  const [asked, setAsked] = useState<PickAsked>({ from: null, keyword: '', filters: null, page: 1 });
  const [active, setActive] = useState(0);
  const [chosen, setChosen] = useState<ReadonlyMap<string, PickedLine>>(new Map());
  const { answer, isLoading, problem } = usePickLines(store, field.name, asked);
  const search = useRef<InputRef>(null);
  const { records } = answer;
  useEffect(() => setActive(0), [records]);
  const source = answer.sources.find(({ name }) => name === answer.from);

  const toggle = (line: PickedLine | undefined): void => {
    if (line === undefined) return;
    const next = new Map(chosen);
    if (!next.delete(line.id)) next.set(line.id, line);
    setChosen(next);
  };
  const take = (): void => {
    if (chosen.size === 0) return;
    takePicked(store, field.name, { lines: [...chosen.values()], filters: answer.filters });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.nativeEvent.isComposing || (step === 0 && event.key !== 'Enter')) return;
    // Buttons, pages and filters have keys of their own.
    if (event.target instanceof HTMLElement && event.target.closest(OWN_KEYS) !== null) return;
    event.preventDefault();
    if (step !== 0) setActive(Math.max(0, Math.min(records.length - 1, active + step)));
    else if (event.ctrlKey || event.metaKey) take();
    else toggle(records[active]);
  };
  const change = (next: Partial<PickAsked>): void => setAsked({ ...asked, page: 1, ...next });
  return (
    <Modal
      open
      title={source === undefined ? `选取${field.title}` : `从${source.title}选取${field.title}`}
      width={1080}
      className="pick-dialog"
      onCancel={onClose}
      // The window takes the focus while it opens; the keyword box gets it afterwards.
      afterOpenChange={(isOpen) => isOpen && search.current?.focus()}
      footer={
        <div className="pick-foot">
          <PickSum lines={[...chosen.values()]} columns={columns} totals={totals} />
          <span className="field-hint picker-keys">↑↓ 移动，Enter 勾选，Ctrl+Enter 带入</span>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" onClick={take} disabled={chosen.size === 0}>
            带入{chosen.size > 0 ? ` ${chosen.size} 行` : ''}
          </Button>
        </div>
      }
    >
      <div role="presentation" onKeyDown={onKeyDown}>
        <div className="pick-bar">
          {answer.sources.length > 1 && (
            <Select
              aria-label="来源"
              value={answer.from ?? ''}
              options={answer.sources.map(({ name, title }) => ({ value: name, label: title }))}
              onChange={(from: string) => {
                setChosen(new Map());
                change({ from, filters: null });
              }}
            />
          )}
          <SearchInput
            ref={search}
            autoFocus
            allowClear
            aria-label="查找"
            placeholder="单号、名称、品名"
            value={asked.keyword}
            onChange={(event) => change({ keyword: event.target.value })}
          />
        </div>
        <PickFilters
          store={store}
          filters={answer.filters}
          given={asked.filters}
          onChange={(filters) => change({ filters })}
        />
        <Table<PickedLine>
          size="small"
          rowKey="id"
          loading={isLoading}
          dataSource={[...records]}
          columns={pickColumns(records, {
            columns,
            source: source?.resource ?? '',
            title: source?.title ?? '',
          })}
          scroll={{ x: 'max-content', y: 'min(46vh, 420px)' }}
          locale={{ emptyText: problem ?? '没有可选取的明细' }}
          rowClassName={(_, index) => (index === active ? 'picker-active-row' : '')}
          onRow={(record, index) => ({
            onClick: () => {
              setActive(index ?? 0);
              toggle(record);
            },
          })}
          rowSelection={{
            selectedRowKeys: [...chosen.keys()],
            preserveSelectedRowKeys: true,
            onChange: (_, rows: (PickedLine | undefined)[]) =>
              setChosen(new Map(rows.filter((row) => row !== undefined).map((row) => [row.id, row]))),
            getCheckboxProps: (row) => ({ name: `选取 ${row.source.label}` }),
          }}
          pagination={{
            itemRender: pageItem,
            current: asked.page,
            pageSize: PAGE_SIZE,
            total: answer.total,
            showSizeChanger: false,
            showLessItems: true,
            showTotal: (total) => `共 ${total} 行`,
            onChange: (page) => setAsked({ ...asked, page }),
          }}
        />
      </div>
    </Modal>
  );
}
