import type { IDomEditor } from '@wangeditor/editor';
import { App } from 'antd';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { showFault } from '#web/data/show-fault.ts';
import { insertInline, readDocument, replaceDocument } from './editor-content.ts';
import { type EditorFiles, NO_FILES } from './editor-files.ts';
import { attachmentHtml, imageHtml } from './insert-html.ts';
import { DIALOG_EVENT, type DialogName } from './tools.ts';

const EditorDialog = lazy(async () => {
  const { EditorDialog: Dialog } = await import('./editor-dialog.tsx');
  return { default: Dialog };
});

interface ToolDialogsProps {
  readonly editor: IDomEditor;
  readonly files: EditorFiles | null;
  readonly onChanged: () => void;
}

/** Spec 9: the hint of the attachment dialog. */
const MAX_FILES = 100;

/** Opens the dialog that a tool asks for, and gives the caret back to the text afterwards. */
export function ToolDialogs({ editor, files, onChanged }: ToolDialogsProps) {
  const { message, modal } = App.useApp();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<'image' | 'attachment'>('image');
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
    } else if (name === 'image' || name === 'attachment') {
      setKind(name);
      // The picker takes what it accepts from this render.
      setTimeout(() => picker.current?.click());
    } else setDialog(name);
  };
  useEffect(() => {
    const listen = (name: DialogName) => open.current(name);
    editor.on(DIALOG_EVENT, listen);
    return () => editor.off(DIALOG_EVENT, listen);
  }, [editor]);
  const send = async (list: FileList | null) => {
    for (const file of [...(list ?? [])].slice(0, MAX_FILES)) {
      try {
        const { address, name } = await store.upload(file);
        insertInline(editor, kind === 'image' ? imageHtml(address, name) : attachmentHtml(address, name));
      } catch (error) {
        showFault(message, error, '上传失败');
      }
    }
  };
  const close = () => {
    setDialog(null);
    // The core notes where the caret is at the end of a step, which may have been the dialog's last one.
    queueMicrotask(() => editor.restoreSelection());
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        aria-label={kind === 'image' ? '选择图片' : '选择附件'}
        accept={kind === 'image' ? 'image/*' : undefined}
        onChange={(event) => {
          const { currentTarget } = event;
          void send(currentTarget.files).finally(() => {
            currentTarget.value = '';
          });
        }}
      />
      {dialog !== null && (
        <Suspense>
          <EditorDialog
            name={dialog}
            editor={editor}
            files={store}
            document={readDocument(editor)}
            onInsertInline={(html) => insertInline(editor, html)}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
