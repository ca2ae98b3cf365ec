import type { IDomEditor } from '@wangeditor/editor';
import { Input, Modal } from 'antd';
import { useState } from 'react';
import { replaceDocument } from '../editor-content.ts';

interface SourceDialogProps {
  readonly editor: IDomEditor;
  readonly document: string;
  readonly onClose: () => void;
}

/** The document as HTML. What is applied goes the way of everything that comes in: cleaned, then read. */
export function SourceDialog({ editor, document, onClose }: SourceDialogProps) {
  const [source, setSource] = useState(() =>
    document.replace(/(<\/(?:p|h\d|li|tr|table|ul|ol|blockquote)>)/g, '$1\n'),
  );
  return (
    <Modal
      open
      title="源代码"
      width="80vw"
      okText="应用"
      cancelText="取消"
      onCancel={onClose}
      onOk={() => {
        onClose();
        replaceDocument(editor, source.replace(/>\n/g, '>'));
      }}
    >
      <Input.TextArea
        aria-label="源代码"
        autoFocus
        value={source}
        rows={20}
        spellCheck={false}
        style={{ fontFamily: 'monospace' }}
        onChange={(event) => setSource(event.target.value)}
      />
    </Modal>
  );
}
