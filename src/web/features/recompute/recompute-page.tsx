import './recompute.css';
import { Alert, App, Button, Progress, Select, Table } from 'antd';
import { useState } from 'react';
import type { RecomputedStretch } from '#contract/recompute.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { useOpenRecord } from '#web/data/open-record.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { scalarText } from '#web/fields/field-text.ts';
import { computedNames } from './computed-names.ts';
import { useRecompute } from './use-recompute.ts';

/** Formulas that were worded otherwise: what would change in the records of a resource, and doing it, audited. */
export function RecomputePage() {
  const { modal } = App.useApp();
  const open = useOpenRecord();
  const entries = useResourceList().filter(({ kind }) => !['ledger', 'log', 'view'].includes(kind));
  const [resource, setResource] = useState<string | null>(null);
  const [fields, setFields] = useState<readonly string[]>([]);
  const run = useRecompute();
  const entry = entries.find((one) => one.resource === resource);
  const { result } = run;
  const ask = (): void => {
    if (entry === undefined) return;
    void modal.confirm({
      title: `重新计算${entry.title}`,
      content: `${result?.changed ?? 0} 条记录将被改写并记入操作日志；正在编辑这些记录的人须刷新。`,
      okText: '执行',
      cancelText: '取消',
      onOk: () => void run.start({ resource: entry.resource, fields, apply: true }),
    });
  };
  const choose = (key: string): void => {
    setResource(key);
    setFields([]);
    run.clear();
  };
  return (
    <article className="recompute-page">
      <h1>重新计算</h1>
      <p>
        公式或自动取值的定义改过之后，已有的记录仍是原来的结果。先查看会改变什么，再执行；已冻结的数值不变。
      </p>
      <div className="recompute-bar">
        <Select
          aria-label="单据或资料"
          placeholder="选择单据或资料"
          showSearch
          optionFilterProp="label"
          value={resource}
          disabled={run.isRunning}
          options={entries.map(({ resource: value, title }) => ({ value, label: title }))}
          onChange={choose}
        />
        {resource !== null && (
          <FieldChoice
            resource={resource}
            value={fields}
            isDisabled={run.isRunning}
            onChange={(next) => {
              setFields(next);
              run.clear();
            }}
          />
        )}
        <Button
          type="primary"
          disabled={entry === undefined}
          loading={run.isRunning}
          onClick={() => void run.start({ resource: resource ?? '', fields, apply: false })}
        >
          查看变化
        </Button>
        {run.isRunning && <Button onClick={run.stop}>停止</Button>}
        {!run.isRunning && result !== null && !result.isApplied && result.changed > 0 && (
          <Button danger onClick={ask}>
            执行
          </Button>
        )}
      </div>
      {run.fault !== null && <Alert type="error" showIcon message={run.fault} />}
      {run.isRunning && <Progress percent={100} status="active" showInfo={false} aria-label="正在重新计算" />}
      {result !== null && entry !== undefined && (
        <>
          <p role="status">
            已看 {result.looked} 条，{result.isApplied ? '改写' : '会改变'} {result.changed} 条
            {result.refused.length > 0 && `，${result.refused.length} 条因规则保持原样`}
            {result.isApplied && !run.isRunning && '，已记入各记录的修改历史'}
          </p>
          <Changes result={result} onOpen={(id) => open.byResource(entry.resource, id)} />
        </>
      )}
    </article>
  );
}

interface FieldChoiceProps {
  readonly resource: string;
  readonly value: readonly string[];
  readonly isDisabled: boolean;
  readonly onChange: (fields: readonly string[]) => void;
}

/** Computed fields; none chosen means all. */
function FieldChoice({ resource, value, isDisabled, onChange }: FieldChoiceProps) {
  const definition = usePageResource(resource).resource;
  const names = definition === null ? [] : computedNames(definition);
  return (
    <Select
      aria-label="字段"
      mode="multiple"
      allowClear
      placeholder="全部计算字段"
      optionFilterProp="label"
      className="recompute-fields"
      disabled={isDisabled}
      value={[...value]}
      options={names.map(({ name, title }) => ({ value: name, label: title }))}
      onChange={(next: string[]) => onChange(next)}
    />
  );
}

type Result = Pick<RecomputedStretch, 'first' | 'refused'>;

function Changes({ result, onOpen }: { readonly result: Result; readonly onOpen: (id: string) => void }) {
  const rows = [
    ...result.first.flatMap(({ id, label, changes }) =>
      changes.map((change) => ({ key: `${id}.${change.field}`, id, label, ...change, refused: '' })),
    ),
    ...result.refused.map(({ id, label, message }) => ({
      key: `refused.${id}`,
      id,
      label,
      title: '',
      old: null,
      new: null,
      refused: message,
    })),
  ];
  return (
    <Table
      size="small"
      rowKey="key"
      dataSource={rows}
      scroll={{ x: 'max-content' }}
      pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true, itemRender: pageItem }}
      locale={{ emptyText: '没有会改变的记录' }}
      columns={[
        {
          title: '记录',
          key: 'label',
          render: (_, { id, label }) => (
            <button type="button" className="cell-link" onClick={() => onOpen(id)}>
              {label === '' ? id : label}
            </button>
          ),
        },
        { title: '字段', dataIndex: 'title' },
        { title: '现在', key: 'old', render: (_, row) => shown(row.old) },
        {
          title: '重新计算后',
          key: 'new',
          render: (_, row) => (row.refused === '' ? shown(row.new) : row.refused),
        },
      ]}
    />
  );
}

function shown(value: unknown): string {
  return scalarText(value) || (value === null || value === undefined ? '空' : JSON.stringify(value));
}
