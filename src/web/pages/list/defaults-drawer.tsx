import { Alert, Button, Drawer, Table, Tag } from 'antd';
import { useContext, useState } from 'react';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { useRead } from '#web/data/use-read.ts';
import { choicesOf, DictionaryContext } from '#web/fields/dictionary-context.ts';
import { labelsOf, labelText, scalarText } from '#web/fields/field-text.ts';
import type { ValueLabel } from '#web/fields/field-view.ts';
import { faultText } from '#web/data/show-fault.ts';
import { SearchInput } from '#web/fields/search-input.tsx';
import { columnName } from '../table/list-column.ts';

interface ShippedDefault {
  readonly place: number;
  readonly values: ErpRecord;
  /** Texts of references and dictionaries by field. */
  readonly labels: Readonly<Record<string, ValueLabel>>;
  /** The row that overrides them, or null. */
  readonly id: string | null;
}

export interface DefaultsDrawerProps {
  readonly resource: Resource;
  readonly mayOverride: boolean;
  readonly onOverride: (initial: ErpRecord) => void;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

const WIDTH_PX = 900;

/** What holds where no row says otherwise: each can be looked at, and overridden by a row that starts as its copy. */
export function DefaultsDrawer(props: DefaultsDrawerProps) {
  const { resource } = props;
  const dictionaries = useContext(DictionaryContext);
  const [text, setText] = useState('');
  const {
    data: shipped,
    error,
    isLoading,
    reload,
  } = useRead(
    'GET /data/:resource/defaults',
    { params: { resource: resource.resource } },
    { key: ['defaults', resource.resource], staleTimeMs: 0 },
  );
  const data = shipped?.map(({ values, labels, id }, place): ShippedDefault => ({
    place,
    values,
    labels: labelsOf({ _labels: labels }),
    id,
  }));
  const textOf = (name: string, { values: row, labels }: ShippedDefault): string => {
    const field = resource.fields[name];
    const label = labelText(labels[name]);
    if (field?.type === 'reference' || label !== '') return label;
    const value = row[name];
    if (value === null || value === undefined) return '';
    if (typeof value === 'boolean') return value ? '是' : '否';
    const choices = field === undefined ? [] : choicesOf(field, dictionaries);
    return choices.find((choice) => choice.value === value)?.label ?? scalarText(value);
  };
  const wanted = text.trim().toLowerCase();
  const first = data?.[0]?.values ?? {};
  const lines = Object.values(resource.fields).filter(
    (field) => field.type === 'lines' && Array.isArray(first[field.name]),
  );
  const columns = resource.list.columns
    .map(columnName)
    .filter((name) => Object.hasOwn(first, name) && resource.fields[name]?.type !== 'lines')
    // What is picked by its name says once more what the default is called.
    .filter((name) => name === resource.label || !isPicked(resource.fields[name]));
  const lineTexts = (row: ErpRecord): string =>
    lines
      .flatMap((field) => {
        const values = row[field.name];
        return Array.isArray(values) ? values.map((line: ErpRecord) => lineText(field, line)) : [];
      })
      .filter((line) => line !== '')
      .join('、');
  const rows = (data ?? []).filter((shipped) =>
    [...columns.map((name) => textOf(name, shipped)), lineTexts(shipped.values)].some((shown) =>
      shown.toLowerCase().includes(wanted),
    ),
  );
  return (
    <Drawer
      open
      width={Math.min(WIDTH_PX, window.innerWidth)}
      title={`系统自带的${resource.title}`}
      onClose={props.onClose}
    >
      {error !== null && (
        <Alert
          type="error"
          showIcon
          message={faultText(error, '没有读到')}
          action={<Button onClick={reload}>重试</Button>}
        />
      )}
      <SearchInput
        allowClear
        placeholder="查找"
        aria-label="查找自带值"
        value={text}
        onChange={(event) => setText(event.target.value)}
        style={{ marginBottom: 10 }}
      />
      <Table<ShippedDefault>
        size="small"
        loading={isLoading}
        rowKey="place"
        dataSource={rows}
        pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true, itemRender: pageItem }}
        locale={{ emptyText: '没有符合条件的自带值' }}
        columns={[
          ...columns.map((name) => ({
            title: resource.fields[name]?.title ?? name,
            render: (_: unknown, shipped: ShippedDefault) => textOf(name, shipped),
          })),
          ...(lines.length === 0
            ? []
            : [
                {
                  title: lines.map((field) => field.title).join('、'),
                  ellipsis: true,
                  width: '40%',
                  render: (_: unknown, { values }: ShippedDefault) => lineTexts(values),
                },
              ]),
          {
            title: '操作',
            width: 120,
            render: (_: unknown, { values, labels, id }: ShippedDefault) => {
              if (id !== null)
                return (
                  <Button type="link" size="small" onClick={() => props.onOpen(id)}>
                    <Tag color="blue">已改动</Tag>打开
                  </Button>
                );
              return props.mayOverride ? (
                <Button
                  type="link"
                  size="small"
                  onClick={() => props.onOverride({ ...values, _labels: labels })}
                >
                  改动
                </Button>
              ) : null;
            },
          },
        ]}
      />
    </Drawer>
  );
}

function isPicked(field: Field | undefined): boolean {
  return field?.names !== undefined && field.names !== 'template';
}

/** A line in words: of a value and its name, the name. */
function lineText(field: Field, line: ErpRecord): string {
  const [value = '', name = ''] = Object.keys(field.fields ?? {});
  return scalarText(line[name]) || scalarText(line[value]);
}
