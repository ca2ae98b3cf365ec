import { Input } from 'antd';
import { characterCount } from '#engine/fields/text-value.ts';
import { fieldText } from './field-text.ts';
import type { ControlProps, FieldView, ShowProps } from './field-view.ts';
import { FoldedText } from './folded-text.tsx';
import { TextCell } from './show-text.tsx';
import { TemplateControl } from './template-control.tsx';
import { TEXT_VIEW } from './text-view.tsx';

function TextareaControl(props: ControlProps) {
  const { field, value, onChange } = props;
  if (field.names === 'template') return <TemplateControl {...props} />;
  const max = typeof field.max === 'number' ? field.max : undefined;
  const text = typeof value === 'string' ? value : '';
  return (
    <Input.TextArea
      id={props.id}
      value={text}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      onBlur={props.onBlur}
      // What is only read takes the lines that it has.
      autoSize={{ minRows: props.isDisabled === true ? 1 : 2, maxRows: 12 }}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      // Counted, but never cut: a text that is too long is refused in words.
      {...(max === undefined
        ? {}
        : { count: { max, show: text.length > max * 0.8, strategy: characterCount } })}
    />
  );
}

function TextareaDetail({ field, value, label }: ShowProps) {
  const text = fieldText(field, value, label);
  if (text === '') return <span className="field-empty">—</span>;
  return <FoldedText text={text} />;
}

export const TEXTAREA_VIEW: FieldView = {
  Control: TextareaControl,
  Cell: TextCell,
  Detail: TextareaDetail,
  FilterControl: TEXT_VIEW.FilterControl,
};
