import { DomEditor, type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { Button, Checkbox, Form, Input, Modal, Space } from 'antd';
import { useEffect, useState } from 'react';
import { findMatches, type TextMatch } from '../search-text.ts';

/** Search and replace over the text as it is read: a match may go across bold and plain parts. */
export function SearchDialog({
  editor,
  onClose,
}: {
  readonly editor: IDomEditor;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [replacement, setReplacement] = useState('');
  const [isCaseSensitive, setCaseSensitive] = useState(false);
  const [current, setCurrent] = useState(-1);
  const [version, setVersion] = useState(0);
  const matches = findMatches(editor.children, text, isCaseSensitive);
  const show = (index: number) => {
    const match = matches[(index + matches.length) % Math.max(matches.length, 1)];
    if (match === undefined) return;
    setCurrent((index + matches.length) % matches.length);
    editor.select(match);
    editor.scrollToElem(editor.toDOMNode(nodeOf(editor, match)).id);
  };
  const replace = (list: readonly TextMatch[]) => {
    // From the end, so that the places of the ones before hold.
    for (const match of list.toReversed()) SlateTransforms.insertText(editor, replacement, { at: match });
    setVersion(version + 1);
    setCurrent(-1);
  };
  const at = matches[current];
  useEffect(() => {
    highlight(editor, matches, at);
    return () => highlight(editor, [], undefined);
  });
  return (
    <Modal
      open
      mask={false}
      styles={{ wrapper: { pointerEvents: 'none' } }}
      title="查找替换"
      footer={null}
      onCancel={onClose}
      width={460}
    >
      <Form layout="vertical">
        <Form.Item label="查找">
          <Input
            autoFocus
            aria-label="查找"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setCurrent(-1);
            }}
            onPressEnter={() => show(current + 1)}
          />
        </Form.Item>
        <Form.Item label="替换为">
          <Input
            aria-label="替换为"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
          />
        </Form.Item>
        <Space wrap>
          <Checkbox checked={isCaseSensitive} onChange={(event) => setCaseSensitive(event.target.checked)}>
            区分大小写
          </Checkbox>
          <Button onClick={() => show(current - 1)}>上一个</Button>
          <Button onClick={() => show(current + 1)}>下一个</Button>
          <Button disabled={at === undefined} onClick={() => replace(at === undefined ? [] : [at])}>
            替换
          </Button>
          <Button disabled={matches.length === 0} onClick={() => replace(matches)}>
            全部替换
          </Button>
        </Space>
        <div role="status" style={{ marginTop: 8 }}>
          {text === '' ? '' : `共${matches.length}处${at === undefined ? '' : `，第${current + 1}处`}`}
        </div>
      </Form>
    </Modal>
  );
}

function nodeOf(editor: IDomEditor, match: TextMatch) {
  const block = editor.children[match.anchor.path[0] ?? 0];
  return block ?? editor;
}

/** Marks what was found without touching the document; browsers without highlights show the selected one only. */
function highlight(editor: IDomEditor, matches: readonly TextMatch[], at: TextMatch | undefined): void {
  if (typeof CSS === 'undefined' || !('highlights' in CSS)) return;
  CSS.highlights.delete(FOUND);
  CSS.highlights.delete(CURRENT);
  if (matches.length === 0) return;
  CSS.highlights.set(FOUND, new Highlight(...matches.flatMap((match) => rangeOf(editor, match))));
  if (at !== undefined) CSS.highlights.set(CURRENT, new Highlight(...rangeOf(editor, at)));
}

const FOUND = 'richtext-found';
const CURRENT = 'richtext-current';

/** The text may not be drawn yet; then nothing is marked until it is. */
function rangeOf(editor: IDomEditor, match: TextMatch): readonly Range[] {
  try {
    return [DomEditor.toDOMRange(editor, match)];
  } catch {
    return [];
  }
}
