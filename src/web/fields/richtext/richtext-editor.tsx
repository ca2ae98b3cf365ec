import '@wangeditor/editor/dist/css/style.css';
import type { IDomEditor } from '@wangeditor/editor';
import { Editor, Toolbar } from '@wangeditor/editor-for-react';
import { useEffect, useRef, useState } from 'react';
import type { ControlProps } from '../field-view.ts';
import { cleanHtml } from '../richtext-view.tsx';
import { EDITOR_DEFAULTS } from './editor-options.ts';
import { StatusBar } from './status-bar.tsx';

const TOOLS = [
  'headerSelect', 'fontSize', 'fontFamily', 'lineHeight', '|', 'bold', 'italic', 'underline', 'through', 'color',
  'bgColor', 'clearStyle', '|', 'bulletedList', 'numberedList', 'indent', 'delIndent', 'justifyLeft', 'justifyCenter',
  'justifyRight', '|', 'insertLink', 'insertTable', 'blockquote', 'codeBlock', 'emotion', 'divider', '|', 'undo',
  'redo', 'fullScreen',
]; // prettier-ignore

const MENUS = {
  fontSize: { fontSizeList: EDITOR_DEFAULTS.fontsize.map((size) => `${size}px`) },
  lineHeight: { lineHeightList: [...EDITOR_DEFAULTS.lineheight] },
};

/**
 * The editor of a form. Its content is set once, when it appears: replacing it later through the wrapper
 * corrupts content that starts with a table, so whoever replaces a value remounts it by key.
 */
export function RichtextEditor({ value, onChange, onBlur, field }: ControlProps) {
  const [editor, setEditor] = useState<IDomEditor | null>(null);
  const [initial] = useState(() => (typeof value === 'string' ? cleanHtml(value) : ''));
  const change = useRef(onChange);
  change.current = onChange;
  const last = useRef(initial);
  useEffect(() => () => editor?.destroy(), [editor]);
  return (
    <div
      className="richtext-editor"
      aria-label={field.title}
      onKeyDown={(event) => {
        if (!event.altKey || event.code !== 'KeyZ' || editor === null) return;
        event.preventDefault();
        if (editor.isFullScreen) editor.unFullScreen();
        else editor.fullScreen();
      }}
    >
      <Toolbar editor={editor} defaultConfig={{ toolbarKeys: TOOLS }} mode="simple" />
      <Editor
        defaultHtml={initial}
        defaultConfig={{ placeholder: '', scroll: true, MENU_CONF: MENUS, onBlur: () => onBlur?.() }}
        mode="simple"
        onCreated={setEditor}
        onChange={(changed: IDomEditor) => {
          const html = changed.isEmpty() ? '' : cleanHtml(changed.getHtml());
          if (html === last.current) return;
          last.current = html;
          change.current(html === '' ? null : html);
        }}
        style={{ height: EDITOR_DEFAULTS.initialFrameHeight }}
      />
      <StatusBar
        editor={editor}
        maximumWords={typeof field.max === 'number' ? field.max : EDITOR_DEFAULTS.maximumWords}
      />
    </div>
  );
}
