import { Input } from 'antd';
import type { Field } from '#engine/schema/resource.ts';
import { CLEARABLE } from './clearable.tsx';
import type { FieldView, ControlProps, FilterControlProps } from './field-view.ts';
import { ChoiceControl, ChoiceFilter } from './dictionary-view.tsx';
import { TextCell, TextDetail } from './show-text.tsx';
import { NameFilter, NamePicker } from './name-picker.tsx';
import { ParameterControl } from './parameter-control.tsx';
import { TemplateControl } from './template-control.tsx';
import { TextListControl } from './text-list-control.tsx';

function TextControl(props: ControlProps) {
  const { field } = props;
  if (field.options !== undefined) return <ChoiceControl {...props} />;
  if (field.names === 'template') return <TemplateControl {...props} />;
  if (field.names === 'parameter_value') return <ParameterControl {...props} Typed={TypedText} />;
  if (field.names !== undefined && props.place !== undefined) return <NamePicker {...props} />;
  if (field.multiple === true) return <TextListControl {...props} />;
  return <TypedText {...props} />;
}

function TypedText(props: ControlProps) {
  const { value, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  return (
    <Input
      id={props.id}
      value={text}
      // What cannot be entered cannot be scrolled either: a long name is whole on hover.
      {...(props.isDisabled === true && text !== '' ? { title: text } : {})}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      onBlur={props.onBlur}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      // A text that is too long is refused in words: the browser would cut what is pasted.
      autoComplete="off"
    />
  );
}

/** Contains for most, the choices for a closed list. */
function TextFilter(props: FilterControlProps) {
  const { field, value, onChange } = props;
  if (field.options !== undefined) return <ChoiceFilter {...props} />;
  if (field.names !== undefined && !isTyped(field) && props.place !== undefined)
    return <NameFilter {...props} />;
  const operator = field.multiple === true ? 'has' : 'contains';
  const typed = value?.[operator];
  return (
    <Input
      id={props.id}
      allowClear={CLEARABLE}
      value={typeof typed === 'string' ? typed : ''}
      onChange={(event) =>
        onChange(event.target.value === '' ? undefined : { [operator]: event.target.value })
      }
      autoComplete="off"
    />
  );
}

/** Names that stand among what is typed. */
function isTyped({ names }: Field): boolean {
  return names === 'template' || names === 'parameter_value';
}

export const TEXT_VIEW: FieldView = {
  Control: TextControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: TextFilter,
};
