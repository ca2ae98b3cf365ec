import { Input, Select } from 'antd';
import { templateInWords } from '#engine/values/template-words.ts';
import { useId, useRef } from 'react';
import type { ControlProps } from './field-view.ts';
import { useNamedChoices } from './use-named-choices.ts';

/** A text with values of the record in braces: they are put in by name, and the text is shown as people will read it. */
export function TemplateControl(props: ControlProps) {
  const { field, value, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  const words = useNamedChoices(props.place);
  const own = useId();
  const id = props.id ?? own;
  const place = useRef<number | null>(null);
  const put = (word: string): void => {
    const at = Math.min(place.current ?? text.length, text.length);
    const piece = `{${word}}`;
    place.current = at + piece.length;
    onChange(text.slice(0, at) + piece + text.slice(at));
    document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus();
  };
  const shared = {
    id,
    value: text,
    disabled: props.isDisabled === true,
    'aria-invalid': props.isInvalid,
    'aria-describedby': props.describedBy,
    ...(props.isInvalid === true ? { status: 'error' as const } : {}),
    autoComplete: 'off',
    onBlur: (event: { target: HTMLInputElement | HTMLTextAreaElement }) => {
      place.current = event.target.selectionStart;
      props.onBlur?.();
    },
    onChange: (event: { target: { value: string } }) =>
      onChange(event.target.value === '' ? null : event.target.value),
  };
  return (
    <div className="template-control">
      {field.type === 'textarea' ? (
        <Input.TextArea {...shared} autoSize={{ minRows: 2, maxRows: 8 }} />
      ) : (
        <Input {...shared} />
      )}
      {props.isDisabled !== true && (
        <Select<string>
          key={text}
          className="template-insert"
          aria-label={`在${field.title}中插入`}
          placeholder="插入"
          showSearch
          optionFilterProp="label"
          options={words.map((word) => ({ value: word.value, label: word.label }))}
          popupMatchSelectWidth={200}
          onSelect={(word: string) => put(word)}
        />
      )}
      {text !== '' && <p className="template-shown">显示为：{templateInWords(text, words)}</p>}
    </div>
  );
}
