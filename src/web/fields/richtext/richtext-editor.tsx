import '@wangeditor/editor/dist/css/style.css';
import type { IDomEditor } from '@wangeditor/editor';
import { Editor, Toolbar } from '@wangeditor/editor-for-react';
import { useEffect, useRef, useState } from 'react';
import type { ControlProps } from '../field-view.ts';
import { useFieldServices } from '../field-services.ts';
import { insertDocument, loadableHtml, readDocument } from './editor-content.ts';
import { EDITOR_DEFAULTS, EDITOR_MENUS } from './editor-options.ts';
import { ExtraTools } from './extra-tools.tsx';
import { registerKeptModule } from './kept-module.ts';
import { cleanPaste } from './paste-html.ts';
import { StatusBar } from './status-bar.tsx';

registerKeptModule();

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
  const upload = async (file: File): Promise<{ readonly address: string; readonly name: string }> => {
    if (services === null || place === undefined) return Promise.reject(new TypeError('此处不能上传文件'));
    const signal = new AbortController().signal;
    const saved = await services.upload({ file, place, recordId, signal, onProgress: () => undefined });
    return { address: `/erp/api/files/${saved.id}`, name: saved.name };
  };
  return (
    <div
      className="richtext-editor"
      aria-label={field.title}
      // The core tells of a lost focus a moment late: a click on save would come before it.
      onBlur={() => changes.flush()}
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
          scroll: true,
          MENU_CONF: EDITOR_MENUS,
          onBlur: () => {
            changes.flush();
            onBlur?.();
          },
          customPaste: (target, event) => !pasteHtml(target, event),
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

/** True when the clipboard held HTML, which is then in the document, cleaned. */
function pasteHtml(editor: IDomEditor, event: ClipboardEvent): boolean {
  const html = event.clipboardData?.getData('text/html') ?? '';
  const cleaned = html === '' ? '' : cleanPaste(html);
  if (cleaned === '') return false;
  event.preventDefault();
  insertDocument(editor, cleaned);
  return true;
}
