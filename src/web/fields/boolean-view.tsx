import { Checkbox, Select } from 'antd';
import type { ControlProps, FieldView, FilterControlProps } from './field-view.ts';
import { TextCell, TextDetail } from './show-text.tsx';

function BooleanControl(props: ControlProps) {
  return (
    <Checkbox
      id={props.id ?? ''}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.target.checked)}
      onBlur={() => props.onBlur?.()}
      disabled={props.isDisabled === true}
      aria-label={props.field.title}
      aria-invalid={props.isInvalid}
    >
      {props.isCell === true ? null : '是'}
    </Checkbox>
  );
}

/** No counts empty as no: both are asked for as "not yes". */
function BooleanFilter({ field, value, onChange, id }: FilterControlProps) {
  const chosen = value?.eq === true ? 'yes' : value?.ne === true ? 'no' : undefined;
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label={field.title}
      allowClear
      value={chosen}
      options={[
        { value: 'yes', label: '是' },
        { value: 'no', label: '否' },
      ]}
      onChange={(next: string | undefined) =>
        onChange(next === undefined ? undefined : next === 'yes' ? { eq: true } : { ne: true })
      }
      style={{ width: '100%' }}
    />
  );
}

export const BOOLEAN_VIEW: FieldView = {
  Control: BooleanControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: BooleanFilter,
};
