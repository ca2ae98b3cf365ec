import { QuestionCircleOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';

interface WhyButtonProps {
  readonly title: string;
  readonly reason: ReactNode;
  /** Comes with the pointer or the focus only: there is nothing special to say. */
  readonly isQuiet?: boolean;
  /** What is asked about stands above the answer: there is no title beside the button. */
  readonly isTitled?: boolean;
}

/** 为什么: a small button whose popover is only made when it is asked for. */
export function WhyButton({ title, reason, isQuiet = false, isTitled = false }: WhyButtonProps) {
  const [isAsked, setAsked] = useState(false);
  useEndedByKeys(isAsked, () => setAsked(false));
  const button = (
    <button
      type="button"
      className={isQuiet ? 'why-button is-quiet' : 'why-button'}
      tabIndex={-1}
      // F1 opens it for the keyboard; the names of fields stay short.
      {...(isQuiet ? { 'aria-hidden': true } : { 'aria-label': `${title}：为什么` })}
      title="为什么"
      onClick={() => setAsked(true)}
    >
      <QuestionCircleOutlined />
    </button>
  );
  if (!isAsked) return button;
  return (
    <Popover
      open
      trigger="click"
      {...(isTitled ? { title } : {})}
      content={<span style={{ whiteSpace: 'pre-line' }}>{reason}</span>}
      onOpenChange={(open) => setAsked(open)}
    >
      {button}
    </Popover>
  );
}

/** Who asked by F1 goes on by the keyboard: Escape or the next field ends the answer. */
function useEndedByKeys(isOpen: boolean, end: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      end();
    };
    document.addEventListener('focusin', end);
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('focusin', end);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen, end]);
}
