import type { IDomEditor } from '@wangeditor/editor';
import { anchorHtml } from '../insert-html.ts';
import { MediaModal } from '../media/media-modal.tsx';
import { TextField, useText } from '../media/text-field.tsx';

interface AnchorDialogProps {
  readonly editor: IDomEditor;
  readonly onInsert: (html: string) => void;
  readonly onClose: () => void;
}

/** A place in the document that links with `#` lead to. */
export function AnchorDialog({ editor, onInsert, onClose }: AnchorDialogProps) {
  const name = useText();
  const insert = (): void => {
    const text = name.value.trim();
    if (!/^[\w一-龥-]{1,50}$/.test(text)) {
      name.setProblem(text === '' ? '请输入锚点名称' : '只能使用汉字、字母、数字、横线，最多50个字');
      return;
    }
    onInsert(anchorHtml(text));
    onClose();
  };
  return (
    <MediaModal editor={editor} title="锚点" width={480} onOk={insert} onClose={onClose}>
      <TextField isFirst label="锚点名称" placeholder="如：付款条款；链接地址写 #付款条款" {...name} />
    </MediaModal>
  );
}
