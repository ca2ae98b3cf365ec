import type { IDomEditor } from '@wangeditor/editor';
import { App } from 'antd';
import { Suspense, useEffect, useRef, useState } from 'react';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { insertInline, readDocument, replaceDocument } from './editor-content.ts';
import { type EditorFiles, NO_FILES } from './editor-files.ts';
import { DIALOG_EVENT, type DialogName } from './tools.ts';

const EditorDialog = lazyPart(async () => (await import('./editor-dialog.tsx')).EditorDialog);

interface ToolDialogsProps {
  readonly editor: IDomEditor;
  readonly files: EditorFiles | null;
  readonly onChanged: () => void;
}

/** Opens the dialog that a tool asks for, and gives the caret back to the text afterwards. */
export function ToolDialogs({ editor, files, onChanged }: ToolDialogsProps) {
  const { modal } = App.useApp();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const store = files ?? NO_FILES;
  const open = useRef<(name: DialogName) => void>(() => undefined);
  open.current = (name) => {
    if (name === 'clear') {
      void modal.confirm({
        title: '确定清空当前文档吗？',
        okText: '清空',
        cancelText: '取消',
        onOk: () => {
          replaceDocument(editor, '<p><br></p>');
          onChanged();
        },
      });
    } else setDialog(name);
  };
  useEffect(() => {
    const listen = (name: DialogName) => open.current(name);
    editor.on(DIALOG_EVENT, listen);
    return () => editor.off(DIALOG_EVENT, listen);
  }, [editor]);
  const close = () => {
    setDialog(null);
    // The core notes where the caret is at the end of a step, which may have been the dialog's last one.
    queueMicrotask(() => editor.restoreSelection());
  };
  return (
    <>
      {dialog !== null && (
        <FaultBoundary key={dialog} what="对话框" isSmall>
          <Suspense>
            <EditorDialog
              name={dialog}
              editor={editor}
              upload={store.upload}
              capture={store.capture}
              document={readDocument(editor)}
              onInsertInline={(html) => insertInline(editor, html)}
              onClose={close}
            />
          </Suspense>
        </FaultBoundary>
      )}
    </>
  );
}
