import { ColorPicker, InputNumber } from 'antd';

/** Where something stands or how its text is set. */
export const SIDES = [
  { value: '', label: '不设置' },
  { value: 'left', label: '居左' },
  { value: 'center', label: '居中' },
  { value: 'right', label: '居右' },
] as const;

interface ColourProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A colour, or none. */
export function Colour({ label, value, onChange }: ColourProps) {
  return (
    <span role="group" aria-label={label}>
      <ColorPicker
        allowClear
        disabledAlpha
        showText={() => (value === '' ? '不设置' : value)}
        value={value === '' ? null : value}
        onChange={(colour) => onChange(colour.toRgbString())}
        onClear={() => onChange('')}
      />
    </span>
  );
}

interface PaddingFieldProps {
  readonly id: string;
  /** Pixels; null for none of its own. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

export function PaddingField({ id, value, onChange }: PaddingFieldProps) {
  return (
    <InputNumber
      id={id}
      min={0}
      max={50}
      precision={0}
      addonAfter="px"
      value={value}
      onChange={onChange}
      style={{ width: 110 }}
    />
  );
}
