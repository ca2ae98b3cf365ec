import '@wangeditor/editor/dist/css/style.css';
import type { IDomEditor } from '@wangeditor/editor';
import { Editor, Toolbar } from '@wangeditor/editor-for-react';
import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { ControlProps } from '../field-view.ts';
import { useFieldServices } from '../field-services.ts';
import { registerChartModule } from './chart-module.ts';
import { insertDocument, insertInline, loadableHtml, readDocument } from './editor-content.ts';
import { EDITOR_DEFAULTS, EDITOR_MENUS } from './editor-options.ts';
import { ExtraTools } from './extra-tools.tsx';
import {
  hasForeignPictures,
  keepPictures,
  picturesOf,
  picturesText,
  type PictureStore,
} from './incoming-images.ts';
import { imageHtml } from './insert-html.ts';
import { registerKeptModule } from './kept-module.ts';
import { cleanPaste } from './paste-html.ts';
import { StatusBar } from './status-bar.tsx';
import { showFault } from '#web/data/show-fault.ts';

registerKeptModule();
registerChartModule();

const TOOLS = [
  'headerSelect', 'fontSize', 'fontFamily', 'lineHeight', '|', 'bold', 'italic', 'underline', 'through', 'sub', 'sup',
  'color', 'bgColor', 'clearStyle', '|', 'bulletedList', 'numberedList', 'indent', 'delIndent', 'justifyLeft',
  'justifyCenter', 'justifyRight', 'justifyJustify', '|', 'insertLink', 'insertTable', 'blockquote', 'codeBlock',
  'emotion', 'divider', '|', 'undo', 'redo', 'fullScreen',
]; // prettier-ignore

/** Reading a long document takes longer than a key may: the form hears of changes a moment later. */
const CHANGE_DELAY_MS = 200;

/**
 * The editor of a form. Its content is set once, when it appears: replacing it later through the wrapper
 * corrupts content that starts with a table, so whoever replaces a value remounts it by key.
 */
export function RichtextEditor({ value, onChange, onBlur, field, place, recordId }: ControlProps) {
  const [editor, setEditor] = useState<IDomEditor | null>(null);
  const [initial] = useState(() => (typeof value === 'string' ? loadableHtml(value) : ''));
  const changes = useChanges(editor, onChange);
  const services = useFieldServices();
  const { message } = App.useApp();
  const upload = async (file: File): Promise<{ readonly address: string; readonly name: string }> => {
    if (services === null || place === undefined) return Promise.reject(new TypeError('此处不能上传文件'));
    const signal = new AbortController().signal;
    const saved = await services.upload({ file, place, recordId, signal, onProgress: () => undefined });
    return { address: `/erp/api/files/${saved.id}`, name: saved.name };
  };
  const pictures: PictureStore = {
    upload,
    capture: (address) =>
      services === null || place === undefined
        ? Promise.reject(new TypeError('此处不能上传文件'))
        : services.capture(address, place),
  };
  const takeFiles = async (target: IDomEditor, files: readonly File[]) => {
    for (const file of files) {
      const hide = message.loading(`正在上传 ${file.name}`, 0);
      try {
        const { address, name } = await upload(file);
        insertInline(target, imageHtml(address, name));
      } catch (error) {
        showFault(message, error, '图片没有上传');
      }
      hide();
    }
  };
  const paste = (target: IDomEditor, event: ClipboardEvent): boolean => {
    const html = event.clipboardData?.getData('text/html') ?? '';
    const files = picturesOf(event.clipboardData);
    if (html === '' && files.length > 0) {
      event.preventDefault();
      void takeFiles(target, files);
      return true;
    }
    const cleaned = html === '' ? '' : cleanPaste(html);
    if (cleaned === '') return false;
    event.preventDefault();
    if (!hasForeignPictures(cleaned)) {
      insertDocument(target, cleaned);
      return true;
    }
    const hide = message.loading('正在保存粘贴的图片', 0);
    void keepPictures(cleaned, pictures).then((kept) => {
      hide();
      insertDocument(target, kept.html);
      const said = picturesText(kept);
      if (said !== '') void message.warning(said, 6);
    });
    return true;
  };
  return (
    <div
      className="richtext-editor"
      aria-label={field.title}
      // The core tells of a lost focus a moment late: a click on save would come before it.
      onBlur={() => changes.flush()}
      onDropCapture={(event) => {
        const files = picturesOf(event.dataTransfer);
        if (files.length === 0 || editor === null) return;
        event.preventDefault();
        event.stopPropagation();
        void takeFiles(editor, files);
      }}
      onKeyDownCapture={(event) => {
        if (event.ctrlKey || event.metaKey) changes.flush();
      }}
      onKeyDown={(event) => {
        if (!event.altKey || event.code !== 'KeyZ' || editor === null) return;
        event.preventDefault();
        if (editor.isFullScreen) editor.unFullScreen();
        else editor.fullScreen();
      }}
    >
      <Toolbar editor={editor} defaultConfig={{ toolbarKeys: TOOLS }} mode="simple" />
      {editor !== null && <ExtraTools editor={editor} upload={upload} />}
      <Editor
        defaultHtml={initial}
        defaultConfig={{
          placeholder: '',
          // The editor comes late: what is typed meanwhile belongs to the field that has the caret.
          autoFocus: false,
          scroll: true,
          MENU_CONF: EDITOR_MENUS,
          onBlur: () => {
            changes.flush();
            onBlur?.();
          },
          customPaste: (target, event) => !paste(target, event),
        }}
        mode="simple"
        onCreated={setEditor}
        onChange={changes.later}
        style={{ height: EDITOR_DEFAULTS.initialFrameHeight }}
      />
      <StatusBar
        editor={editor}
        maximumWords={typeof field.max === 'number' ? field.max : EDITOR_DEFAULTS.maximumWords}
      />
    </div>
  );
}

/** Tells the form what the document is: a moment after the last change, at once when `flush` is called or it goes. */
function useChanges(editor: IDomEditor | null, onChange: ControlProps['onChange']) {
  const change = useRef(onChange);
  change.current = onChange;
  const state = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; last: string | null }>({
    timer: undefined,
    last: null,
  });
  const tell = () => {
    const { current } = state;
    clearTimeout(current.timer);
    if (editor === null || current.timer === undefined) return;
    current.timer = undefined;
    const html = readDocument(editor);
    if (html === current.last) return;
    current.last = html;
    change.current(html === '' ? null : html);
  };
  const flush = useRef(tell);
  flush.current = tell;
  useEffect(() => {
    if (editor === null) return;
    // What the core makes of the loaded text is not yet a change of the author's.
    state.current.last = readDocument(editor);
    return () => {
      flush.current();
      editor.destroy();
    };
  }, [editor]);
  return {
    flush: () => flush.current(),
    later: () => {
      if (state.current.last === null) return;
      clearTimeout(state.current.timer);
      state.current.timer = setTimeout(() => flush.current(), CHANGE_DELAY_MS);
    },
  };
}
