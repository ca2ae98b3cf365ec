import type { IDomEditor } from '@wangeditor/editor';
import { App } from 'antd';
import type { DragEvent } from 'react';
import { showFault } from '#web/data/show-fault.ts';
import { insertDocument, insertInline } from './editor-content.ts';
import { type EditorFiles, NO_FILES } from './editor-files.ts';
import { hasForeignPictures, keepPictures, picturesOf, picturesText } from './incoming-images.ts';
import { imageHtml } from './insert-html.ts';
import { insertBlocks } from './insert-nodes.ts';
import { imageFault } from './media/file-rules.ts';
import { ownFragment, plainParagraphs } from './own-clipboard.ts';
import { cleanPaste } from './paste/clean-paste.ts';
import { lostText } from './paste/lost-parts.ts';
import { tabularHtml } from './paste/tabular-text.ts';

const NOTHING = { html: '', lost: [] };

/** What comes by paste and drop: cleaned, its pictures kept by the product. */
export function useIncoming(files: EditorFiles | null, messageTimeMs: number) {
  const { message } = App.useApp();
  const store = files ?? NO_FILES;
  const shownS = messageTimeMs / 1000;
  const takeFiles = async (target: IDomEditor, list: readonly File[]) => {
    for (const file of list) {
      const fault = imageFault(file);
      if (fault !== null) {
        void message.error(`${file.name}：${fault}`, shownS);
        continue;
      }
      const hide = message.loading(`正在上传 ${file.name}`, 0);
      try {
        const { address, name } = await store.upload(file);
        insertInline(target, imageHtml(address, name));
      } catch (error) {
        showFault(message, error, '图片没有上传', shownS);
      }
      hide();
    }
  };
  /** True when the paste is taken care of here. */
  const paste = (target: IDomEditor, event: ClipboardEvent): boolean => {
    const own = ownFragment(event.clipboardData);
    if (own !== null) {
      event.preventDefault();
      insertBlocks(target, own);
      return true;
    }
    const html = event.clipboardData?.getData('text/html') ?? '';
    const pictures = picturesOf(event.clipboardData);
    if (html === '' && pictures.length > 0) {
      event.preventDefault();
      void takeFiles(target, pictures);
      return true;
    }
    const { html: cleaned, lost } = html === '' ? NOTHING : cleanPaste(html);
    const untaken = lostText(lost);
    if (untaken !== '') void message.warning(untaken, shownS);
    if (cleaned === '') {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text === '') return false;
      event.preventDefault();
      const table = tabularHtml(text);
      if (table === null) insertBlocks(target, plainParagraphs(text));
      else insertDocument(target, table);
      return true;
    }
    event.preventDefault();
    if (!hasForeignPictures(cleaned)) {
      insertDocument(target, cleaned);
      return true;
    }
    const hide = message.loading('正在保存粘贴的图片', 0);
    void keepPictures(cleaned, store).then((kept) => {
      hide();
      insertDocument(target, kept.html);
      const said = picturesText(kept);
      if (said !== '') void message.warning(said, shownS);
    });
    return true;
  };
  const drop = (target: IDomEditor, event: DragEvent): void => {
    const pictures = picturesOf(event.dataTransfer);
    // A dialog is a child in React only: what is dropped there is not meant for the text.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (pictures.length === 0 || !isInside) return;
    event.preventDefault();
    event.stopPropagation();
    void takeFiles(target, pictures);
  };
  return { paste, drop };
}
