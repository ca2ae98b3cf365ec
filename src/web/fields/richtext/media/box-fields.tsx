import { LinkOutlined } from '@ant-design/icons';
import { Button, ColorPicker, InputNumber, Radio } from 'antd';
import type { ReactNode } from 'react';
import { type BoxAlign, type BoxLayout, otherSide } from './box-layout.ts';

/** A label and its field in a row of a dialog. */
export function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="media-row">
      <span className="media-label">{label}</span>
      <div className="media-fields">{children}</div>
    </div>
  );
}

interface SizeFieldsProps {
  readonly width: number | null;
  readonly height: number | null;
  /** The size of the thing itself: what is meant when a field is empty, and the ratio. */
  readonly natural: { readonly width: number; readonly height: number } | null;
  readonly isRatioKept?: boolean;
  readonly onRatioKept?: (isKept: boolean) => void;
  readonly onChange: (size: Pick<BoxLayout, 'width' | 'height'>) => void;
}

const MAX_SIDE_PX = 4_000;

/** Width and height; with a lock when the thing has a ratio. */
export function SizeFields(props: SizeFieldsProps) {
  const { width, height, natural, isRatioKept = false, onRatioKept, onChange } = props;
  const isLocked = isRatioKept && natural !== null;
  const change = (side: 'width' | 'height', value: number | null): void => {
    if (!isLocked) onChange({ width, height, [side]: value });
    else if (side === 'width')
      onChange({ width: value, height: otherSide(value, natural.width, natural.height) });
    else onChange({ height: value, width: otherSide(value, natural.height, natural.width) });
  };
  return (
    <Row label="大小">
      <Side
        label="宽度"
        value={width}
        natural={natural?.width}
        onChange={(value) => change('width', value)}
      />
      <span>×</span>
      <Side
        label="高度"
        value={height}
        natural={natural?.height}
        onChange={(value) => change('height', value)}
      />
      <span className="field-hint">像素</span>
      {onRatioKept !== undefined && (
        <Button
          size="small"
          type={isRatioKept ? 'primary' : 'default'}
          ghost={isRatioKept}
          icon={<LinkOutlined />}
          aria-pressed={isRatioKept}
          onClick={() => onRatioKept(!isRatioKept)}
        >
          锁定比例
        </Button>
      )}
    </Row>
  );
}

interface SideProps {
  readonly label: string;
  readonly value: number | null;
  readonly natural: number | undefined;
  readonly onChange: (value: number | null) => void;
}

export function Side({ label, value, natural, onChange }: SideProps) {
  return (
    <InputNumber
      aria-label={label}
      size="small"
      min={1}
      max={MAX_SIDE_PX}
      precision={0}
      value={value}
      placeholder={natural === undefined ? '原始' : String(natural)}
      onChange={onChange}
      style={{ width: 84 }}
    />
  );
}

const ALIGNS = [
  { value: 'none', label: '默认' },
  { value: 'left', label: '左浮动' },
  { value: 'center', label: '居中' },
  { value: 'right', label: '右浮动' },
] as const satisfies readonly { value: BoxAlign; label: string }[];

interface AlignFieldProps {
  readonly value: BoxAlign;
  readonly onChange: (align: BoxAlign) => void;
}

/** Where the thing stands in the text. */
export function AlignField({ value, onChange }: AlignFieldProps) {
  return (
    <Row label="对齐">
      <Radio.Group
        size="small"
        optionType="button"
        options={[...ALIGNS]}
        value={value}
        onChange={(event) =>
          onChange(ALIGNS.find((align) => align.value === event.target.value)?.value ?? 'none')
        }
      />
    </Row>
  );
}

interface EdgeFieldsProps {
  readonly layout: BoxLayout;
  readonly onChange: (change: Partial<BoxLayout>) => void;
}

/** Border and margin. */
export function EdgeFields({ layout, onChange }: EdgeFieldsProps) {
  return (
    <Row label="边框">
      <InputNumber
        aria-label="边框宽度"
        size="small"
        min={0}
        max={20}
        precision={0}
        value={layout.borderPx}
        onChange={(value) => onChange({ borderPx: value ?? 0 })}
        style={{ width: 84 }}
      />
      <ColorPicker
        size="small"
        disabledAlpha
        disabled={layout.borderPx === 0}
        value={layout.borderColor}
        onChangeComplete={(color) => onChange({ borderColor: color.toHexString() })}
      />
      <span className="media-label-inner">外边距</span>
      <InputNumber
        aria-label="外边距"
        size="small"
        min={0}
        max={200}
        precision={0}
        value={layout.marginPx}
        onChange={(value) => onChange({ marginPx: value ?? 0 })}
        style={{ width: 84 }}
      />
      <span className="field-hint">像素</span>
    </Row>
  );
}
