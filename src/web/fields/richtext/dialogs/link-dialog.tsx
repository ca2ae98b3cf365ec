import { type IDomEditor, SlateEditor, SlateNode, SlateRange, SlateTransforms } from '@wangeditor/editor';
import { Checkbox, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { linkAt } from '../places.ts';
import { setProperties } from '../set-properties.ts';

interface LinkDialogProps {
  readonly editor: IDomEditor;
  readonly onClose: () => void;
}

/** Makes a link of the selected text, or changes the one that the caret is in. */
export function LinkDialog({ editor, onClose }: LinkDialogProps) {
  const [place] = useState(() => linkAt(editor));
  const [loaded] = useState(() => {
    const { selection } = editor;
    if (place !== null) return SlateNode.string(place.node);
    return selection === null ? '' : SlateEditor.string(editor, selection);
  });
  const [text, setText] = useState(loaded);
  const [address, setAddress] = useState(() =>
    place === null ? '' : String(Reflect.get(place.node, 'url') ?? ''),
  );
  const [isNew, setNew] = useState(() => place === null || Reflect.get(place.node, 'target') === '_blank');
  const [problem, setProblem] = useState('');
  const save = () => {
    const url = withScheme(address.trim());
    const wrong = linkProblem(url);
    if (wrong !== '') {
      setProblem(wrong);
      return;
    }
    editor.restoreSelection();
    const link = { url, target: isNew ? '_blank' : '' };
    const shown = text.trim() === '' ? url : text;
    if (place === null) insertLink(editor, link, shown, shown === loaded);
    else {
      setProperties(editor, link, { at: place.path });
      if (shown !== loaded)
        SlateTransforms.insertText(editor, shown, { at: SlateEditor.range(editor, place.path) });
    }
    // Last: closing puts the caret where the last step left it.
    onClose();
  };
  return (
    <Modal
      open
      title={place === null ? '插入链接' : '修改链接'}
      okText="确定"
      cancelText="取消"
      onOk={save}
      onCancel={onClose}
    >
      <Form layout="vertical" onSubmitCapture={save}>
        <Form.Item label="文本内容" htmlFor="link-text">
          <Input
            id="link-text"
            value={text}
            placeholder="留空则显示地址"
            onChange={(event) => setText(event.target.value)}
            onPressEnter={save}
          />
        </Form.Item>
        <Form.Item
          label="链接地址"
          htmlFor="link-address"
          validateStatus={problem === '' ? '' : 'error'}
          help={problem === '' ? '网址、邮箱、电话，或以 # 开头的锚点' : <span role="alert">{problem}</span>}
        >
          <Input
            id="link-address"
            autoFocus
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              setProblem('');
            }}
            onPressEnter={save}
          />
        </Form.Item>
        <Checkbox checked={isNew} onChange={(event) => setNew(event.target.checked)}>
          在新窗口打开
        </Checkbox>
      </Form>
    </Modal>
  );
}

/** Selected text keeps its marks when it stays as it is. */
function insertLink(
  editor: IDomEditor,
  properties: { readonly url: string; readonly target: string },
  shown: string,
  isSame: boolean,
): void {
  const { selection } = editor;
  const isExpanded = selection !== null && SlateRange.isExpanded(selection);
  const link = Object.assign({ type: 'link', children: [{ text: shown }] }, properties);
  if (isExpanded && isSame) {
    SlateTransforms.wrapNodes(editor, { ...link, children: [] }, { split: true });
    return;
  }
  if (isExpanded) SlateTransforms.delete(editor);
  SlateTransforms.insertNodes(editor, link);
  editor.move(1);
}

/** `example.com/a` is meant as a web address, `a@b.cn` as a mail address. */
export function withScheme(address: string): string {
  if (/^[^\s@/:#]+@[^\s@/:]+\.[^\s@/:]+$/.test(address)) return `mailto:${address}`;
  if (/^[\w-]+(?:\.[\w-]+)+(?:[/?#:]\S*)?$/.test(address)) return `https://${address}`;
  return address;
}

/** What is wrong with a link's address, empty when nothing is. */
export function linkProblem(address: string): string {
  if (address === '') return '请输入链接地址';
  if (address.length > 2000) return '链接地址不能超过2000个字符';
  if (/^(?:https?:\/\/[^\s/]+\S*|mailto:\S+@\S+|tel:[\d+() -]+|#\S+|\/[^/\s]\S*|\/)$/i.test(address))
    return '';
  return '只能链接到网址（http、https）、邮箱、电话、本系统页面或 # 锚点';
}
