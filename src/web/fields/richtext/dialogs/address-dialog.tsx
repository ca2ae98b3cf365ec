import { Input, Modal } from 'antd';
import { useState } from 'react';
import { FRAME_SOURCES, isAllowedFrame } from '#engine/fields/richtext-policy.ts';
import { amapAddress, anchorHtml, baiduMapAddress, frameHtml, musicHtml, videoHtml } from '../insert-html.ts';

interface AddressKind {
  readonly title: string;
  readonly label: string;
  /** HTML of what was typed, or what is wrong with it. */
  readonly build: (text: string) => { readonly html: string } | { readonly problem: string };
}

export type AddressName = keyof typeof ADDRESSES;

export const ADDRESSES = {
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

interface AddressDialogProps {
  readonly name: AddressName;
  readonly onInsert: (html: string) => void;
  readonly onClose: () => void;
}

export function AddressDialog({ name, onInsert, onClose }: AddressDialogProps) {
  const { title, label, build } = ADDRESSES[name];
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
