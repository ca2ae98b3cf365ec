import { useState } from 'react';
import { matchFiles, replaceWordImages, wordImages } from '../word-images.ts';
import { FileDrop } from './file-drop.tsx';
import { FileRows } from './file-rows.tsx';
import { IMAGE_ACCEPT, imageFault } from './file-rules.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { doneItems, uploadsText, useUploads } from './upload-queue.ts';

/** Gives the pictures of a Word or WPS paste their files, which the author chooses from the own disk. */
export function WordImageDialog({ editor, upload, onClose }: MediaDialogProps) {
  const [missing] = useState(() => wordImages(editor));
  const { queue, items } = useUploads(upload, imageFault);
  const done = doneItems(items);
  const isSending = items.some(({ state }) => state === 'sending' || state === 'waiting');
  const matched = matchFiles(
    missing.map(({ name }) => name),
    done.map(({ file }) => file.name),
  );
  const count = matched.filter((index) => index !== null).length;
  const replace = (): void => {
    const pictures = missing.flatMap((image, at) => {
      const item = done[matched[at] ?? -1];
      return item === undefined ? [] : [{ image, address: item.address, name: image.name }];
    });
    onClose();
    replaceWordImages(editor, pictures);
  };
  return (
    <MediaModal
      editor={editor}
      title="图片转存"
      width={680}
      okText={count > 0 ? `转存${count}张` : '转存'}
      isOkDisabled={count === 0 || isSending}
      isBusy={isSending}
      note={uploadsText(items) || (count < missing.length ? `还差${missing.length - count}张` : '')}
      onOk={replace}
      onClose={onClose}
      onPasteFiles={(files) => queue.add(files)}
    >
      <p>
        从 Word、WPS
        粘贴的图片在您的电脑里，网页读不到。请把文档“另存为网页”，再从它的图片文件夹里选择下列文件；按文件名对应，名字不同的按顺序对应。
      </p>
      <ol className="word-images" aria-label="待转存的图片">
        {missing.map(({ path, name }, at) => {
          const item = done[matched[at] ?? -1];
          return (
            <li key={path.join('.')}>
              {name}
              <span className="field-hint">{item === undefined ? '' : ` ← ${item.file.name}`}</span>
            </li>
          );
        })}
      </ol>
      <FileDrop
        label="选择图片文件"
        hint="点击选择，或拖入、粘贴；可一次选择多个"
        accept={IMAGE_ACCEPT}
        isSmall={items.length > 0}
        onFiles={(files) => queue.add(files)}
      />
      {items.length > 0 && <FileRows queue={queue} items={items} />}
    </MediaModal>
  );
}
