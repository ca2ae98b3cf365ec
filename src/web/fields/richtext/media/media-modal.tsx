import type { IDomEditor } from '@wangeditor/editor';
import { Modal } from 'antd';
import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import './media.css';

interface MediaModalProps {
  readonly editor: IDomEditor;
  readonly title: string;
  readonly width?: number;
  readonly okText?: string;
  readonly isOkDisabled?: boolean;
  readonly isBusy?: boolean;
  /** Out of sight while the screen is taken. */
  readonly isHidden?: boolean;
  /** What stands left of the buttons. */
  readonly note?: ReactNode;
  readonly onOk: () => void;
  readonly onClose: () => void;
  /** Pictures and files that were pasted while the dialog is open. */
  readonly onPasteFiles?: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** The frame of every media dialog: Enter in a field inserts, Escape cancels, the caret goes back to the text. */
export function MediaModal(props: MediaModalProps) {
  const { editor, title, width = 640, okText = '插入', onOk, onClose, onPasteFiles } = props;
  useFocusBack(editor);
  return (
    <Modal
      open
      title={title}
      width={width}
      okText={okText}
      cancelText="取消"
      okButtonProps={{ disabled: props.isOkDisabled === true, loading: props.isBusy === true }}
      maskClosable={false}
      focusTriggerAfterClose={false}
      {...(props.isHidden === true ? { wrapClassName: 'media-hidden' } : {})}
      onOk={onOk}
      onCancel={onClose}
      footer={(buttons) => (
        <div className="media-footer">
          <div className="media-note">{props.note}</div>
          {buttons}
        </div>
      )}
    >
      <div
        className="media-dialog"
        role="presentation"
        onKeyDown={(event) => {
          // The page and the editor around it have keys of their own.
          if (event.key !== 'Escape' && event.key !== 'Tab') event.stopPropagation();
          if (!isInsertKey(event) || props.isOkDisabled === true || props.isBusy === true) return;
          event.preventDefault();
          onOk();
        }}
        onPaste={(event) => {
          event.stopPropagation();
          const files = [...event.clipboardData.files];
          if (files.length === 0 || onPasteFiles === undefined) return;
          event.preventDefault();
          onPasteFiles(files);
        }}
      >
        {props.children}
      </div>
    </Modal>
  );
}

/** Enter in a field of one line. The one that ends the choice of a Chinese word is not meant. */
function isInsertKey(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.defaultPrevented) return false;
  if (!(target instanceof HTMLInputElement)) return false;
  return target.getAttribute('role') !== 'combobox' && /^(?:text|number|search|url)$/.test(target.type);
}

function useFocusBack(editor: IDomEditor): void {
  useEffect(
    () => () => {
      // After what was inserted has found its place.
      setTimeout(() => {
        if (editor.isDestroyed) return;
        const container = editor.getEditableContainer();
        // A tab that was left is hidden.
        if (container instanceof HTMLElement && container.offsetParent !== null) editor.restoreSelection();
      });
    },
    [editor],
  );
}
