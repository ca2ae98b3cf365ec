import { App } from 'antd';
import { useEffect, useId } from 'react';
import { useTab } from './tab-context.ts';

/**
 * Marks the tab while something that was typed is not sent: closing it, reloading and leaving ask first, and it never makes
 * room for another. Several parts of a page may hold the mark at once. `isKept`: a draft of it stays in the browser, so
 * that the site is left without a question where drafts can be kept.
 */
export function useUnsaved(isDirty: boolean, isKept = false): void {
  const { holdUnsaved } = useTab();
  const source = useId();
  const work = isDirty ? (isKept ? 'kept' : 'losable') : null;
  // Nothing is told too: it may have been sent while the page was behind another, where no effect tells.
  useEffect(() => holdUnsaved(source, work), [work, holdUnsaved, source]);
}

/**
 * Asks before a drawer or dialog is left in which something was typed, by what `isDirty` says at that moment; leaves at once
 * when nothing was. `isKept`: a draft of it stays in the browser.
 */
export function useLeaveQuestion(isDirty: () => boolean, isKept = false): (onLeave: () => void) => void {
  const { modal } = App.useApp();
  return (onLeave) => {
    if (!isDirty()) return onLeave();
    void modal.confirm({
      title: '内容尚未保存，确定关闭吗？',
      content: isKept ? '未保存的内容会保留为草稿，下次打开时可以恢复。' : '已填写的内容将会丢失。',
      okText: '关闭',
      cancelText: '继续编辑',
      onOk: onLeave,
    });
  };
}

/** What becomes of unsaved work in the tabs, for the question before something is done to them. */
export function unsavedAfter(done: '关闭' | '刷新' | '退出' | '切换'): string {
  return `${done}后表单的修改只留在本机草稿中，意见、评论等会丢失。`;
}
