import { type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { Button, Space, Tabs } from 'antd';
import { SPECIAL_CHARACTERS } from '../insert-html.ts';
import { ReadingDialog } from './reading-dialog.tsx';

export function SpecialDialog({
  editor,
  onClose,
}: {
  readonly editor: IDomEditor;
  readonly onClose: () => void;
}) {
  const insert = (character: string) => {
    editor.restoreSelection();
    SlateTransforms.insertText(editor, character);
    // Last: closing puts the caret where the last step left it.
    onClose();
  };
  return (
    <ReadingDialog title="特殊字符" onClose={onClose}>
      <Tabs
        items={SPECIAL_CHARACTERS.map(({ title, characters }) => ({
          key: title,
          label: title,
          children: (
            <Space size={4} wrap>
              {[...characters].map((character) => (
                <Button key={character} size="small" onClick={() => insert(character)}>
                  {character}
                </Button>
              ))}
            </Space>
          ),
        }))}
      />
    </ReadingDialog>
  );
}
