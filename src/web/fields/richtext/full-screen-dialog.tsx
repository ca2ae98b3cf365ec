import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useEscape } from './use-escape.ts';

interface FullScreenDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A dialog of the editor over the whole screen (spec 2.8). It comes without motion, since the library gives it the
 * keyboard only when its motion has ended.
 */
export function FullScreenDialog({ title, onClose, footer, children }: FullScreenDialogProps) {
  useEscape(onClose);
  return (
    <Modal
      open
      title={title}
      className="full-screen-dialog"
      width="100vw"
      transitionName=""
      maskTransitionName=""
      footer={footer ?? null}
      onCancel={onClose}
    >
      {children}
    </Modal>
  );
}
