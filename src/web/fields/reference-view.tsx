import { Select } from 'antd';
import { useFieldServices } from './field-services.ts';
import { chosenValues } from './dictionary-view.tsx';
import { fieldText } from './field-text.ts';
import type { ControlProps, FieldView, FilterControlProps, PickedRecord, ShowProps } from './field-view.ts';
import { ReferencePicker } from './reference-picker.tsx';
import { TextCell } from './show-text.tsx';
import { useState } from 'react';
import { useLookup } from './use-lookup.ts';
import { usePickerKeys } from './use-picker-keys.ts';

function ReferenceControl(props: ControlProps) {
  return <ReferencePicker {...props} />;
}

/** A link where a record may be opened, else its text. */
function ReferenceCell(props: ShowProps) {
  const { field, value, label, onOpen } = props;
  if (onOpen === undefined || typeof value !== 'string' || typeof field.to !== 'string')
    return TextCell(props);
  const target = field.to;
  return (
    <button
      type="button"
      className="link-button"
      onClick={(event) => {
        event.stopPropagation();
        onOpen(target, value);
      }}
    >
      {fieldText(field, value, label)}
    </button>
  );
}

/** A link only to what the reader may open; outside the shell nothing is. */
function ReferenceDetail(props: ShowProps) {
  const services = useFieldServices();
  const isEmpty = props.value === null || props.value === undefined || props.value === '';
  if (isEmpty) return <span className="field-empty">—</span>;
  const [target = ''] = typeof props.field.to === 'string' ? props.field.to.split('.') : [];
  return services?.mayRead(target) === true ? <ReferenceCell {...props} /> : <TextCell {...props} />;
}

/** Any of the picked records. Their texts are remembered here, since a filter in the URL has only ids. */
function ReferenceFilter({ field, value, onChange, id, place }: FilterControlProps) {
  const [keyword, setKeyword] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { answer, isLoading } = useLookup(place, keyword, isOpen);
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({});
  const operator = field.multiple === true ? 'hasAny' : 'in';
  const { records } = answer;
  const choose = (ids: readonly string[]): void => {
    const labels = records.map((record): [string, string] => [record.id, record.label]);
    setKnown({ ...known, ...Object.fromEntries(labels) });
    onChange(ids.length === 0 ? undefined : { [operator]: ids });
  };
  const onPickerKey = usePickerKeys({
    isLoading,
    isOpen,
    keyword,
    onArrived: () => {
      const [first] = records;
      if (first === undefined) return;
      setKeyword('');
      choose([...new Set([...chosenValues(value), first.id])]);
    },
  });
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label={field.title}
      mode="multiple"
      allowClear
      showSearch
      filterOption={false}
      maxTagCount="responsive"
      loading={isLoading}
      onOpenChange={setOpen}
      searchValue={keyword}
      onSearch={setKeyword}
      onInputKeyDown={onPickerKey}
      value={[...chosenValues(value)]}
      labelRender={({ value: chosen, label }) => known[String(chosen)] ?? label ?? '已选记录'}
      options={records.map((record) => ({ value: record.id, label: record.label, record }))}
      optionRender={({ data }) => <CandidateText record={data.record} />}
      notFoundContent={isLoading ? '查找中…' : '没有匹配的记录'}
      onChange={choose}
      style={{ width: '100%' }}
    />
  );
}

/** A candidate: its label, and the captions that tell two of the same name apart. */
export function CandidateText({ record }: { readonly record: PickedRecord }) {
  return (
    <div className="candidate">
      <span className="candidate-label">{record.label}</span>
      {record.caption.length > 0 && <span className="candidate-caption">{record.caption.join(' · ')}</span>}
    </div>
  );
}

export const REFERENCE_VIEW: FieldView = {
  Control: ReferenceControl,
  Cell: ReferenceCell,
  Detail: ReferenceDetail,
  FilterControl: ReferenceFilter,
};
