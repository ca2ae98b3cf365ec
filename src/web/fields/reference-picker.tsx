import { SYSTEM_ID } from '#engine/filter/read-context.ts';
import { ExportOutlined, TableOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useRef, useState } from 'react';
import { AWAITED, fieldText } from './field-text.ts';
import { useFieldServices } from './field-services.ts';
import type { ControlProps, PickedRecord } from './field-view.ts';
import { ReferenceDialog } from './reference-dialog.tsx';
import { CandidateText } from './reference-view.tsx';
import { usePickerKeys } from './use-picker-keys.ts';
import { useLookup } from './use-lookup.ts';

/**
 * Searches as one types (number, name, pinyin initials); F4 or the button opens a table of the candidates. Picking
 * hands over the record, from which the form fills what the schema says.
 */
export function ReferencePicker(props: ControlProps) {
  const { field, value, onChange, place, isCell } = props;
  const services = useFieldServices();
  const [keyword, setKeyword] = useState('');
  const [isOpen, setOpen] = useState(isCell === true && props.isClicked === true);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const awaited = props.isDisabled === true ? null : (place?.awaits?.() ?? null);
  const { answer, isLoading, problem } = useLookup(place, keyword, isOpen && awaited === null);
  const picked = useRef(new Map<string, PickedRecord>());
  for (const record of answer.records) picked.current.set(record.id, record);
  const isMultiple = field.multiple === true;
  const target = typeof field.to === 'string' ? field.to.split('.')[0] : undefined;

  const openDialog = (): void => {
    if (awaited !== null) return;
    setOpen(false);
    setDialogOpen(true);
  };
  const pickSingle = (record: PickedRecord | null): void => onChange(record?.id ?? null, record);
  const pickMany = (ids: readonly string[]): void => {
    const records = ids.map((id) => picked.current.get(id)).filter((record) => record !== undefined);
    onChange(ids.length === 0 ? null : ids, records);
  };
  const { records } = answer;
  const onPickerKey = usePickerKeys({
    isLoading,
    isOpen,
    keyword,
    onArrived: () => {
      const [first] = records;
      if (first === undefined) return;
      setKeyword('');
      if (!isMultiple) setOpen(false);
      const kept = Array.isArray(value) ? value.map(String) : [];
      if (isMultiple) pickMany([...new Set([...kept, first.id])]);
      else pickSingle(first);
    },
  });
  const textOf = (id: string): string => {
    const known = picked.current.get(id)?.label ?? labelOf(id, props);
    if (known !== undefined) return known;
    // An id says nothing: its text is on the way.
    return id === SYSTEM_ID ? fieldText(field, id) : AWAITED;
  };

  return (
    <div className={isCell === true ? 'reference-picker is-cell' : 'reference-picker'}>
      <Select
        {...(props.id === undefined ? {} : { id: props.id })}
        {...(isMultiple ? { mode: 'multiple' as const } : {})}
        showSearch
        allowClear
        autoFocus={isCell === true}
        open={isOpen && !isDialogOpen}
        onOpenChange={setOpen}
        filterOption={false}
        searchValue={keyword}
        onSearch={setKeyword}
        loading={isLoading}
        disabled={props.isDisabled === true}
        aria-invalid={props.isInvalid}
        {...(props.isInvalid === true ? { status: 'error' as const } : {})}
        {...(isCell === true ? { variant: 'borderless' as const } : {})}
        placeholder={
          props.isDisabled === true ? '—' : awaited === null ? '编号、名称、拼音' : `请先选择${awaited}`
        }
        value={isMultiple ? (Array.isArray(value) ? value : []) : (value ?? null)}
        labelRender={({ value: id }) => textOf(String(id))}
        options={(awaited === null ? records : []).map((record) => ({
          value: record.id,
          label: record.label,
          record,
        }))}
        optionRender={({ data }) => <CandidateText record={data.record} />}
        notFoundContent={
          awaited === null ? (problem ?? (isLoading ? '查找中…' : noneText(place))) : `请先选择${awaited}`
        }
        popupMatchSelectWidth={360}
        onChange={(next: unknown) => {
          setKeyword('');
          if (Array.isArray(next)) pickMany(next.map(String));
          else pickSingle(typeof next === 'string' ? (picked.current.get(next) ?? null) : null);
        }}
        onInputKeyDown={(event) => {
          if (event.key !== 'F4') return onPickerKey(event);
          event.preventDefault();
          return openDialog();
        }}
        onBlur={() => {
          setKeyword('');
          if (!isDialogOpen) props.onBlur?.();
        }}
        style={{ width: '100%' }}
      />
      {props.isDisabled !== true && (
        <button
          type="button"
          className="picker-button"
          tabIndex={-1}
          disabled={awaited !== null}
          title={awaited === null ? '打开选择表（F4）' : `请先选择${awaited}`}
          aria-label={`从表中选择${field.title}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={openDialog}
        >
          <TableOutlined />
        </button>
      )}
      {isCell !== true && typeof value === 'string' && target !== undefined && services !== null && (
        <button
          type="button"
          className="picker-button"
          tabIndex={-1}
          title="在新标签打开"
          aria-label={`打开${field.title}`}
          onClick={() => services.openRecord(target, value)}
        >
          <ExportOutlined />
        </button>
      )}
      {isDialogOpen && place !== undefined && (
        <ReferenceDialog
          field={field}
          place={place}
          onClose={() => {
            setDialogOpen(false);
            props.onBlur?.();
          }}
          onPick={(records) => {
            setDialogOpen(false);
            for (const record of records) picked.current.set(record.id, record);
            const kept = isMultiple && Array.isArray(value) ? value.map(String) : [];
            if (isMultiple) pickMany([...new Set([...kept, ...records.map((record) => record.id)])]);
            else pickSingle(records[0] ?? null);
          }}
        />
      )}
    </div>
  );
}

/** The text that came with the record for one of its ids. */
/** Why there is nothing to choose from, as far as it can be said. */
function noneText(place: ControlProps['place']): string {
  const missing = place?.narrowedBy?.() ?? null;
  return missing === null ? '没有可选的记录' : `没有可选的记录，尚未选择${missing}`;
}

function labelOf(id: string, { value, label }: ControlProps): string | undefined {
  if (Array.isArray(value)) return Array.isArray(label) ? label[value.indexOf(id)] : undefined;
  return typeof label === 'string' && value === id ? label : undefined;
}
