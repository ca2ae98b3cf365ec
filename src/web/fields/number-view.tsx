import { Input } from 'antd';
import { useState } from 'react';
import type { FilterValue } from '#engine/schema/definition.ts';
import type { ControlProps, FieldView, FilterControlProps } from './field-view.ts';
import { selectForTyping } from './select-for-typing.ts';
import { NameFilter, NamePicker } from './name-picker.tsx';
import { shownNumber } from '#engine/values/shown-number.ts';
import { editedNumber, typedDecimal, typedInteger } from './number-text.ts';
import { TextCell, TextDetail } from './show-text.tsx';

function NumberControl(props: ControlProps) {
  return props.field.names !== undefined && props.place !== undefined ? (
    <NamedNumber {...props} />
  ) : (
    <TypedNumber {...props} />
  );
}

/** A number that stands for something with a name: it is picked by that. */
function NamedNumber({ value, onChange, ...props }: ControlProps) {
  return (
    <NamePicker
      {...props}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(next) => onChange(typeof next === 'string' ? typedInteger(next) : null)}
    />
  );
}

/**
 * A number as text: digits while it has the focus, thousands separators otherwise. The typed text is kept while
 * typing, so that "1." does not jump to "1"; what leaves is decimal text, or a JSON number for integers.
 */
function TypedNumber(props: ControlProps) {
  const { field, value, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const unit = field.type === 'percent' ? '%' : props.currency;
  // A dash is not a dash of anything.
  const suffix = props.isDisabled === true && shownNumber(value, field) === '' ? undefined : unit;
  const change = (text: string): void => {
    setTyped(text);
    onChange(field.type === 'integer' ? typedInteger(text) : typedDecimal(text));
  };
  return (
    <Input
      id={props.id}
      className="field-number"
      inputMode="decimal"
      value={typed ?? shownNumber(value, field, props.currency)}
      onFocus={(event) => {
        setTyped(editedNumber(value));
        selectForTyping(event.target, editedNumber(value));
      }}
      onChange={(event) => change(event.target.value)}
      onBlur={() => {
        setTyped(null);
        props.onBlur?.();
      }}
      disabled={props.isDisabled === true}
      {...(props.isDisabled === true ? { placeholder: '—' } : {})}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      {...(suffix === undefined ? {} : { suffix: <span className="field-suffix">{suffix}</span> })}
      autoComplete="off"
    />
  );
}

/** From and to; either may stay open. */
function NumberFilter(props: FilterControlProps) {
  const isNamed = props.field.names !== undefined && props.place !== undefined;
  return isNamed ? <NameFilter {...props} /> : <RangeFilter {...props} />;
}

function RangeFilter({ field, value, onChange, id }: FilterControlProps) {
  const [from, to] = rangeOf(value);
  const change = (next: readonly [string | null, string | null]): void => onChange(rangeFilter(next));
  return (
    <Input.Group compact style={{ display: 'flex' }}>
      <RangeEnd
        id={id}
        placeholder="从"
        label={`${field.title}从`}
        value={from}
        onChange={(next) => change([next, to])}
      />
      <RangeEnd
        placeholder="到"
        label={`${field.title}到`}
        value={to}
        onChange={(next) => change([from, next])}
      />
    </Input.Group>
  );
}

interface RangeEndProps {
  readonly id?: string | undefined;
  readonly placeholder: string;
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** What is typed stays as it is while it is typed: "1." is on the way to "1.5", and an input method is not disturbed. */
function RangeEnd({ id, placeholder, label, value, onChange }: RangeEndProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      {...(id === undefined ? {} : { id })}
      inputMode="decimal"
      placeholder={placeholder}
      aria-label={label}
      value={typed ?? value ?? ''}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(typedDecimal(event.target.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

type Range = readonly [string | null, string | null];

/** The two ends of a comparison by `between`, `gte` and `lte`. */
export function rangeOf(value: { readonly [op: string]: FilterValue | undefined } | undefined): Range {
  const between = value?.['between'];
  if (Array.isArray(between)) return [textOf(between[0]), textOf(between[1])];
  return [textOf(value?.['gte']), textOf(value?.['lte'])];
}

/** The comparison of a range; undefined when both ends are open. */
export function rangeFilter([from, to]: Range) {
  if (from !== null && to !== null) return { between: [from, to] };
  if (from !== null) return { gte: from };
  return to === null ? undefined : { lte: to };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

export const NUMBER_VIEW: FieldView = {
  Control: NumberControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: NumberFilter,
};
