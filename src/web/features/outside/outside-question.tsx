import { type ReactNode, useEffect, useRef } from 'react';

export interface OutsideQuestionProps {
  readonly label: string;
  readonly className: string;
  /** The id of what had asked: it stands there again afterwards and gets the focus back. */
  readonly returnTo: string;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/**
 * A question in the place of the button that asked it. The focus goes to the question itself, so that it is read and a
 * second Enter answers nothing; Escape says no.
 */
export function OutsideQuestion({ label, className, returnTo, onCancel, children }: OutsideQuestionProps) {
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    question.current?.focus();
    return () => {
      setTimeout(() => {
        // Whoever has put the focus elsewhere meanwhile keeps it there.
        if (document.activeElement === document.body) document.getElementById(returnTo)?.focus();
      });
    };
  }, [returnTo]);
  return (
    <div
      ref={question}
      className={`outside-question ${className}`}
      role="alertdialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      {children}
    </div>
  );
}
