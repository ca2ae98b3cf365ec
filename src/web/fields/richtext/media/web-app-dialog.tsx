import { Radio } from 'antd';
import { useState } from 'react';
import { FRAME_LAYOUT, FrameFields } from './frame-dialog.tsx';
import { framedHtml } from './frame-html.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { TextField, useText } from './text-field.tsx';
import { WEB_APPS } from './web-apps.ts';

/** A page of an allowed site, chosen from a catalogue. */
export function WebAppDialog({ editor, onInsertInline, onClose }: MediaDialogProps) {
  const [app, setApp] = useState(WEB_APPS[0]);
  const text = useText();
  const [layout, setLayout] = useState(FRAME_LAYOUT);
  if (app === undefined) return null;
  const insert = (): void => {
    const address = app.address(text.value.trim());
    if (address === null) {
      text.setProblem(app.problem);
      return;
    }
    onInsertInline(framedHtml(address, layout));
    onClose();
  };
  return (
    <MediaModal
      editor={editor}
      title="网页应用"
      width={720}
      note="网页由对方网站提供，需要能访问互联网"
      onOk={insert}
      onClose={onClose}
    >
      <Radio.Group
        className="media-apps"
        optionType="button"
        value={app.key}
        onChange={(event) => {
          setApp(WEB_APPS.find(({ key }) => key === event.target.value));
          text.onChange('');
        }}
        options={WEB_APPS.map(({ key, name, about }) => ({
          value: key,
          label: (
            <span className="media-app">
              <b>{name}</b>
              <span className="field-hint">{about}</span>
            </span>
          ),
        }))}
      />
      <TextField key={app.key} isFirst label={app.label} placeholder={app.placeholder} {...text} />
      <FrameFields layout={layout} onChange={setLayout} />
    </MediaModal>
  );
}
