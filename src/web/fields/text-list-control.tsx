import { Select } from 'antd';
import type { ControlProps } from './field-view.ts';

/** A list of texts: each typed and confirmed with Enter or a comma. */
export function TextListControl({ value, onChange, onBlur, id, isDisabled, isInvalid }: ControlProps) {
  return (
    <Select
      id={id ?? ''}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', '，', '、', ' ']}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(texts: string[]) => onChange(texts.length === 0 ? null : texts)}
      onBlur={() => onBlur?.()}
      disabled={isDisabled === true}
      {...(isInvalid === true ? { status: 'error' as const } : {})}
      style={{ width: '100%' }}
    />
  );
}
