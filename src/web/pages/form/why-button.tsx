import { QuestionCircleOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { useState } from 'react';

interface WhyButtonProps {
  readonly title: string;
  readonly reason: string;
}

/** 为什么: a small button whose popover is only made when it is asked for. */
export function WhyButton({ title, reason }: WhyButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      className="why-button"
      tabIndex={-1}
      aria-label={`${title}：为什么`}
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
      content={<span style={{ whiteSpace: 'pre-line' }}>{reason}</span>}
      onOpenChange={(open) => setAsked(open)}
    >
      {button}
    </Popover>
  );
}
