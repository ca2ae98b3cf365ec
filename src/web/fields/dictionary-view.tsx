import { Select } from 'antd';
import { useContext } from 'react';
import type { FilterValue } from '#engine/schema/definition.ts';
import { matchesTyped } from '#engine/search/typed-pinyin.ts';
import { type Choice, DictionaryContext, useChoices } from './dictionary-context.ts';
import { fieldText } from './field-text.ts';
import type { ControlProps, FieldView, FilterControlProps, ShowProps } from './field-view.ts';

/** Search by label or value; the value is shown too where people know it better than the label (USD, FOB). */
export function ChoiceControl(props: ControlProps) {
  const { field, value, onChange } = props;
  const choices = useChoices(field);
  const isMultiple = field.multiple === true;
  return (
    <Select
      {...(props.id === undefined ? {} : { id: props.id })}
      {...(isMultiple ? { mode: 'multiple' as const } : {})}
      showSearch
      allowClear
      value={isMultiple ? (Array.isArray(value) ? value : []) : (value ?? null)}
      options={shownChoices(choices, value, props)}
      filterOption={matchesChoice}
      optionRender={({ data }) => <ChoiceText value={data.value} label={data.label} />}
      onChange={(next: unknown) => onChange(emptied(next))}
      onBlur={() => props.onBlur?.()}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      {...(props.isCell === true
        ? { autoFocus: true, defaultOpen: props.isClicked === true, variant: 'borderless' as const }
        : {})}
      popupMatchSelectWidth={false}
      placeholder={props.isDisabled === true ? '—' : '请选择'}
      style={{ width: '100%' }}
    />
  );
}

/** Any of the chosen values. */
export function ChoiceFilter({ field, value, onChange, id }: FilterControlProps) {
  const choices = useChoices(field);
  const operator = field.multiple === true ? 'hasAny' : 'in';
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label={field.title}
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      value={[...chosenValues(value)]}
      options={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
      filterOption={matchesChoice}
      optionRender={({ data }) => <ChoiceText value={data.value} label={data.label} />}
      onChange={(next: string[]) => onChange(next.length === 0 ? undefined : { [operator]: next })}
      style={{ width: '100%' }}
    />
  );
}

function DictionaryCell({ field, value, label }: ShowProps) {
  const dictionaries = useContext(DictionaryContext);
  return fieldText(field, value, label, dictionaries);
}

function DictionaryDetail(props: ShowProps) {
  const text = DictionaryCell(props);
  return text === '' ? <span className="field-empty">—</span> : <span className="field-text">{text}</span>;
}

/** The values of a comparison by `in`, `hasAny`, `has` or `eq`. */
export function chosenValues(comparison: { readonly [op: string]: FilterValue | undefined } | undefined) {
  const value =
    comparison?.['in'] ?? comparison?.['hasAny'] ?? comparison?.['eq'] ?? comparison?.['has'] ?? [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string');
}

/** A short code stands before its label, since that is what people type. */
function ChoiceText({ value, label }: { readonly value: unknown; readonly label: unknown }) {
  const isCode =
    typeof value === 'string' && /^[A-Z0-9]{1,8}$/.test(value) && !String(label).startsWith(value);
  return (
    <>
      {isCode && <span className="choice-code">{value}</span>}
      {String(label)}
    </>
  );
}

/** The choices, with a disabled or vanished value kept readable while a record still has it. */
function shownChoices(choices: readonly Choice[], value: unknown, { field, label }: ControlProps) {
  const known = new Set(choices.map((choice) => choice.value));
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const unknown = values.filter((item) => typeof item === 'string' && item !== '' && !known.has(item));
  return [
    ...choices
      .filter((choice) => !choice.isDisabled || values.includes(choice.value))
      .map((choice) => ({ value: choice.value, label: choice.label, disabled: choice.isDisabled })),
    ...unknown.map((item) => ({
      value: String(item),
      label: fieldText(field, item, typeof label === 'string' ? label : null),
      disabled: true,
    })),
  ];
}

function matchesChoice(input: string, option: { value?: unknown; label?: unknown } | undefined): boolean {
  return matchesTyped(`${String(option?.value)} ${String(option?.label)}`, input);
}

function emptied(next: unknown): unknown {
  return next === undefined || (Array.isArray(next) && next.length === 0) ? null : next;
}

export const DICTIONARY_VIEW: FieldView = {
  Control: ChoiceControl,
  Cell: DictionaryCell,
  Detail: DictionaryDetail,
  FilterControl: ChoiceFilter,
};
