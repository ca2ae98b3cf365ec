import { Input } from 'antd';
import { useState } from 'react';
import { EmptyFilter } from './empty-filter.tsx';
import type { ControlProps, FieldView, ShowProps } from './field-view.ts';
import { FilterBuilder } from './filter-builder.tsx';
import { isFilterShape } from '#engine/fields/json.ts';
import { TextCell } from './show-text.tsx';
import { useSpokenOfResource } from './spoken-of-resource.ts';

function JsonControl(props: ControlProps) {
  return props.field.json === 'filter' ? <FilterControl {...props} /> : <TextJsonControl {...props} />;
}

function FilterControl(props: ControlProps) {
  const { resource } = useSpokenOfResource(props.field, props.place);
  const { value } = props;
  if (value !== null && value !== undefined && !isFilterShape(value)) return <TextJsonControl {...props} />;
  return (
    <FilterBuilder
      value={isFilter(value) ? value : {}}
      resource={resource}
      isDisabled={props.isDisabled === true}
      onChange={(filter) => props.onChange(Object.keys(filter).length === 0 ? null : filter)}
    />
  );
}

/** JSON as text. Text that does not parse stays in the box and goes on as text, which the field's check refuses. */
function TextJsonControl(props: ControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input.TextArea
      id={props.id}
      className="field-code"
      value={typed ?? jsonText(props.value)}
      autoSize={{ minRows: 3, maxRows: 16 }}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      {...(props.isInvalid === true || (typed !== null && isBroken(typed))
        ? { status: 'error' as const }
        : {})}
      spellCheck={false}
      onChange={(event) => {
        setTyped(event.target.value);
        props.onChange(parseTyped(event.target.value));
      }}
      onBlur={() => {
        if (typed !== null && !isBroken(typed)) setTyped(null);
        props.onBlur?.();
      }}
    />
  );
}

function JsonDetail({ value, label }: ShowProps) {
  if (value === null || value === undefined) return <span className="field-empty">—</span>;
  if (typeof label === 'string' && label !== '') return <span className="field-text">{label}</span>;
  return <pre className="field-code">{jsonText(value)}</pre>;
}

function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function parseTyped(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isBroken(text: string): boolean {
  return text.trim() !== '' && typeof parseTyped(text) === 'string';
}

function isFilter(value: unknown): value is Readonly<Record<string, never>> {
  return isFilterShape(value);
}

export const JSON_VIEW: FieldView = {
  Control: JsonControl,
  Cell: TextCell,
  Detail: JsonDetail,
  FilterControl: EmptyFilter,
};
