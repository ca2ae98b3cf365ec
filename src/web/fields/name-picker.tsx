import { Select } from 'antd';
import { useRef, useState } from 'react';
import { chosenValues } from './dictionary-view.tsx';
import type { ControlProps, FieldPlace, FilterControlProps, PickedRecord, ValueLabel } from './field-view.ts';
import { useLookup } from './use-lookup.ts';

/** Picks a name of the definitions (a document, field, action, company, page) by what people call it. */
export function NamePicker(props: ControlProps) {
  const { field, value, onChange, place } = props;
  const list = useNames(place, props);
  const isMultiple = field.multiple === true;
  return (
    <Select
      {...(props.id === undefined ? {} : { id: props.id })}
      {...(isMultiple ? { mode: 'multiple' as const } : {})}
      showSearch
      allowClear
      filterOption={false}
      open={list.isOpen}
      onOpenChange={list.setOpen}
      searchValue={list.keyword}
      onSearch={list.setKeyword}
      loading={list.isLoading}
      value={isMultiple ? (Array.isArray(value) ? value : []) : (value ?? null)}
      labelRender={({ value: name }) => list.textOf(String(name))}
      options={list.options}
      notFoundContent={list.isLoading ? '查找中…' : (list.problem ?? emptyText(props))}
      popupMatchSelectWidth={260}
      placeholder={props.isDisabled === true ? '' : '输入名称或拼音首字母'}
      onChange={(next: unknown) => {
        list.setKeyword('');
        const isEmpty = next === undefined || (Array.isArray(next) && next.length === 0);
        onChange(isEmpty ? null : next, typeof next === 'string' ? list.recordOf(next) : undefined);
      }}
      onBlur={() => {
        list.setKeyword('');
        props.onBlur?.();
      }}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      {...(props.isCell === true ? { autoFocus: true, variant: 'borderless' as const } : {})}
      style={{ width: '100%' }}
    />
  );
}

/** Any of the picked names. */
export function NameFilter({ field, value, onChange, id, place }: FilterControlProps) {
  const list = useNames(place, {});
  const operator = field.multiple === true ? 'hasAny' : 'in';
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label={field.title}
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      filterOption={false}
      open={list.isOpen}
      onOpenChange={list.setOpen}
      searchValue={list.keyword}
      onSearch={list.setKeyword}
      value={[...chosenValues(value)]}
      labelRender={({ value: name }) => list.textOf(String(name))}
      options={list.options}
      notFoundContent={list.isLoading ? '查找中…' : (list.problem ?? '没有可选的内容')}
      popupMatchSelectWidth={260}
      onChange={(next: string[]) => onChange(next.length === 0 ? undefined : { [operator]: next })}
      style={{ width: '100%' }}
    />
  );
}

/** More than there are of any kind. */
const ALL = 200;

/** The candidates while the list is open, and the texts of those that were ever seen or came with the record. */
function useNames(
  place: FieldPlace | undefined,
  shown: { readonly value?: unknown; readonly label?: ValueLabel },
) {
  const [keyword, setKeyword] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { answer, isLoading, problem } = useLookup(place, keyword, isOpen, { pageSize: ALL });
  const seen = useRef(new Map<string, PickedRecord>());
  for (const record of answer.records) seen.current.set(record.id, record);
  return {
    keyword,
    setKeyword,
    isOpen,
    setOpen,
    isLoading,
    problem,
    options: answer.records.map(({ id, label }) => ({ value: id, label })),
    recordOf: (name: string) => seen.current.get(name),
    textOf: (name: string): string => seen.current.get(name)?.label ?? labelOf(name, shown) ?? name,
  };
}

/** The text that came with the record for one of its names. */
function labelOf(
  name: string,
  { value, label }: { readonly value?: unknown; readonly label?: ValueLabel },
): string | undefined {
  if (Array.isArray(value)) return Array.isArray(label) ? label[value.indexOf(name)] : undefined;
  return typeof label === 'string' && value === name ? label : undefined;
}

function emptyText({ field, place }: ControlProps): string {
  const record = place?.readRecord() ?? {};
  const isOfResource = ['field', 'action', 'operation'].includes(field.names ?? '');
  const head = typeof record['parent'] === 'object' ? record['parent'] : record;
  const isNamed = head !== null && Boolean(Reflect.get(head, 'resource'));
  return isOfResource && !isNamed ? '请先选择单据' : '没有可选的内容';
}
