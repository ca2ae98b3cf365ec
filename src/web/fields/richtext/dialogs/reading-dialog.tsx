import { Modal, type ModalProps } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { useEscape } from '../use-escape.ts';

interface ReadingDialogProps extends Pick<ModalProps, 'title' | 'width' | 'style'> {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog without a field to begin in: it takes the focus itself, so that Escape reaches it and not the text. */
export function ReadingDialog({ onClose, children, ...shown }: ReadingDialogProps) {
  const content = useRef<HTMLDivElement>(null);
  useEscape(onClose);
  useEffect(() => {
    // The text takes the focus back once while the dialog appears.
    const timer = setTimeout(() => content.current?.focus(), 50);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Modal open footer={null} onCancel={onClose} {...shown}>
      <div ref={content} tabIndex={-1} className="richtext-reading">
        {children}
      </div>
    </Modal>
  );
}
