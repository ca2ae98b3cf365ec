import { Tabs } from 'antd';
import { useState } from 'react';
import { isAllowedFrame } from '#engine/fields/richtext-policy.ts';
import { EDITOR_DEFAULTS } from '../editor-options.ts';
import { AlignField, SizeFields } from './box-fields.tsx';
import { type BoxLayout, PLAIN_BOX, placeBox, quietElement, sizeBox } from './box-layout.ts';
import { FileDrop } from './file-drop.tsx';
import { FileRows } from './file-rows.tsx';
import { fileFault } from './file-rules.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { TextField, useText } from './text-field.tsx';
import { doneItems, uploadsText, useUploads } from './upload-queue.ts';

interface PlayerKind {
  readonly title: string;
  readonly label: string;
  readonly types: RegExp;
  readonly accept: string;
  readonly wanted: string;
  readonly hasSize: boolean;
  readonly html: (address: string, layout: BoxLayout) => string;
}

const VIDEO: PlayerKind = {
  title: '插入视频',
  label: '视频地址',
  types: /^video\/(?:mp4|webm)$/,
  accept: 'video/mp4,video/webm',
  wanted: 'MP4、WebM 视频',
  hasSize: true,
  html: videoHtml,
};

const MUSIC: PlayerKind = {
  title: '插入音乐',
  label: '音乐地址',
  types: /^audio\/(?:mpeg|mp3|ogg|wav|x-wav|mp4|aac)$/,
  accept: 'audio/mpeg,audio/ogg,audio/wav,audio/mp4,audio/aac',
  wanted: 'MP3、OGG、WAV、M4A 音乐',
  hasSize: false,
  html: (address, layout) => {
    const player = quietElement('audio', { src: address, controls: '' });
    placeBox(player, layout);
    return player.outerHTML;
  },
};

/** A film of the web, a page of an allowed player, or a file; 420 by 280 (spec section 9). */
export function VideoDialog(props: MediaDialogProps) {
  return <PlayerDialog kind={VIDEO} {...props} />;
}

export function MusicDialog(props: MediaDialogProps) {
  return <PlayerDialog kind={MUSIC} {...props} />;
}

/** The player's page in a sandboxed frame where the address is one, the file itself otherwise. */
function videoHtml(address: string, layout: BoxLayout): string {
  const film = quietElement(isAllowedFrame(address) ? 'iframe' : 'video', { src: address });
  sizeBox(film, layout);
  if (film.localName === 'video') film.setAttribute('controls', '');
  else film.setAttribute('frameborder', '0');
  placeBox(film, layout);
  return film.outerHTML;
}

function PlayerDialog({
  kind,
  editor,
  upload,
  onInsertInline,
  onClose,
}: MediaDialogProps & { readonly kind: PlayerKind }) {
  const [tab, setTab] = useState('web');
  const address = useText();
  const [layout, setLayout] = useState<BoxLayout>({
    ...PLAIN_BOX,
    width: kind.hasSize ? EDITOR_DEFAULTS.videoWidth : null,
    height: kind.hasSize ? EDITOR_DEFAULTS.videoHeight : null,
  });
  const { queue, items } = useUploads(upload, (file) =>
    kind.types.test(file.type) ? fileFault(file) : `只能选择 ${kind.wanted}`,
  );
  const done = doneItems(items);
  const isSending = items.some(({ state }) => state === 'sending' || state === 'waiting');
  const change = (part: Partial<BoxLayout>): void => setLayout((now) => ({ ...now, ...part }));
  const insert = (): void => {
    const text = address.value.trim();
    if (tab === 'web' && !/^https:\/\/[^\s/]+\.[^\s]+$/.test(text)) {
      address.setProblem(text === '' ? `请输入${kind.label}` : '请输入以 https:// 开头的地址');
      return;
    }
    const addresses = tab === 'web' ? [text] : done.map((item) => item.address);
    onInsertInline(addresses.map((one) => kind.html(one, layout)).join(''));
    onClose();
  };
  return (
    <MediaModal
      editor={editor}
      title={kind.title}
      isOkDisabled={tab === 'local' && (done.length === 0 || isSending)}
      isBusy={tab === 'local' && isSending}
      note={tab === 'local' ? uploadsText(items) : ''}
      onOk={insert}
      onClose={onClose}
    >
      <Tabs
        activeKey={tab}
        onChange={setTab}
        items={[
          {
            key: 'web',
            label: '网络地址',
            children: (
              <TextField
                isFirst
                label={kind.label}
                placeholder={
                  kind.hasSize ? 'https:// 视频文件，或哔哩哔哩、腾讯视频、优酷的播放器地址' : 'https://'
                }
                {...address}
              />
            ),
          },
          {
            key: 'local',
            label: '本地上传',
            children: (
              <>
                <FileDrop
                  label={kind.hasSize ? '选择视频' : '选择音乐'}
                  hint={`点击选择或拖入；${kind.wanted}，每个20M以内`}
                  accept={kind.accept}
                  isSmall={items.length > 0}
                  onFiles={(files) => queue.add(files)}
                />
                {items.length > 0 && <FileRows queue={queue} items={items} />}
              </>
            ),
          },
        ]}
      />
      <div className="media-settings">
        {kind.hasSize && (
          <SizeFields width={layout.width} height={layout.height} natural={null} onChange={change} />
        )}
        <AlignField value={layout.align} onChange={(align) => change({ align })} />
      </div>
    </MediaModal>
  );
}
