import { Input, Tabs } from 'antd';
import { useState } from 'react';
import { AlignField, EdgeFields, Row, SizeFields } from './box-fields.tsx';
import { PLAIN_BOX } from './box-layout.ts';
import { FileDrop } from './file-drop.tsx';
import { IMAGE_ACCEPT, imageFault } from './file-rules.ts';
import { altOf, type ImageLayout, placedImageHtml } from './image-html.ts';
import { ImageThumbs } from './image-thumbs.tsx';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import type { PictureSize } from './own-picture.tsx';
import { doneItems, uploadsText, useUploads } from './upload-queue.ts';
import { useWebImage, WebImage } from './web-image.tsx';

const START: ImageLayout = { ...PLAIN_BOX, isRatioKept: true, alt: '' };

/** Pictures from the author's disk, several at once, or one from the web that the server fetches. */
export function ImageDialog({ editor, upload, capture, onInsertInline, onClose }: MediaDialogProps) {
  const [tab, setTab] = useState('local');
  const [layout, setLayout] = useState(START);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PictureSize>>(new Map());
  const { queue, items } = useUploads(upload, imageFault);
  const web = useWebImage(capture);
  const change = (part: Partial<ImageLayout>): void => setLayout((now) => ({ ...now, ...part }));
  const done = doneItems(items);
  const first = items[0];
  const natural =
    tab === 'web'
      ? web.size
      : items.length === 1 && first !== undefined
        ? (sizes.get(first.key) ?? null)
        : null;
  const insertLocal = (): void => {
    // Of several pictures each keeps its own ratio.
    const own = items.length > 1 ? { ...layout, height: layout.isRatioKept ? null : layout.height } : layout;
    const html = done.map(({ address, name }) => {
      const alt = layout.alt.trim() === '' ? altOf(name) : layout.alt.trim();
      return placedImageHtml(address, { ...own, alt });
    });
    onInsertInline(html.join(''));
    for (const { key } of done) queue.remove(key);
    if (!items.some(({ mayRetry, state }) => mayRetry && state === 'failed')) onClose();
  };
  const insertWeb = (): void => {
    if (web.own === null) {
      void web.fetch();
      return;
    }
    const alt = layout.alt.trim() === '' ? altOf(web.name) : layout.alt.trim();
    onInsertInline(placedImageHtml(web.own, { ...layout, alt }));
    onClose();
  };
  const isSending = items.some(({ state }) => state === 'sending' || state === 'waiting');
  const isLocal = tab === 'local';
  return (
    <MediaModal
      editor={editor}
      title="插入图片"
      width={720}
      okText={
        isLocal ? (done.length > 1 ? `插入${done.length}张` : '插入') : web.own === null ? '获取图片' : '插入'
      }
      isOkDisabled={isLocal && (done.length === 0 || isSending)}
      isBusy={isLocal ? isSending : web.isFetching}
      note={isLocal ? uploadsText(items) : ''}
      onOk={isLocal ? insertLocal : insertWeb}
      onClose={onClose}
      onPasteFiles={(files) => {
        setTab('local');
        queue.add(files);
      }}
    >
      <Tabs
        activeKey={tab}
        onChange={setTab}
        items={[
          {
            key: 'local',
            label: '本地上传',
            children: (
              <>
                {items.length > 0 && (
                  <ImageThumbs
                    queue={queue}
                    items={items}
                    onSize={(key, size) => setSizes((all) => new Map(all).set(key, size))}
                  />
                )}
                <FileDrop
                  label="选择图片"
                  hint="点击选择，或拖入、粘贴图片；可多张，JPEG、PNG、WebP、GIF，每张20M以内"
                  accept={IMAGE_ACCEPT}
                  isSmall={items.length > 0}
                  onFiles={(files) => queue.add(files)}
                />
              </>
            ),
          },
          { key: 'web', label: '网络图片', children: <WebImage image={web} /> },
        ]}
      />
      <div className="media-settings">
        <SizeFields
          width={layout.width}
          height={layout.height}
          natural={natural}
          isRatioKept={layout.isRatioKept}
          onRatioKept={(isRatioKept) => change({ isRatioKept })}
          onChange={change}
        />
        <AlignField value={layout.align} onChange={(align) => change({ align })} />
        <EdgeFields layout={layout} onChange={change} />
        <Row label="替代文字">
          <Input
            aria-label="替代文字"
            size="small"
            maxLength={200}
            value={layout.alt}
            placeholder="图片显示不出来时的文字，不填则用文件名"
            onChange={(event) => change({ alt: event.target.value })}
          />
        </Row>
      </div>
    </MediaModal>
  );
}
