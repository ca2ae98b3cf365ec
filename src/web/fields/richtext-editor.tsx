import '@wangeditor/editor/dist/css/style.css';
import type { IDomEditor } from '@wangeditor/editor';
import { Editor, Toolbar } from '@wangeditor/editor-for-react';
import { useEffect, useRef, useState } from 'react';
import type { ControlProps } from './field-view.ts';
import { cleanHtml } from './richtext-view.tsx';

const TOOLS = [
  'headerSelect', 'bold', 'italic', 'underline', 'color', '|', 'bulletedList', 'numberedList', 'justifyLeft',
  'justifyCenter', '|', 'insertLink', 'insertTable', 'divider', '|', 'undo', 'redo', 'fullScreen',
]; // prettier-ignore

/**
 * The basic editor of a form. Its content is set once, when it appears: replacing it later through the wrapper
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
    <div className="richtext-editor" aria-label={field.title}>
      <Toolbar editor={editor} defaultConfig={{ toolbarKeys: TOOLS }} mode="simple" />
      <Editor
        defaultHtml={initial}
        defaultConfig={{ placeholder: '', scroll: true, onBlur: () => onBlur?.() }}
        mode="simple"
        onCreated={setEditor}
        onChange={(changed: IDomEditor) => {
          const html = changed.isEmpty() ? '' : cleanHtml(changed.getHtml());
          if (html === last.current) return;
          last.current = html;
          change.current(html === '' ? null : html);
        }}
        style={{ height: 220 }}
      />
    </div>
  );
}
