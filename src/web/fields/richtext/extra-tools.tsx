import type { IDomEditor } from '@wangeditor/editor';
import { SlateTransforms } from '@wangeditor/editor';
import { App, Button, Dropdown, Space } from 'antd';
import { lazy, Suspense, useRef, useState } from 'react';
import { insertInline, readDocument, replaceDocument } from './editor-content.ts';
import { EDITOR_DEFAULTS } from './editor-options.ts';
import { attachmentHtml, imageHtml, PAGE_BREAK } from './insert-html.ts';
import { keptElement } from './kept-module.ts';
import { showFault } from '#web/data/show-fault.ts';

const EditorDialog = lazy(async () => {
  const { EditorDialog: Dialog } = await import('./editor-dialog.tsx');
  return { default: Dialog };
});

export type DialogName =
  | 'anchor'
  | 'frame'
  | 'map'
  | 'secondMap'
  | 'music'
  | 'video'
  | 'special'
  | 'charts'
  | 'search'
  | 'source'
  | 'preview'
  | 'help';

const INSERTS: readonly { readonly key: DialogName; readonly label: string }[] = [
  { key: 'video', label: '视频' },
  { key: 'music', label: '音乐' },
  { key: 'anchor', label: '锚点' },
  { key: 'special', label: '特殊字符' },
  { key: 'charts', label: '图表' },
  { key: 'map', label: '百度地图' },
  { key: 'secondMap', label: '高德地图' },
  { key: 'frame', label: '框架' },
];

interface ExtraToolsProps {
  readonly editor: IDomEditor;
  readonly upload: (file: File) => Promise<{ readonly address: string; readonly name: string }>;
}

/** The second row of tools: what the core has no button for. */
export function ExtraTools({ editor, upload }: ExtraToolsProps) {
  const { message, modal } = App.useApp();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const images = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const insert = (html: string) => insertInline(editor, html);
  const send = async (list: FileList | null, kind: 'image' | 'file') => {
    for (const file of [...(list ?? [])].slice(0, MAX_FILES)) {
      try {
        const { address, name } = await upload(file);
        if (kind === 'file') insert(attachmentHtml(address, name));
        else insert(imageHtml(address, name));
      } catch (error) {
        showFault(message, error, '上传失败');
      }
    }
  };
  return (
    <div className="richtext-extra" role="toolbar" aria-label="更多工具">
      <Space size={0} wrap>
        <Button size="small" type="text" onClick={() => images.current?.click()}>
          图片
        </Button>
        <Button size="small" type="text" title="一次最多选择100个文件" onClick={() => files.current?.click()}>
          附件
        </Button>
        <Dropdown
          mouseEnterDelay={EDITOR_DEFAULTS.submenuShowDelayMs / 1_000}
          mouseLeaveDelay={EDITOR_DEFAULTS.submenuHideDelayMs / 1_000}
          menu={{
            items: INSERTS.map(({ key, label }) => ({ key, label, onClick: () => setDialog(key) })),
          }}
        >
          <Button size="small" type="text">
            插入
          </Button>
        </Dropdown>
        <Button
          size="small"
          type="text"
          onClick={() => {
            editor.restoreSelection();
            SlateTransforms.insertNodes(editor, [keptElement('kept-block', PAGE_BREAK)]);
          }}
        >
          分页符
        </Button>
        {(['search', 'source', 'preview', 'help'] as const).map((name) => (
          <Button key={name} size="small" type="text" onClick={() => setDialog(name)}>
            {TITLES[name]}
          </Button>
        ))}
        <Button
          size="small"
          type="text"
          onClick={() => {
            void modal.confirm({
              title: '确定清空当前文档吗？',
              okText: '清空',
              cancelText: '取消',
              onOk: () => replaceDocument(editor, '<p><br></p>'),
            });
          }}
        >
          清空
        </Button>
      </Space>
      <FileInput label="选择图片" accept="image/*" input={images} onFiles={(list) => send(list, 'image')} />
      <FileInput label="选择附件" input={files} onFiles={(list) => send(list, 'file')} />
      {dialog !== null && (
        <Suspense>
          <EditorDialog
            name={dialog}
            editor={editor}
            document={readDocument(editor)}
            onInsertInline={insert}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Spec 9: the hint of the attachment dialog. */
const MAX_FILES = 100;

const TITLES = { search: '查找替换', source: '源代码', preview: '预览', help: '帮助' } as const;

interface FileInputProps {
  readonly label: string;
  readonly accept?: string;
  readonly input: React.RefObject<HTMLInputElement | null>;
  readonly onFiles: (list: FileList | null) => Promise<void>;
}

function FileInput({ label, accept, input, onFiles }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      multiple
      aria-label={label}
      accept={accept}
      onChange={(event) => {
        const { currentTarget } = event;
        void onFiles(currentTarget.files).finally(() => {
          currentTarget.value = '';
        });
      }}
    />
  );
}
