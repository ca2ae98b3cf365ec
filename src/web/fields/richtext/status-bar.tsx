import { type IDomEditor, SlateEditor, SlateElement } from '@wangeditor/editor';
import { useEffect, useState } from 'react';
import { EDITOR_DEFAULTS, wordCountText } from './editor-options.ts';

const DELAY_MS = 100;

/** Element path and word count. Both are read a moment after the last change: typing never waits for them. */
export function StatusBar({
  editor,
  maximumWords,
}: {
  readonly editor: IDomEditor | null;
  readonly maximumWords: number;
}) {
  const [{ path, count }, setShown] = useState({ path: '', count: 0 });
  useEffect(() => {
    if (editor === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => setShown({ path: elementPath(editor), count: editor.getText().trim().length });
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(read, DELAY_MS);
    };
    later();
    editor.on('change', later);
    return () => {
      clearTimeout(timer);
      editor.off('change', later);
    };
  }, [editor]);
  return (
    <div className="richtext-status">
      <span>{EDITOR_DEFAULTS.elementPathEnabled && path !== '' ? `元素路径：${path}` : ''}</span>
      <span role="status" className={count > maximumWords ? 'richtext-overflow' : undefined}>
        {wordCountText(count, maximumWords)}
      </span>
    </div>
  );
}

function elementPath(editor: IDomEditor): string {
  if (editor.selection === null) return '';
  return [...SlateEditor.levels(editor)]
    .flatMap(([node]) => (SlateElement.isElement(node) && 'type' in node ? [String(node.type)] : []))
    .join(' > ');
}
