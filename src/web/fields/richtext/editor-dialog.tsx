import { type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { Button, Input, Modal, Space, Tabs } from 'antd';
import { useState } from 'react';
import { FRAME_SOURCES, isAllowedFrame } from '#engine/fields/richtext-policy.ts';
import { RichtextBlock } from '../richtext-view.tsx';
import { ChartDialog } from './chart-dialog.tsx';
import { replaceDocument } from './editor-content.ts';
import type { DialogName } from './extra-tools.tsx';
import {
  amapAddress,
  anchorHtml,
  baiduMapAddress,
  frameHtml,
  musicHtml,
  SPECIAL_CHARACTERS,
  videoHtml,
} from './insert-html.ts';
import { FullScreenDialog } from './full-screen-dialog.tsx';
import { SearchDialog } from './search-dialog.tsx';

interface EditorDialogProps {
  readonly name: DialogName;
  readonly editor: IDomEditor;
  /** The document as it would be stored now. */
  readonly document: string;
  readonly onInsertInline: (html: string) => void;
  readonly onClose: () => void;
}

/** The dialog of a tool. Each inserts where the caret was. */
export function EditorDialog(props: EditorDialogProps) {
  const { name, editor, document, onInsertInline, onClose } = props;
  if (name === 'charts') return <ChartDialog editor={editor} onClose={onClose} />;
  if (name === 'search') return <SearchDialog editor={editor} onClose={onClose} />;
  if (name === 'source') return <SourceDialog editor={editor} document={document} onClose={onClose} />;
  if (name === 'preview')
    return (
      <FullScreenDialog editor={editor} title="预览" onClose={onClose}>
        <RichtextBlock html={document} />
      </FullScreenDialog>
    );
  if (name === 'special') return <SpecialDialog editor={editor} onClose={onClose} />;
  if (name === 'help') return <HelpDialog onClose={onClose} />;
  return <AddressDialog {...ADDRESSES[name]} onInsert={onInsertInline} onClose={onClose} />;
}

interface AddressKind {
  readonly title: string;
  readonly label: string;
  /** HTML of what was typed, or what is wrong with it. */
  readonly build: (text: string) => { readonly html: string } | { readonly problem: string };
}

const ADDRESSES = {
  anchor: {
    title: '锚点',
    label: '锚点名称',
    build: (text) =>
      /^[\w一-龥-]{1,50}$/.test(text)
        ? { html: anchorHtml(text) }
        : { problem: '只能使用汉字、字母、数字、横线，最多50个字' },
  },
  video: { title: '插入视频', label: '视频地址', build: (text) => fromAddress(text, videoHtml) },
  music: { title: '插入音乐', label: '音乐地址', build: (text) => fromAddress(text, musicHtml) },
  map: { title: '百度地图', label: '地点', build: (text) => ({ html: frameHtml(baiduMapAddress(text)) }) },
  secondMap: { title: '高德地图', label: '地点', build: (text) => ({ html: frameHtml(amapAddress(text)) }) },
  frame: {
    title: '插入框架',
    label: '网页地址',
    build: (text) =>
      isAllowedFrame(text)
        ? { html: frameHtml(text) }
        : { problem: `只能插入这些网站的网页：${FRAME_SOURCES.map((source) => source.slice(8)).join('、')}` },
  },
} as const satisfies Record<string, AddressKind>;

function fromAddress(text: string, build: (address: string) => string): ReturnType<AddressKind['build']> {
  return /^https:\/\/[^\s]+$/.test(text)
    ? { html: build(text) }
    : { problem: '请输入以 https:// 开头的地址' };
}

interface AddressDialogProps extends AddressKind {
  readonly onInsert: (html: string) => void;
  readonly onClose: () => void;
}

function AddressDialog({ title, label, build, onInsert, onClose }: AddressDialogProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const insert = () => {
    const built = text.trim() === '' ? { problem: `请输入${label}` } : build(text.trim());
    if ('problem' in built) {
      setProblem(built.problem);
      return;
    }
    onClose();
    onInsert(built.html);
  };
  return (
    <Modal open title={title} okText="插入" cancelText="取消" onOk={insert} onCancel={onClose}>
      <Input
        autoFocus
        aria-label={label}
        placeholder={label}
        value={text}
        status={problem === null ? '' : 'error'}
        onChange={(event) => setText(event.target.value)}
        onPressEnter={insert}
      />
      <div role="alert" className="richtext-problem">
        {problem}
      </div>
    </Modal>
  );
}

interface SourceDialogProps {
  readonly editor: IDomEditor;
  readonly document: string;
  readonly onClose: () => void;
}

function SourceDialog({ editor, document, onClose }: SourceDialogProps) {
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
        value={source}
        rows={20}
        spellCheck={false}
        style={{ fontFamily: 'monospace' }}
        onChange={(event) => setSource(event.target.value)}
      />
    </Modal>
  );
}

function SpecialDialog({ editor, onClose }: { readonly editor: IDomEditor; readonly onClose: () => void }) {
  const insert = (character: string) => {
    editor.restoreSelection();
    SlateTransforms.insertText(editor, character);
    onClose();
  };
  return (
    <Modal open title="特殊字符" footer={null} onCancel={onClose}>
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
    </Modal>
  );
}

const HELP = [
  ['Alt+Z', '进入或退出全屏'],
  ['Ctrl+Z、Ctrl+Y', '撤销、重做'],
  ['Ctrl+B、Ctrl+I、Ctrl+U', '粗体、斜体、下划线'],
  ['Tab', '插入四个空格；列表中为下一级'],
  ['Shift+Enter', '段内换行'],
  ['灰框内容', '编辑器不能直接编辑的内容，原样保存；请在“源代码”中修改'],
] as const;

function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal open title="编辑器帮助" footer={null} onCancel={onClose}>
      <dl className="richtext-help">
        {HELP.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
