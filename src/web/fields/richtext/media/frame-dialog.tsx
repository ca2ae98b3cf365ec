import { Checkbox } from 'antd';
import { useState } from 'react';
import { FRAME_SOURCES, isAllowedFrame } from '#engine/fields/richtext-policy.ts';
import { AlignField, Row, SizeFields } from './box-fields.tsx';
import { PLAIN_BOX } from './box-layout.ts';
import { framedHtml, type FrameLayout } from './frame-html.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { TextField, useText } from './text-field.tsx';

export const FRAME_LAYOUT: FrameLayout = { ...PLAIN_BOX, width: 600, height: 400, hasBorder: false };

/** A page of an allowed site inside the text. */
export function FrameDialog({ editor, onInsertInline, onClose }: MediaDialogProps) {
  const address = useText();
  const [layout, setLayout] = useState(FRAME_LAYOUT);
  const insert = (): void => {
    const text = address.value.trim();
    if (!isAllowedFrame(text)) {
      const sites = FRAME_SOURCES.map((source) => source.slice('https://'.length)).join('、');
      address.setProblem(text === '' ? '请输入网页地址' : `只能插入这些网站的网页：${sites}`);
      return;
    }
    onInsertInline(framedHtml(text, layout));
    onClose();
  };
  return (
    <MediaModal editor={editor} title="插入框架" onOk={insert} onClose={onClose}>
      <TextField isFirst label="网页地址" placeholder="https://" {...address} />
      <FrameFields layout={layout} onChange={setLayout} />
    </MediaModal>
  );
}

interface FrameFieldsProps {
  readonly layout: FrameLayout;
  readonly onChange: (layout: FrameLayout) => void;
}

/** Size, border and place of a frame. */
export function FrameFields({ layout, onChange }: FrameFieldsProps) {
  return (
    <div className="media-settings">
      <SizeFields
        width={layout.width}
        height={layout.height}
        natural={null}
        onChange={(size) => onChange({ ...layout, ...size })}
      />
      <AlignField value={layout.align} onChange={(align) => onChange({ ...layout, align })} />
      <Row label="边框">
        <Checkbox
          checked={layout.hasBorder}
          onChange={(event) => onChange({ ...layout, hasBorder: event.target.checked })}
        >
          显示边框
        </Checkbox>
      </Row>
    </div>
  );
}
