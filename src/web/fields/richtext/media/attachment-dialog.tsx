import { useState } from 'react';
import { attachmentHtml } from '../insert-html.ts';
import { FileDrop } from './file-drop.tsx';
import { FileRows } from './file-rows.tsx';
import { fileFault } from './file-rules.ts';
import { MediaModal } from './media-modal.tsx';
import type { MediaDialogProps } from './media-types.ts';
import { doneItems, uploadsText, useUploads } from './upload-queue.ts';

/** Spec 9: the hint of the attachment dialog. */
const MAX_FILES = 100;

/** Files of any kind that stand in the text as links. */
export function AttachmentDialog({ editor, upload, onInsertInline, onClose }: MediaDialogProps) {
  const { queue, items } = useUploads(upload, fileFault);
  const [isCut, setCut] = useState(false);
  const done = doneItems(items);
  const isSending = items.some(({ state }) => state === 'sending' || state === 'waiting');
  const add = (files: readonly File[]): void => {
    setCut(files.length > MAX_FILES);
    queue.add(files.slice(0, MAX_FILES));
  };
  const insert = (): void => {
    onInsertInline(done.map(({ address, name }) => attachmentHtml(address, name)).join(''));
    for (const { key } of done) queue.remove(key);
    if (!items.some(({ mayRetry, state }) => mayRetry && state === 'failed')) onClose();
  };
  return (
    <MediaModal
      editor={editor}
      title="插入附件"
      width={680}
      okText={done.length > 1 ? `插入${done.length}个` : '插入'}
      isOkDisabled={done.length === 0 || isSending}
      isBusy={isSending}
      note={uploadsText(items)}
      onOk={insert}
      onClose={onClose}
      onPasteFiles={add}
    >
      <FileDrop
        label="选择附件"
        hint="点击选择，或拖入、粘贴文件；一次最多选择100个文件，每个20M以内"
        isSmall={items.length > 0}
        onFiles={add}
      />
      <div role="alert" className="media-problem">
        {isCut ? '一次最多选择100个文件，已取前100个' : ''}
      </div>
      {items.length > 0 && <FileRows queue={queue} items={items} />}
    </MediaModal>
  );
}
