import type { IDomEditor } from '@wangeditor/editor';
import { Modal } from 'antd';
import type { ReactNode } from 'react';

interface FullScreenDialogProps {
  readonly editor: IDomEditor;
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons; each closes through `closeDialog`. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A dialog of the editor over the whole screen (spec 2.8). It comes without motion, since the library gives it the
 * keyboard only when its motion has ended; closing gives it back to the text.
 */
export function FullScreenDialog({ editor, title, onClose, footer, children }: FullScreenDialogProps) {
  return (
    <Modal
      open
      title={title}
      className="full-screen-dialog"
      width="100vw"
      transitionName=""
      maskTransitionName=""
      footer={footer ?? null}
      onCancel={() => closeDialog(editor, onClose)}
    >
      {children}
    </Modal>
  );
}

/** Closes a dialog and puts the caret back where it was. */
export function closeDialog(editor: IDomEditor, onClose: () => void): void {
  onClose();
  // The core notes where the caret is at the end of a step, which may have been the dialog's last one.
  queueMicrotask(() => editor.restoreSelection());
}
