import { Alert, Button, Select } from 'antd';
import { useState } from 'react';
import type { ImportPreview } from '#contract/transfer.ts';
import { matchesTyped } from '#engine/search/typed-pinyin.ts';
import type { ColumnChoice } from './import-choice.ts';
import './import-columns.css';

export interface ImportColumnsProps {
  readonly preview: ImportPreview;
  readonly isBusy: boolean;
  readonly onChoose: (choice: ColumnChoice) => void;
}

/** Which column of the file fills which field: shown when a title is not known, opened otherwise; kept for files of the same titles. */
export function ImportColumns({ preview, isBusy, onChoose }: ImportColumnsProps) {
  const { columns, fields, ignored } = preview;
  const isAsked = columns.every(({ field }) => field === null);
  const [isOpen, setOpen] = useState(isAsked);
  const [choice, setChoice] = useState<ColumnChoice>({});
  const named = columns.flatMap((column, place) => (column.title === '' ? [] : [{ ...column, place }]));
  const own = Object.fromEntries(named.map(({ place, field }): [number, string] => [place, field ?? '']));
  if (!isOpen)
    return (
      <p>
        {ignored.length > 0 && `未识别的列：${ignored.join('、')}，不会导入。`}
        <Button type="link" size="small" onClick={() => setOpen(true)}>
          列与字段的对应
        </Button>
      </p>
    );
  const options = fields.map(({ name, title }) => ({ value: name, label: title }));
  return (
    <div className="import-columns">
      {isAsked && (
        <Alert
          type="info"
          showIcon
          message="没有认出表头，请指定各列对应的字段；同样表头的文件以后自动套用。"
        />
      )}
      <ul>
        {named.map(({ title, place }) => (
          <li key={place}>
            <span title={title}>{title}</span>
            <Select
              aria-label={`列“${title}”对应的字段`}
              showSearch
              allowClear
              placeholder="不导入"
              size="small"
              value={(choice[place] ?? own[place]) || null}
              options={options}
              filterOption={(typed, option) => matchesTyped(String(option?.label), typed)}
              onChange={(next: string | null | undefined) => setChoice({ ...choice, [place]: next ?? '' })}
            />
          </li>
        ))}
      </ul>
      <Button
        type={isAsked ? 'primary' : 'default'}
        loading={isBusy}
        disabled={Object.keys(choice).length === 0}
        onClick={() => onChoose({ ...own, ...choice })}
      >
        按此对应重新检查
      </Button>
    </div>
  );
}
